#include <stdio.h>
#include <time.h>

const char *timestamp(void)
{
    static char text[32];
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) == NULL)
        return "";
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

int main(void)
{
    printf("%s\n", timestamp());
    return 0;
}
