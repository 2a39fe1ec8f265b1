#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct bitmap {
    uint32_t width;
    uint32_t height;
    uint8_t *pixels;
};

static int read_u32(FILE *in, uint32_t *out)
{
    uint8_t b[4];

    if (fread(b, 1, sizeof b, in) != sizeof b)
        return -1;
    *out = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return 0;
}

/* The file has the width, the height, and then four bytes for each pixel. */
int bitmap_load(struct bitmap *map, FILE *in)
{
    if (read_u32(in, &map->width) != 0 || read_u32(in, &map->height) != 0)
        return -1;
    if (map->width == 0 || map->height == 0)
        return -1;

    uint32_t bytes = map->width * map->height * 4;
    map->pixels = malloc(bytes);
    if (map->pixels == NULL)
        return -1;
    if (fread(map->pixels, 1, bytes, in) != bytes) {
        free(map->pixels);
        map->pixels = NULL;
        return -1;
    }
    return 0;
}
