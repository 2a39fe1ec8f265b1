#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int append_note(const char *path, const char *note)
{
    size_t length = strlen(note);
    ssize_t written;
    int fd;

    if (access(path, W_OK) != 0) {
        perror(path);
        return -1;
    }
    fd = open(path, O_WRONLY | O_APPEND);
    if (fd < 0) {
        perror(path);
        return -1;
    }
    written = write(fd, note, length);
    close(fd);
    return written == (ssize_t)length ? 0 : -1;
}
