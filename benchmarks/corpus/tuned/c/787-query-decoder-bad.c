#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_MAX 128

struct param {
    char value[VALUE_MAX];
    size_t len;
};

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = tolower(c);
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

static int decode_value(struct param *p, const char *src)
{
    size_t out = 0;

    while (*src != '\0' && *src != '&') {
        char c = *src++;
        if (c == '%') {
            int hi = hex_digit((unsigned char)src[0]);
            int lo = hi < 0 ? -1 : hex_digit((unsigned char)src[1]);
            if (lo < 0)
                return -1;
            c = (char)(hi * 16 + lo);
            src += 2;
        } else if (c == '+') {
            c = ' ';
        }
        p->value[out++] = c;
    }
    p->value[out] = '\0';
    p->len = out;
    return 0;
}

int main(void)
{
    struct param name;
    const char *query = getenv("QUERY_STRING");

    if (query == NULL || strncmp(query, "name=", 5) != 0)
        return EXIT_FAILURE;
    if (decode_value(&name, query + 5) != 0)
        return EXIT_FAILURE;
    printf("Content-Type: text/plain\r\n\r\n%zu bytes\n", name.len);
    return EXIT_SUCCESS;
}
