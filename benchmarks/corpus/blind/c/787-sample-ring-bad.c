#include <stddef.h>
#include <stdio.h>

#define SAMPLES 16

struct ring {
    int values[SAMPLES];
    size_t next;
};

static void reset(struct ring *ring, int level)
{
    for (size_t i = 0; i <= SAMPLES; i++)
        ring->values[i] = level;
    ring->next = 0;
}

static void push(struct ring *ring, int value)
{
    ring->values[ring->next] = value;
    ring->next = (ring->next + 1) % SAMPLES;
}

int main(void)
{
    struct ring ring;
    int value;

    reset(&ring, 0);
    while (scanf("%d", &value) == 1)
        push(&ring, value);
    printf("last slot %d\n", ring.values[SAMPLES - 1]);
    return 0;
}
