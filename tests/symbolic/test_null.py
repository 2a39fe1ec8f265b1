"""Addresses that may be null are not used before that was asked."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "allocation-unchecked",
        """
        #include <stdlib.h>
        void f(void) {
            int *p = malloc(8);
            p[0] = 1;  // ! null-unchecked
            free(p);
        }
        """,
        """
        #include <stdlib.h>
        void f(void) {
            int *p = malloc(8);
            if (p) {
                p[0] = 1;
                free(p);
            }
        }
        """,
    ),
    Pair(
        "search-unchecked",
        """
        #include <string.h>
        void f(char *s) {
            char *end = strchr(s, ':');
            *end = 0;  // ! null-unchecked
        }
        """,
        """
        #include <string.h>
        void f(char *s) {
            char *end = strchr(s, ':');
            if (end != NULL)
                *end = 0;
        }
        """,
    ),
    Pair(
        "null-for-sure",
        """
        int f(int *p) {
            if (p == 0)
                return *p;  // ! null-dereference
            return 0;
        }
        """,
        """
        int f(int *p) {
            if (p == 0)
                return 0;
            return *p;
        }
        """,
    ),
    Pair(
        "asked-too-late",
        """
        struct box { int value; };
        int f(struct box *b) {
            int value = b->value;  // ! null-check-late
            if (!b)
                return 0;
            return value;
        }
        """,
        """
        struct box { int value; };
        int f(struct box *b) {
            if (!b)
                return 0;
            int value = b->value;
            return value;
        }
        """,
    ),
    Pair(
        "asserted",
        """
        #include <assert.h>
        #include <stdlib.h>
        void f(void) {
            int *p = calloc(1, 4);
            *p = 1;  // ! null-unchecked
            free(p);
        }
        """,
        """
        #include <assert.h>
        #include <stdlib.h>
        void f(void) {
            int *p = calloc(1, 4);
            assert(p != NULL);
            *p = 1;
            free(p);
        }
        """,
    ),
    Pair(
        "either-of-two",
        """
        #include <stdlib.h>
        int f(void) {
            int *a = malloc(4), *b = malloc(4);
            if (!a && !b) return 1;
            *a = 1;  // ! null-dereference
            *b = 2;  // ! null-unchecked
            free(a);
            free(b);
            return 0;
        }
        """,
        """
        #include <stdlib.h>
        int f(void) {
            int *a = malloc(4), *b = malloc(4);
            if (!a || !b) {
                free(a);
                free(b);
                return 1;
            }
            *a = 1;
            *b = 2;
            free(a);
            free(b);
            return 0;
        }
        """,
    ),
    Pair(
        "cast-that-may-fail",
        """
        struct A { virtual ~A(); };
        struct B : A { int value; };
        int f(A *a) {
            B *b = dynamic_cast<B *>(a);
            return b->value;  // ! null-unchecked
        }
        """,
        """
        struct A { virtual ~A(); };
        struct B : A { int value; };
        int f(A *a) {
            B *b = dynamic_cast<B *>(a);
            return b ? b->value : 0;
        }
        """,
        "cpp",
    ),
    Pair(
        "new-that-does-not-throw",
        """
        #include <new>
        void f() {
            int *p = new (std::nothrow) int(1);
            *p = 2;  // ! null-unchecked
            delete p;
        }
        """,
        """
        void f() {
            int *p = new int(1);
            *p = 2;
            delete p;
        }
        """,
        "cpp",
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_null(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
