#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NAME_LEN 32

static int is_wanted(const char *name)
{
    return strcmp(name, "content-type") == 0 || strcmp(name, "content-length") == 0;
}

/* Prints the header when it is one of those that the proxy keeps. */
static void keep_header(const char *line)
{
    char name[NAME_LEN];
    size_t i = 0;

    while (line[i] != '\0' && line[i] != ':') {
        name[i] = (char)tolower((unsigned char)line[i]);
        i++;
    }
    name[i] = '\0';
    if (is_wanted(name))
        fputs(line, stdout);
}

int main(void)
{
    char line[1024];

    while (fgets(line, sizeof line, stdin) != NULL)
        keep_header(line);
    return 0;
}
