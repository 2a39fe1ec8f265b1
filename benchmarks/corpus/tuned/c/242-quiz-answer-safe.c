#include <stdio.h>
#include <string.h>
#include <strings.h>

struct question {
    const char *text;
    const char *answer;
};

static const struct question quiz[] = {
    {"Which river runs through Vienna?", "danube"},
    {"How many strings has a viola?", "four"},
    {"Which metal is liquid at room temperature?", "mercury"},
};

int main(void)
{
    char answer[80];
    int right = 0;
    size_t n = sizeof quiz / sizeof quiz[0];

    for (size_t i = 0; i < n; i++) {
        printf("%s\n> ", quiz[i].text);
        fflush(stdout);
        if (fgets(answer, sizeof answer, stdin) == NULL)
            break;
        answer[strcspn(answer, "\n")] = '\0';
        if (strcasecmp(answer, quiz[i].answer) == 0)
            right++;
    }
    printf("%d of %zu right\n", right, n);
    return 0;
}
