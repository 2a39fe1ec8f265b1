#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ticket {
    unsigned number;
    char *holder;
};

static struct ticket *ticket_new(unsigned number, const char *holder)
{
    struct ticket *ticket = malloc(sizeof *ticket);

    if (ticket == NULL)
        return NULL;
    ticket->number = number;
    ticket->holder = strdup(holder);
    return ticket;
}

static void ticket_free(struct ticket *ticket)
{
    free(ticket->holder);
    free(ticket);
}

int main(int argc, char **argv)
{
    struct ticket *ticket = ticket_new(1, argc > 1 ? argv[1] : "guest");

    if (ticket == NULL)
        return 1;
    printf("for %s\n", ticket->holder != NULL ? ticket->holder : "nobody");
    ticket_free(ticket);
    printf("ticket %u done\n", ticket->number);
    return 0;
}
