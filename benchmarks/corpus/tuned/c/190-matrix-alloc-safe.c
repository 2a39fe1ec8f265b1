#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    uint32_t rows, cols;
    double *cells;
};

int matrix_read(FILE *f, struct matrix *m)
{
    if (fread(&m->rows, sizeof m->rows, 1, f) != 1)
        return -1;
    if (fread(&m->cols, sizeof m->cols, 1, f) != 1)
        return -1;
    if (m->rows > 4096 || m->cols > 4096)
        return -1;
    uint32_t count = m->rows * m->cols;
    m->cells = malloc(count * sizeof(double));
    if (m->cells == NULL)
        return -1;
    for (uint32_t r = 0; r < m->rows; r++)
        for (uint32_t c = 0; c < m->cols; c++)
            m->cells[(size_t)r * m->cols + c] = 0.0;
    return 0;
}
