#include <stdio.h>
#include <stdlib.h>

static const char *const NAMES[] = {
    "halt", "load", "store", "add", "sub", "jump", "call", "return",
};

#define COUNT (sizeof NAMES / sizeof NAMES[0])

static const char *opcode_name(unsigned long code)
{
    return code < COUNT ? NAMES[code] : "unknown";
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "%zu opcodes known\n", (size_t)COUNT);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        unsigned long code = strtoul(argv[i], NULL, 16);
        printf("%02lx %s\n", code, opcode_name(code));
    }
    return 0;
}
