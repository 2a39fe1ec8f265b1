#include <stdio.h>
#include <stdlib.h>

/* Tells the mean brightness of a raw grey picture, or -1 when it cannot be read. */
static double brightness(FILE *in, size_t width, size_t height)
{
    double sum = 0, result = -1;
    unsigned char *row = malloc(width);

    if (row == NULL)
        return -1;
    for (size_t y = 0; y < height; y++) {
        if (fread(row, 1, width, in) != width)
            goto done;
        for (size_t x = 0; x < width; x++)
            sum += row[x];
    }
    result = sum / ((double)width * (double)height);
done:
    free(row);
    return result;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s FILE WIDTH HEIGHT\n", argv[0]);
        return 2;
    }
    size_t width = strtoul(argv[2], NULL, 10);
    size_t height = strtoul(argv[3], NULL, 10);
    if (width == 0 || width > 20000 || height == 0 || height > 20000)
        return 2;
    FILE *in = fopen(argv[1], "rb");
    if (in == NULL) {
        perror(argv[1]);
        return 1;
    }
    printf("%.2f\n", brightness(in, width, height));
    fclose(in);
    return 0;
}
