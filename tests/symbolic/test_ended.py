"""Closed, ended or moved values are not used again, and are released as they were created."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "file-used-after-close",
        """
        #include <stdio.h>
        void f(const char *name) {
            FILE *file = fopen(name, "r");
            if (!file) return;
            fclose(file);
            fgetc(file);  // ! use-after-close
        }
        """,
        """
        #include <stdio.h>
        void f(const char *name) {
            FILE *file = fopen(name, "r");
            if (!file) return;
            fgetc(file);
            fclose(file);
        }
        """,
    ),
    Pair(
        "file-closed-twice",
        """
        #include <stdio.h>
        void f(const char *name) {
            FILE *file = fopen(name, "r");
            if (!file) return;
            fclose(file);
            fclose(file);  // ! double-close
        }
        """,
        """
        #include <stdio.h>
        void f(const char *name) {
            FILE *file = fopen(name, "r");
            if (!file) return;
            fclose(file);
            file = fopen(name, "w");
            if (!file) return;
            fclose(file);
        }
        """,
    ),
    Pair(
        "block-has-ended",
        """
        int f(int n) {
            int *p = &n;
            {
                int inner = 3;
                p = &inner;
            }
            return *p;  // ! use-after-scope
        }
        """,
        """
        int f(int n) {
            int *p = &n;
            int inner = 3;
            {
                p = &inner;
            }
            return *p;
        }
        """,
    ),
    Pair(
        "address-of-local-returned",
        """
        char *f(void) {
            char b[4] = "abc";
            return b;  // ! stack-address
        }
        """,
        """
        char *f(void) {
            static char b[4] = "abc";
            return b;
        }
        """,
    ),
    Pair(
        "not-allocated",
        """
        #include <stdlib.h>
        void f(void) {
            char b[4] = "abc";
            free(b);  // ! free-of-non-heap
        }
        """,
        """
        #include <stdlib.h>
        #include <string.h>
        void f(void) {
            char *b = strdup("abc");
            free(b);
        }
        """,
    ),
    Pair(
        "not-the-beginning",
        """
        #include <stdlib.h>
        void f(void) {
            char *p = malloc(4);
            if (!p) return;
            p++;
            free(p);  // ! free-of-offset
        }
        """,
        """
        #include <stdlib.h>
        void f(void) {
            char *p = malloc(4);
            if (!p) return;
            p++;
            free(p - 1);
        }
        """,
    ),
    Pair(
        "new-and-delete",
        """
        void f() {
            int *p = new int[4];
            delete p;  // ! mismatched-free
        }
        """,
        """
        void f() {
            int *p = new int[4];
            delete[] p;
        }
        """,
        "cpp",
    ),
    Pair(
        "moved",
        """
        #include <string>
        #include <utility>
        void take(std::string);
        size_t f(std::string s) {
            take(std::move(s));
            return s.size();  // ! use-after-move
        }
        """,
        """
        #include <string>
        #include <utility>
        void take(std::string);
        size_t f(std::string s) {
            take(std::move(s));
            s = "new";
            return s.size();
        }
        """,
        "cpp",
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_ended(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
