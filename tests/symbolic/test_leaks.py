"""Acquired resources are released on all paths, unless other code owns them."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "memory-on-one-way",
        """
        #include <stdlib.h>
        int f(int n) {
            char *p = malloc(8);  // ! memory-leak
            if (!p) return -1;
            if (n < 0)
                return -1;
            free(p);
            return 0;
        }
        """,
        """
        #include <stdlib.h>
        int f(int n) {
            char *p = malloc(8);
            int result = -1;
            if (!p) return result;
            if (n < 0)
                goto end;
            result = 0;
        end:
            free(p);
            return result;
        }
        """,
    ),
    Pair(
        "overwritten",
        """
        #include <stdlib.h>
        void f(void) {
            char *p = malloc(8);  // ! memory-leak
            p = malloc(9);
            free(p);
        }
        """,
        """
        #include <stdlib.h>
        void f(void) {
            char *p = malloc(8);
            free(p);
            p = malloc(9);
            free(p);
        }
        """,
    ),
    Pair(
        "whole-without-its-part",
        """
        #include <stdlib.h>
        struct box { char *text; };
        struct box *f(void) {
            struct box *b = malloc(sizeof *b);  // ! memory-leak
            if (!b) return NULL;
            b->text = malloc(8);
            if (!b->text)
                return NULL;
            return b;
        }
        """,
        """
        #include <stdlib.h>
        struct box { char *text; };
        struct box *f(void) {
            struct box *b = malloc(sizeof *b);
            if (!b) return NULL;
            b->text = malloc(8);
            if (!b->text) {
                free(b);
                return NULL;
            }
            return b;
        }
        """,
    ),
    Pair(
        "kept-by-somebody",
        """
        #include <stdlib.h>
        struct node { struct node *next; };
        void f(struct node **list) {
            struct node *n = malloc(sizeof *n);  // ! memory-leak
            if (!n) return;
            n->next = *list;
        }
        """,
        """
        #include <stdlib.h>
        struct node { struct node *next; };
        void f(struct node **list) {
            struct node *n = malloc(sizeof *n);
            if (!n) return;
            n->next = *list;
            *list = n;
        }
        """,
    ),
    Pair(
        "realloc-to-itself",
        """
        #include <stdlib.h>
        int f(void) {
            char *p = malloc(8);
            if (!p) return -1;
            p = realloc(p, 16);  // ! realloc-leak
            if (!p) return -1;
            free(p);
            return 0;
        }
        """,
        """
        #include <stdlib.h>
        int f(void) {
            char *p = malloc(8);
            if (!p) return -1;
            char *q = realloc(p, 16);
            if (!q) {
                free(p);
                return -1;
            }
            free(q);
            return 0;
        }
        """,
    ),
    Pair(
        "file",
        """
        #include <stdio.h>
        int f(const char *name) {
            FILE *file = fopen(name, "r");  // ! resource-leak
            if (!file) return -1;
            if (fgetc(file) == '#')
                return 1;
            fclose(file);
            return 0;
        }
        """,
        """
        #include <stdio.h>
        int f(const char *name) {
            FILE *file = fopen(name, "r");
            if (!file) return -1;
            int found = fgetc(file) == '#';
            fclose(file);
            return found;
        }
        """,
    ),
    Pair(
        "descriptor",
        """
        #include <fcntl.h>
        #include <unistd.h>
        int f(const char *name) {
            char b[4];
            int fd = open(name, O_RDONLY);  // ! resource-leak
            if (fd < 0) return -1;
            if (read(fd, b, 4) != 4)
                return -1;
            close(fd);
            return 0;
        }
        """,
        """
        #include <fcntl.h>
        #include <unistd.h>
        int f(const char *name) {
            char b[4];
            int fd = open(name, O_RDONLY);
            if (fd < 0) return -1;
            int result = read(fd, b, 4) == 4 ? 0 : -1;
            close(fd);
            return result;
        }
        """,
    ),
    Pair(
        "exception",
        """
        void work(int n);
        void f(int n) {
            int *p = new int[4];  // ! memory-leak
            if (n < 0)
                throw 1;
            delete[] p;
        }
        """,
        """
        #include <memory>
        void work(int n);
        void f(int n) {
            auto p = std::make_unique<int[]>(4);
            if (n < 0)
                throw 1;
        }
        """,
        "cpp",
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_leaks(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
