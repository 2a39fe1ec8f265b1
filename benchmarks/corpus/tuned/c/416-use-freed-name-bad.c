#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    char *name;
    int count;
};

static void item_free(struct item *it)
{
    free(it->name);
    free(it);
}

int item_drop(struct item *it)
{
    it->count--;
    if (it->count == 0) {
        item_free(it);
        printf("dropped %s\n", it->name);
        return 1;
    }
    return 0;
}
