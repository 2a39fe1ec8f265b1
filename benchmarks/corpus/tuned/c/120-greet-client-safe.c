#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void greet(int client)
{
    char line[512];
    char name[32];
    ssize_t n = recv(client, line, sizeof(line) - 1, 0);
    if (n <= 0)
        return;
    line[n] = '\0';
    if (sscanf(line, "HELLO %31s", name) != 1)
        return;
    char reply[64];
    int len = snprintf(reply, sizeof reply, "Hi %s\n", name);
    if (len > 0)
        send(client, reply, (size_t)len < sizeof reply ? (size_t)len : sizeof reply - 1, 0);
}

int serve(int fd)
{
    int client = accept(fd, NULL, NULL);
    if (client < 0)
        return -1;
    greet(client);
    close(client);
    return 0;
}
