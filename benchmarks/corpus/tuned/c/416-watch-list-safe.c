#include <stdlib.h>
#include <string.h>

struct watch {
    char *path;
    int events;
    struct watch *next;
};

static struct watch *watches;

int watch_add(const char *path, int events)
{
    struct watch *w = malloc(sizeof *w);

    if (w == NULL)
        return -1;
    w->path = strdup(path);
    if (w->path == NULL) {
        free(w);
        return -1;
    }
    w->events = events;
    w->next = watches;
    watches = w;
    return 0;
}

void watch_clear(void)
{
    struct watch *w = watches;

    while (w != NULL) {
        struct watch *next = w->next;

        free(w->path);
        free(w);
        w = next;
    }
    watches = NULL;
}
