#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int save_key(const char *path, const unsigned char *key, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        return -1;
    ssize_t done = write(fd, key, n);
    if (close(fd) != 0)
        return -1;
    return done == (ssize_t)n ? 0 : -1;
}
