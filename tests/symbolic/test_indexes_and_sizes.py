"""Untrusted indexes and sizes are checked before they are used."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "index-from-caller",
        """
        static int table[20];
        int f(int n) {
            return table[n];  // ! index-unchecked
        }
        """,
        """
        static int table[20];
        int f(unsigned n) {
            return table[n % 20];
        }
        """,
    ),
    Pair(
        "index-checked-from-above-only",
        """
        static int table[20];
        int f(int n) {
            if (n >= 20) return 0;
            return table[n];  // ! index-negative
        }
        """,
        """
        static int table[20];
        int f(unsigned n) {
            if (n >= 20) return 0;
            return table[n];
        }
        """,
    ),
    Pair(
        "failure-as-index",
        """
        #include <unistd.h>
        void f(int fd) {
            char b[16];
            int n = read(fd, b, sizeof b - 1);
            b[n] = 0;  // ! failure-as-index
        }
        """,
        """
        #include <unistd.h>
        void f(int fd) {
            char b[16];
            int n = read(fd, b, sizeof b - 1);
            if (n < 0) return;
            b[n] = 0;
        }
        """,
    ),
    Pair(
        "size-from-caller",
        """
        #include <string.h>
        void f(const char *s, size_t n) {
            char b[16];
            memcpy(b, s, n);  // ! size-unchecked
        }
        """,
        """
        #include <string.h>
        void f(const char *s, size_t n) {
            char b[16];
            if (n > sizeof b) n = sizeof b;
            memcpy(b, s, n);
        }
        """,
    ),
    Pair(
        "size-checked-from-above-only",
        """
        #include <string.h>
        void f(const char *s, int n) {
            char b[16];
            if (n > 16) return;
            memcpy(b, s, n);  // ! size-negative
        }
        """,
        """
        #include <string.h>
        void f(const char *s, int n) {
            char b[16];
            if (n < 0 || n > 16) return;
            memcpy(b, s, n);
        }
        """,
    ),
    Pair(
        "field-of-structure",
        """
        struct pair { char name[4]; int value; };
        void f(struct pair *p) {
            p->name[4] = 0;  // ! overflow-by-one
        }
        """,
        """
        struct pair { char name[4]; int value; };
        void f(struct pair *p) {
            p->name[3] = 0;
        }
        """,
    ),
    Pair(
        "array-of-any-size-on-the-stack",
        """
        #include <string.h>
        void f(unsigned n) {
            char b[n];  // ! stack-unbounded
            memset(b, 0, n);
        }
        """,
        """
        #include <string.h>
        void f(unsigned n) {
            if (n > 256) return;
            char b[n];
            memset(b, 0, n);
        }
        """,
    ),
    Pair(
        "size-of-pointer",
        """
        #include <string.h>
        void f(char *p) {
            memset(p, 0, sizeof(p));  // ! size-of-pointer
        }
        """,
        """
        #include <string.h>
        void f(void) {
            char p[8];
            memset(p, 0, sizeof(p));
        }
        """,
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_indexes_and_sizes(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
