"""Memory that was released is neither used nor released again."""

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
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_released(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
