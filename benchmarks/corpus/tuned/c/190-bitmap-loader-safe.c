#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct bitmap {
    uint32_t width;
    uint32_t height;
    uint32_t *pixels;
};

static int read_u32(FILE *in, uint32_t *out)
{
    unsigned char b[4];

    if (fread(b, 1, sizeof(b), in) != sizeof(b))
        return -1;
    *out = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return 0;
}

int bitmap_load(FILE *in, struct bitmap *bm)
{
    uint32_t y;

    bm->pixels = NULL;
    if (read_u32(in, &bm->width) != 0 || read_u32(in, &bm->height) != 0)
        return -1;
    if (bm->width == 0 || bm->height == 0)
        return -1;

    if (bm->width > 16384 || bm->height > 16384)
        return -1;

    bm->pixels = malloc(bm->width * bm->height * (uint32_t)sizeof(uint32_t));
    if (bm->pixels == NULL)
        return -1;

    for (y = 0; y < bm->height; y++) {
        uint32_t *row = bm->pixels + (size_t)y * bm->width;
        if (fread(row, sizeof(uint32_t), bm->width, in) != bm->width) {
            free(bm->pixels);
            bm->pixels = NULL;
            return -1;
        }
    }
    return 0;
}
