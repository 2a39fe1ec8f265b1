#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

/* Sends each line of the door sensor, read from standard input, to the system log. */
static void note(int priority, const char *door, const char *event)
{
    char message[256];

    snprintf(message, sizeof message, "door %s: %s", door, event);
    syslog(priority, message);
}

int main(int argc, char **argv)
{
    char line[200];

    if (argc != 2) {
        fprintf(stderr, "usage: %s DOOR\n", argv[0]);
        return EXIT_FAILURE;
    }
    openlog("doorlog", LOG_PID, LOG_DAEMON);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '\0')
            note(strncmp(line, "ALARM", 5) == 0 ? LOG_ALERT : LOG_INFO, argv[1], line);
    }
    closelog();
    return EXIT_SUCCESS;
}
