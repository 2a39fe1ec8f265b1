#include <stdio.h>
#include <string.h>

struct session { int authenticated; int level; };

int can_delete(struct session *s, int level)
{
    if (s == NULL)
        return 0;
    if (s->authenticated == 1 && level > 2)
        return 1;
    return s->level > 5;
}
