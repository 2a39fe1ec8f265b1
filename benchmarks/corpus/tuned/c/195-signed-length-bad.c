#include <arpa/inet.h>
#include <string.h>
#include <unistd.h>

#define MAX_BODY 1024

int read_body(int fd, char *body)
{
    char scratch[MAX_BODY];
    int length;
    if (read(fd, &length, sizeof length) != sizeof length)
        return -1;
    length = (int)ntohl((unsigned)length);
    if (length > MAX_BODY)
        return -1;
    if (read(fd, scratch, length) != length)
        return -1;
    memcpy(body, scratch, length);
    return length;
}
