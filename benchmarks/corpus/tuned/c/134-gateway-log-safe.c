#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <syslog.h>
#include <unistd.h>

enum { LINE_MAX_LEN = 512 };

static void audit(int level, const char *tag, const char *text)
{
    char line[LINE_MAX_LEN + 32];

    snprintf(line, sizeof(line), "[%s] %s", tag, text);
    syslog(level, "%s", line);
}

static ssize_t read_command(int fd, char *buf, size_t size)
{
    ssize_t n = recv(fd, buf, size - 1, 0);

    if (n <= 0)
        return n;
    buf[n] = '\0';
    for (char *p = buf; *p != '\0'; p++) {
        if ((unsigned char)*p < 0x20)
            *p = ' ';
    }
    return n;
}

void serve_client(int fd)
{
    char command[LINE_MAX_LEN];

    while (read_command(fd, command, sizeof(command)) > 0) {
        if (strncmp(command, "QUIT", 4) == 0)
            break;
        audit(LOG_INFO, "command", command);
        if (send(fd, "OK\r\n", 4, MSG_NOSIGNAL) != 4)
            break;
    }
    close(fd);
}
