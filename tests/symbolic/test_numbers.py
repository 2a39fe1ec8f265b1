"""Arithmetic stays within types: overflow, underflow, truncation, division."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "division-by-parameter",
        """
        int f(int a, int b) {
            return a / b;  // ! division
        }
        """,
        """
        int f(int a, int b) {
            return b > 0 ? a / b : 0;
        }
        """,
    ),
    Pair(
        "division-by-zero",
        """
        #define NONE 0
        int f(int a) {
            return a % NONE;  // ! division
        }
        """,
        """
        #define SOME (1 << 3)
        int f(int a) {
            return a % SOME;
        }
        """,
    ),
    Pair(
        "division-by-difference",
        """
        int f(int a, int b) {
            return 100 / (a - b);  // ! division
        }
        """,
        """
        int f(int a, int b) {
            if (a == b) return 0;
            return 100 / (a - b);
        }
        """,
    ),
    Pair(
        "product-of-input",
        """
        #include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) {
            if (argc < 2) return 1;
            int n = atoi(argv[1]);
            printf("%d", n * 365);  // ! arithmetic-overflow
            return 0;
        }
        """,
        """
        #include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) {
            if (argc < 2) return 1;
            int n = atoi(argv[1]);
            if (n < 0 || n > 99) return 1;
            printf("%d", n * 365);
            return 0;
        }
        """,
    ),
    Pair(
        "size-that-wraps",
        """
        #include <stdlib.h>
        void *f(unsigned w, unsigned h) {
            return malloc(w * h);  // ! allocation-overflow
        }
        """,
        """
        #include <stdlib.h>
        void *f(unsigned w, unsigned h) {
            return calloc(w, h);
        }
        """,
    ),
    Pair(
        "difference-of-sizes",
        """
        #include <string.h>
        void f(char *to, const char *from, size_t n) {
            memcpy(to, from, n - 4);  // ! underflow
        }
        """,
        """
        #include <string.h>
        void f(char *to, const char *from, size_t n) {
            if (n <= 4) return;
            memcpy(to, from, n - 4);
        }
        """,
    ),
    Pair(
        "length-in-a-byte",
        """
        #include <string.h>
        int f(const char *s) {
            unsigned char n = strlen(s);  // ! truncation
            return n;
        }
        """,
        """
        #include <string.h>
        int f(const char *s) {
            if (strlen(s) > 255) return -1;
            unsigned char n = strlen(s);
            return n;
        }
        """,
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_numbers(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
