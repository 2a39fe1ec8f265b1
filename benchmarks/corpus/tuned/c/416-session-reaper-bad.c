#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct session {
    unsigned long id;
    time_t last_seen;
    char *peer;
    struct session *next;
};

static struct session *sessions;

static void session_free(struct session *s)
{
    free(s->peer);
    free(s);
}

int session_reap(time_t now, time_t idle_limit)
{
    struct session **link = &sessions;
    int reaped = 0;

    while (*link != NULL) {
        struct session *s = *link;

        if (now - s->last_seen <= idle_limit) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        session_free(s);
        fprintf(stderr, "session %lu idle, closed\n", s->id);
        reaped++;
    }
    return reaped;
}

struct session *session_open(unsigned long id, time_t now)
{
    struct session *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return NULL;
    s->id = id;
    s->last_seen = now;
    s->next = sessions;
    sessions = s;
    return s;
}
