"""Variables and memory have values before these are used."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "on-one-way",
        """
        int f(int n) {
            int x;
            if (n > 0)
                x = n;
            return x;  // ! uninitialised
        }
        """,
        """
        int f(int n) {
            int x;
            if (n > 0)
                x = n;
            else
                x = 0;
            return x;
        }
        """,
    ),
    Pair(
        "switch-without-default",
        """
        int f(int n) {
            int x;
            switch (n) {
            case 1: x = 2; break;
            case 2: x = 3; break;
            }
            return x;  // ! uninitialised
        }
        """,
        """
        enum way { UP, DOWN };
        int f(enum way n) {
            int x;
            switch (n) {
            case UP: x = 2; break;
            case DOWN: x = 3; break;
            }
            return x;
        }
        """,
    ),
    Pair(
        "set-by-address",
        """
        void use(int);
        void f(void) {
            int x;
            use(x);  // ! uninitialised
        }
        """,
        """
        void use(int *);
        int f(void) {
            int x;
            use(&x);
            return x;
        }
        """,
    ),
    Pair(
        "heap",
        """
        #include <stdlib.h>
        int f(void) {
            int *p = malloc(8);
            if (!p) return 0;
            int x = p[1];  // ! uninitialised
            free(p);
            return x;
        }
        """,
        """
        #include <stdlib.h>
        int f(void) {
            int *p = calloc(2, 4);
            if (!p) return 0;
            int x = p[1];
            free(p);
            return x;
        }
        """,
    ),
    Pair(
        "added-to",
        """
        int f(const int *a) {
            int sum;
            for (int i = 0; i < 4; i++)
                sum += a[i];  // ! uninitialised
            return sum;
        }
        """,
        """
        int f(const int *a) {
            int sum = 0;
            for (int i = 0; i < 4; i++)
                sum += a[i];
            return sum;
        }
        """,
    ),
    Pair(
        "text",
        """
        #include <string.h>
        size_t f(void) {
            char b[8];
            return strlen(b);  // ! uninitialised
        }
        """,
        """
        #include <string.h>
        size_t f(void) {
            char b[8] = "";
            return strlen(b);
        }
        """,
    ),
    Pair(
        "same-condition-twice",
        """
        int f(int n) {
            int x;
            if (n > 1) x = 1;
            if (n > 0) return x;  // ! uninitialised
            return 0;
        }
        """,
        """
        int f(int n) {
            int x;
            if (n > 0) x = 1;
            if (n > 1) return x;
            return 0;
        }
        """,
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_uninitialised(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
