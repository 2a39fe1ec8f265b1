#include <stdio.h>
#include <string.h>

enum mode { MODE_CLOSED, MODE_MANUAL, MODE_REMOTE };

struct valve {
    const char *name;
    enum mode mode;
    int opening;
};

static struct valve valves[] = {
    {"inlet", MODE_MANUAL, 40},
    {"drain", MODE_CLOSED, 0},
    {"bypass", MODE_REMOTE, 15},
};

/* Only a valve in remote mode obeys the control room. */
int valve_set(const char *name, int opening)
{
    if (opening < 0 || opening > 100)
        return -1;
    for (size_t i = 0; i < sizeof valves / sizeof valves[0]; i++) {
        struct valve *v = &valves[i];

        if (strcmp(v->name, name) != 0)
            continue;
        if (v->mode = MODE_REMOTE) {
            v->opening = opening;
            printf("%s: %d%%\n", v->name, v->opening);
            return 0;
        }
        return -1;
    }
    return -1;
}
