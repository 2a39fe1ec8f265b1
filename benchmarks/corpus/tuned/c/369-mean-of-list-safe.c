#include <stdio.h>
#include <stdlib.h>

static int mean(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int main(int argc, char **argv)
{
    int values[64];
    int count = 0;
    for (int i = 1; i < argc && count < 64; i++) {
        int v = atoi(argv[i]);
        if (v > 0)
            values[count++] = v;
    }
    if (count == 0)
        return 1;
    printf("mean %d\n", mean(values, count));
    return 0;
}
