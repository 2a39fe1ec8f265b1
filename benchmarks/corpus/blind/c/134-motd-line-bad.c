#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void show(FILE *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
}

int main(int argc, char **argv)
{
    char line[120];
    FILE *file = fopen(argc > 1 ? argv[1] : "/etc/motd", "r");

    if (file == NULL)
        return 1;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        show(stdout, line);
        show(stdout, "\n");
    }
    fclose(file);
    return 0;
}
