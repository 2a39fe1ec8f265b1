#include <stdint.h>
#include <stdlib.h>

struct reading {
    uint32_t sensor;
    float value;
};

struct table {
    size_t used;
    size_t room;
    struct reading *rows;
};

struct table *table_new(size_t room)
{
    struct table *t = calloc(1, sizeof *t);

    t->rows = NULL;
    t->room = room;
    return t;
}

int table_put(struct table *t, uint32_t sensor, float value)
{
    if (t->rows == NULL && (t->rows = calloc(t->room, sizeof *t->rows)) == NULL)
        return -1;
    if (t->used == t->room)
        return -1;
    t->rows[t->used].sensor = sensor;
    t->rows[t->used].value = value;
    t->used++;
    return 0;
}

void table_free(struct table *t)
{
    if (t != NULL)
        free(t->rows);
    free(t);
}
