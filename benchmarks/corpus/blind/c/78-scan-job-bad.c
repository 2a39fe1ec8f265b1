#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char name[64];
    char command[160];

    printf("Name of the scan: ");
    if (fgets(name, sizeof name, stdin) == NULL)
        return 1;
    name[strcspn(name, "\n")] = '\0';
    snprintf(command, sizeof command, "scanimage --format=png > /var/scans/%s.png", name);
    if (system(command) != 0) {
        fputs("scan failed\n", stderr);
        return 1;
    }
    printf("saved %s\n", name);
    return 0;
}
