#include <stdio.h>
#include <string.h>

struct route {
    const char *name;
    int minutes;
};

static const struct route ROUTES[] = {
    {"north", 35}, {"river", 22}, {"airport", 48},
};

static const struct route *find_route(const char *name)
{
    for (size_t i = 0; i < sizeof ROUTES / sizeof ROUTES[0]; i++) {
        if (strcmp(ROUTES[i].name, name) == 0)
            return &ROUTES[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const struct route *route;

    if (argc != 2)
        return 2;
    route = find_route(argv[1]);
    if (route == NULL)
        return 1;
    printf("%s takes %d minutes\n", argv[1], route->minutes);
    return 0;
}
