"""Text has an end, and room for what is put there."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "printed-without-room",
        """
        #include <stdio.h>
        void f(int n) {
            char b[8];
            sprintf(b, "n=%d", n);  // ! overflow-stack
        }
        """,
        """
        #include <stdio.h>
        void f(int n) {
            char b[14];
            sprintf(b, "n=%d", n);
        }
        """,
    ),
    Pair(
        "hexadecimal",
        """
        #include <stdio.h>
        void f(unsigned n) {
            char b[8];
            sprintf(b, "%08x", n);  // ! overflow-by-one
        }
        """,
        """
        #include <stdio.h>
        void f(unsigned n) {
            char b[9];
            sprintf(b, "%08x", n);
        }
        """,
    ),
    Pair(
        "range-of-a-number",
        """
        #include <stdio.h>
        void f(unsigned n) {
            char b[4];
            if (n > 1000) return;
            sprintf(b, "%d", n);  // ! overflow-by-one
        }
        """,
        """
        #include <stdio.h>
        void f(unsigned n) {
            char b[4];
            if (n > 999) return;
            sprintf(b, "%d", n);
        }
        """,
    ),
    Pair(
        "text-in-a-format",
        """
        #include <stdio.h>
        void f(const char *s) {
            char b[16];
            sprintf(b, "<%s>", s);  // ! copy-unbounded
        }
        """,
        """
        #include <stdio.h>
        void f(const char *s) {
            char b[16];
            sprintf(b, "<%.13s>", s);
        }
        """,
    ),
    Pair(
        "word-read",
        """
        #include <stdio.h>
        void f(void) {
            char b[16];
            if (scanf("%16s", b) == 1)  // ! overflow-by-one
                puts(b);
        }
        """,
        """
        #include <stdio.h>
        void f(void) {
            char b[16];
            if (scanf("%15s", b) == 1)
                puts(b);
        }
        """,
    ),
    Pair(
        "word-read-without-width",
        """
        #include <stdio.h>
        void f(void) {
            char b[16];
            if (scanf("%s", b) == 1)  // ! copy-unbounded
                puts(b);
        }
        """,
        """
        #include <stdio.h>
        void f(void) {
            char b[16];
            if (fgets(b, sizeof b, stdin))
                puts(b);
        }
        """,
    ),
    Pair(
        "end-lost",
        """
        #include <stdio.h>
        #include <string.h>
        void f(const char *s) {
            char b[8];
            strncpy(b, s, sizeof b);
            puts(b);  // ! unterminated
        }
        """,
        """
        #include <stdio.h>
        #include <string.h>
        void f(const char *s) {
            char b[8];
            strncpy(b, s, sizeof b);
            b[7] = '\\0';
            puts(b);
        }
        """,
    ),
    Pair(
        "literal-without-end",
        """
        #include <stdio.h>
        void f(void) {
            char b[3] = "abc";
            puts(b);  // ! unterminated
        }
        """,
        """
        #include <stdio.h>
        void f(void) {
            char b[] = "abc";
            puts(b);
        }
        """,
    ),
    Pair(
        "bytes-read-as-text",
        """
        #include <stdio.h>
        #include <unistd.h>
        void f(int fd) {
            char b[8];
            if (read(fd, b, 8) > 0)
                puts(b);  // ! unterminated
        }
        """,
        """
        #include <stdio.h>
        #include <unistd.h>
        void f(int fd) {
            char b[8];
            ssize_t n = read(fd, b, 7);
            if (n < 0) return;
            b[n] = 0;
            puts(b);
        }
        """,
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_text(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
