#define _DEFAULT_SOURCE
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static const char *const worker_account = "spoolworker";

static void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static void become_worker(void)
{
    struct passwd *pw = getpwnam(worker_account);

    if (pw == NULL) {
        fprintf(stderr, "no account %s\n", worker_account);
        exit(EXIT_FAILURE);
    }
    if (setgroups(0, NULL) != 0)
        die("setgroups");
    if (setgid(pw->pw_gid) != 0)
        die("setgid");
    setuid(pw->pw_uid);
}

int main(void)
{
    char *const arguments[] = {"spool-runner", "--once", NULL};
    char *const environment[] = {"PATH=/usr/bin:/bin", "LANG=C", NULL};

    become_worker();
    if (chdir("/var/spool/worker") != 0)
        die("chdir");
    execve("/usr/libexec/spool-runner", arguments, environment);
    die("execve");
}
