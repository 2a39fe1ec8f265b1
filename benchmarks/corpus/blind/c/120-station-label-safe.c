#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_SIZE 24

struct station {
    int platform;
    char label[LABEL_SIZE];
};

static void set_label(struct station *station, const char *label)
{
    if (strlen(label) < sizeof station->label)
        strcpy(station->label, label);
}

int main(int argc, char **argv)
{
    struct station station = {0, ""};

    if (argc != 3) {
        fprintf(stderr, "usage: %s platform label\n", argv[0]);
        return 2;
    }
    station.platform = (int)strtol(argv[1], NULL, 10);
    set_label(&station, argv[2]);
    printf("%d: %s\n", station.platform, station.label);
    return 0;
}
