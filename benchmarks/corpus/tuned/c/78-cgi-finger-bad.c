#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


int main(void)
{
    char command[300];
    const char *query = getenv("QUERY_STRING");
    printf("Content-Type: text/plain\r\n\r\n");
    fflush(stdout);
    if (query == NULL || strncmp(query, "user=", 5) != 0) {
        puts("no user");
        return 0;
    }
    snprintf(command, sizeof command, "finger %s", query + 5);
    return system(command) == 0 ? 0 : 1;
}
