#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void serve_file(int client, const char *name)
{
    char path[512];
    char chunk[1024];
    size_t n;
    if (strstr(name, "..") != NULL || name[0] == '/')
        return;
    snprintf(path, sizeof path, "/var/www/%s", name);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        send(client, chunk, n, 0);
    fclose(f);
}

void handle(int client)
{
    char request[1024], name[256];
    ssize_t got = recv(client, request, sizeof request - 1, 0);
    if (got <= 0)
        return;
    request[got] = '\0';
    if (sscanf(request, "GET /%255s", name) == 1)
        serve_file(client, name);
}
