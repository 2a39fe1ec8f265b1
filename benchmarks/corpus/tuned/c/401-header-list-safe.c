#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct header {
    char *name;
    char *value;
    struct header *next;
};

static char *trim_copy(const char *start, size_t len)
{
    while (len > 0 && (*start == ' ' || *start == '\t')) {
        start++;
        len--;
    }
    while (len > 0 && (start[len - 1] == ' ' || start[len - 1] == '\r'))
        len--;
    return strndup(start, len);
}

struct header *header_parse(const char *line)
{
    const char *colon = strchr(line, ':');
    struct header *h;

    if (colon == NULL)
        return NULL;
    h = calloc(1, sizeof(*h));
    if (h == NULL)
        return NULL;
    h->name = trim_copy(line, (size_t)(colon - line));
    h->value = trim_copy(colon + 1, strlen(colon + 1));
    if (h->name == NULL || h->value == NULL || h->name[0] == '\0') {
        free(h->name);
        free(h->value);
        free(h);
        return NULL;
    }
    return h;
}

void header_free(struct header *list)
{
    while (list != NULL) {
        struct header *next = list->next;
        free(list->name);
        free(list->value);
        free(list);
        list = next;
    }
}
