"""Locks are released, acquired once, and always in the same order."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "kept-on-one-way",
        """
        #include <pthread.h>
        static pthread_mutex_t m;
        static int total;
        int f(int n) {
            pthread_mutex_lock(&m);  // ! lock-kept
            if (n < 0)
                return -1;
            total += n;
            pthread_mutex_unlock(&m);
            return 0;
        }
        """,
        """
        #include <pthread.h>
        static pthread_mutex_t m;
        static int total;
        int f(int n) {
            if (n < 0)
                return -1;
            pthread_mutex_lock(&m);
            total += n;
            pthread_mutex_unlock(&m);
            return 0;
        }
        """,
    ),
    Pair(
        "taken-by-the-called",
        """
        #include <pthread.h>
        static pthread_mutex_t m;
        static void inner(void) {
            pthread_mutex_lock(&m);  // ! lock-twice
            pthread_mutex_unlock(&m);
        }
        void f(void) {
            pthread_mutex_lock(&m);
            inner();
            pthread_mutex_unlock(&m);
        }
        """,
        """
        #include <pthread.h>
        static pthread_mutex_t m;
        static void inner(void) {
            pthread_mutex_lock(&m);
            pthread_mutex_unlock(&m);
        }
        void f(void) {
            pthread_mutex_lock(&m);
            pthread_mutex_unlock(&m);
            inner();
        }
        """,
    ),
    Pair(
        "two-orders",
        """
        #include <pthread.h>
        static pthread_mutex_t a, b;
        void f(void) {
            pthread_mutex_lock(&a);
            pthread_mutex_lock(&b);
            pthread_mutex_unlock(&b);
            pthread_mutex_unlock(&a);
        }
        void g(void) {
            pthread_mutex_lock(&b);
            pthread_mutex_lock(&a);  // ! lock-order
            pthread_mutex_unlock(&a);
            pthread_mutex_unlock(&b);
        }
        """,
        """
        #include <pthread.h>
        static pthread_mutex_t a, b;
        void f(void) {
            pthread_mutex_lock(&a);
            pthread_mutex_lock(&b);
            pthread_mutex_unlock(&b);
            pthread_mutex_unlock(&a);
        }
        void g(void) {
            pthread_mutex_lock(&b);
            pthread_mutex_unlock(&b);
            pthread_mutex_lock(&a);
            pthread_mutex_unlock(&a);
        }
        """,
    ),
    Pair(
        "guard",
        """
        #include <mutex>
        static std::mutex m;
        void f() {
            std::lock_guard<std::mutex> one(m);
            std::lock_guard<std::mutex> two(m);  // ! lock-twice
        }
        """,
        """
        #include <mutex>
        static std::mutex m;
        void f() {
            { std::lock_guard<std::mutex> one(m); }
            { std::lock_guard<std::mutex> two(m); }
        }
        """,
        "cpp",
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_locks(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
