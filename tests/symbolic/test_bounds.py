"""Memory is used within its bounds."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "element-behind-array",
        """
        void f(void) {
            int a[4] = {0};
            a[4] = 1;  // ! overflow-by-one
        }
        """,
        """
        void f(void) {
            int a[4] = {0};
            a[3] = 1;
        }
        """,
    ),
    Pair(
        "one-copy-behind-another",
        """
        #include <string.h>
        void f(const char *x) {
            char b[8];
            strcpy(b, x);  // ! copy-unbounded
            strcpy(b, x);  // ! copy-unbounded
        }
        """,
        """
        #include <string.h>
        void f(const char *x) {
            char b[8];
            if (strlen(x) >= sizeof b) return;
            strcpy(b, x);
            strcpy(b, x);
        }
        """,
    ),
    Pair(
        "far-behind-array",
        """
        void f(void) {
            int a[4] = {0};
            a[9] = 1;  // ! overflow-stack
        }
        """,
        """
        #define N 4
        enum { LAST = N * 2 + 1, SIZE };
        void f(void) {
            int a[SIZE] = {0};
            a[LAST] = 1;
        }
        """,
    ),
    Pair(
        "before-array",
        """
        void f(void) {
            int a[4] = {0};
            int *p = a + 2;
            p[-3] = 1;  // ! overflow-stack
        }
        """,
        """
        void f(void) {
            int a[4] = {0};
            int *p = a + 2;
            p[-2] = 1;
        }
        """,
    ),
    Pair(
        "read-behind-array",
        """
        int f(void) {
            int a[4] = {1, 2, 3, 4};
            return a[5];  // ! read-outside
        }
        """,
        """
        int f(void) {
            int a[] = {1, 2, 3, 4};
            return a[3];
        }
        """,
    ),
    Pair(
        "heap",
        """
        #include <stdlib.h>
        void f(void) {
            int *p = malloc(8);
            if (p == NULL) return;
            p[4] = 1;  // ! overflow-heap
            free(p);
        }
        """,
        """
        #include <stdlib.h>
        void f(void) {
            int *p = malloc(8 * sizeof(int));
            if (p == NULL) return;
            p[4] = 1;
            free(p);
        }
        """,
    ),
    Pair(
        "loop-one-too-far",
        """
        void f(void) {
            int a[10];
            for (int i = 0; i <= 10; i++)
                a[i] = 0;  // ! overflow-by-one
        }
        """,
        """
        void f(void) {
            int a[10];
            for (int i = 0; i < 10; i++)
                a[i] = 0;
        }
        """,
    ),
    Pair(
        "pointer-stepped-too-far",
        """
        void f(void) {
            int a[4];
            for (int *p = a; p <= a + 4; p++)
                *p = 0;  // ! overflow-by-one
        }
        """,
        """
        void f(void) {
            int a[4];
            for (int *p = a; p < a + 4; p++)
                *p = 0;
        }
        """,
    ),
    Pair(
        "text-without-room-for-its-end",
        """
        #include <stdlib.h>
        #include <string.h>
        char *f(const char *s) {
            char *p = malloc(strlen(s));
            if (!p) return NULL;
            strcpy(p, s);  // ! overflow-by-one
            return p;
        }
        """,
        """
        #include <stdlib.h>
        #include <string.h>
        char *f(const char *s) {
            char *p = malloc(strlen(s) + 1);
            if (!p) return NULL;
            strcpy(p, s);
            return p;
        }
        """,
    ),
    Pair(
        "copy-of-any-text",
        """
        #include <string.h>
        void f(const char *s) {
            char b[16];
            strcpy(b, s);  // ! copy-unbounded
        }
        """,
        """
        #include <string.h>
        void f(const char *s) {
            char b[16];
            if (strlen(s) >= sizeof b) return;
            strcpy(b, s);
        }
        """,
    ),
    Pair(
        "joined-texts",
        """
        #include <string.h>
        void f(void) {
            char b[8] = "abcd";
            strcat(b, "efgh");  // ! overflow-by-one
        }
        """,
        """
        #include <string.h>
        void f(void) {
            char b[9] = "abcd";
            strcat(b, "efgh");
        }
        """,
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_bounds(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
