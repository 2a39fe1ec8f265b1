"""What was released, has ended or was moved is not used again, and is released as it was made."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "use-after-free",
        """
        #include <stdlib.h>
        int f(int *p) {
            free(p);
            return *p;  // ! use-after-free
        }
        """,
        """
        #include <stdlib.h>
        int f(int *p) {
            int kept = *p;
            free(p);
            return kept;
        }
        """,
    ),
    Pair(
        "use-after-free-on-one-way",
        """
        #include <stdlib.h>
        void f(char *p, int broken) {
            if (broken)
                free(p);
            p[0] = 1;  // ! use-after-free
        }
        """,
        """
        #include <stdlib.h>
        void f(char *p, int broken) {
            if (broken) {
                free(p);
                return;
            }
            p[0] = 1;
        }
        """,
    ),
    Pair(
        "released-by-own-function",
        """
        #include <stdlib.h>
        struct box { int value; };
        static void drop(struct box *b) { free(b); }
        int f(struct box *b) {
            drop(b);
            return b->value;  // ! use-after-free
        }
        """,
        """
        #include <stdlib.h>
        struct box { int value; };
        static void drop(struct box *b) { b->value = 0; }
        int f(struct box *b) {
            drop(b);
            return b->value;
        }
        """,
    ),
    Pair(
        "list",
        """
        #include <stdlib.h>
        struct node { struct node *next; };
        void f(struct node *n) {
            while (n) {
                free(n);
                n = n->next;  // ! use-after-free
            }
        }
        """,
        """
        #include <stdlib.h>
        struct node { struct node *next; };
        void f(struct node *n) {
            while (n) {
                struct node *next = n->next;
                free(n);
                n = next;
            }
        }
        """,
    ),
    Pair(
        "double-free",
        """
        #include <stdlib.h>
        void f(char *p, int n) {
            if (n < 0)
                free(p);
            free(p);  // ! double-free
        }
        """,
        """
        #include <stdlib.h>
        void f(char *p, int n) {
            if (n < 0) {
                free(p);
                p = NULL;
            }
            free(p);
        }
        """,
    ),
    Pair(
        "double-free-by-label",
        """
        #include <stdlib.h>
        int f(int n) {
            char *p = malloc(4);
            if (!p) return 1;
            if (n) {
                free(p);
                goto end;
            }
        end:
            free(p);  // ! double-free
            return 0;
        }
        """,
        """
        #include <stdlib.h>
        int f(int n) {
            char *p = malloc(4);
            if (!p) return 1;
            if (n)
                goto end;
        end:
            free(p);
            return 0;
        }
        """,
    ),
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
def test_released(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
