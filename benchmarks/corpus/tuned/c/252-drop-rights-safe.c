#define _DEFAULT_SOURCE
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void become(const char *account)
{
    const struct passwd *pw = getpwnam(account);

    if (pw == NULL) {
        fprintf(stderr, "no account %s\n", account);
        exit(EXIT_FAILURE);
    }
    if (setgroups(0, NULL) != 0 || setgid(pw->pw_gid) != 0) {
        perror("group");
        exit(EXIT_FAILURE);
    }
    if (setuid(pw->pw_uid) != 0) {
        perror("user");
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s ACCOUNT\n", argv[0]);
        return 2;
    }
    become(argv[1]);
    execl("/usr/libexec/mailfetchd", "mailfetchd", "--foreground", (char *)NULL);
    perror("mailfetchd");
    return EXIT_FAILURE;
}
