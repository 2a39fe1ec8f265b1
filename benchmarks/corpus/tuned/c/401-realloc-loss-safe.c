#include <stdlib.h>
#include <string.h>

struct text {
    char *data;
    size_t used, size;
};

int text_add(struct text *t, const char *s)
{
    size_t n = strlen(s);
    if (t->used + n + 1 > t->size) {
        size_t bigger = t->size * 2 + n + 1;
        char *moved = realloc(t->data, bigger);
        if (moved == NULL)
            return -1;
        t->data = moved;
        t->size = bigger;
    }
    memcpy(t->data + t->used, s, n + 1);
    t->used += n;
    return 0;
}
