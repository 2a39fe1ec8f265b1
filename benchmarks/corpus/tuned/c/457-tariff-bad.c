#include <stdio.h>
#include <stdlib.h>

static double cost(char zone, double kwh)
{
    double per_kwh;

    switch (zone) {
    case 'N':
        per_kwh = 0.19;
        break;
    case 'D':
        per_kwh = 0.31;
        break;
    case 'W':
        per_kwh = 0.24;
        break;
    }
    return per_kwh * kwh;
}

int main(void)
{
    char zone;
    double kwh, total = 0;

    /* Each line: a letter for the tariff zone and the energy used in it. */
    while (scanf(" %c %lf", &zone, &kwh) == 2)
        total += cost(zone, kwh);
    if (!feof(stdin)) {
        fputs("a line is not understood\n", stderr);
        return EXIT_FAILURE;
    }
    printf("%.2f\n", total);
    return EXIT_SUCCESS;
}
