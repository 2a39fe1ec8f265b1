#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * Gives the value of "key = value" as a new string that the caller frees,
 * or NULL when the line has no value.
 */
char *ini_value(const char *line)
{
    const char *equals = strchr(line, '=');
    char *copy;
    size_t len;

    if (equals == NULL)
        return NULL;
    equals++;
    while (isspace((unsigned char)*equals))
        equals++;

    copy = strdup(equals);
    if (copy == NULL)
        return NULL;
    len = strlen(copy);
    while (len > 0 && isspace((unsigned char)copy[len - 1]))
        copy[--len] = '\0';
    if (len == 0 || copy[0] == ';')
        return NULL;
    return copy;
}
