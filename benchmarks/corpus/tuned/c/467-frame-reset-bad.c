#include <stdint.h>
#include <string.h>

#define FRAME_BYTES 64

struct frame {
    uint8_t kind;
    uint8_t length;
    uint8_t body[FRAME_BYTES];
};

/* A frame is used again for the next message, so that it must hold nothing of the last one. */
void frame_reset(struct frame *frame, uint8_t kind)
{
    memset(frame, 0, sizeof(frame));
    frame->kind = kind;
}

int frame_fill(struct frame *frame, const uint8_t *data, size_t size)
{
    if (size > FRAME_BYTES)
        return -1;
    frame_reset(frame, 1);
    memcpy(frame->body, data, size);
    frame->length = (uint8_t)size;
    return 0;
}
