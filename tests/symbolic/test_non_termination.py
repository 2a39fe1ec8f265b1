"""Loops and recursion end."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "never-stepped",
        """
        int f(const int *a, int n) {
            int i = 0, sum = 0;
            while (i < n)  // ! loop-unending
                sum += a[i];
            return sum;
        }
        """,
        """
        int f(const int *a, int n) {
            int i = 0, sum = 0;
            while (i < n)
                sum += a[i++];
            return sum;
        }
        """,
    ),
    Pair(
        "stepped-away",
        """
        int f(int n) {
            int sum = 0;
            for (int i = 0; i < n; i--)  // ! loop-unending
                sum++;
            return sum;
        }
        """,
        """
        int f(int n) {
            int sum = 0;
            for (int i = n; i > 0; i--)
                sum++;
            return sum;
        }
        """,
    ),
    Pair(
        "never-negative",
        """
        int f(unsigned n) {
            int sum = 0;
            for (unsigned i = n; i >= 0; i--)  // ! loop-unending
                sum++;
            return sum;
        }
        """,
        """
        int f(int n) {
            int sum = 0;
            for (int i = n; i >= 0; i--)
                sum++;
            return sum;
        }
        """,
    ),
    Pair(
        "skips-its-step",
        """
        int f(const int *a, int n) {
            int i = 0, sum = 0;
            while (i < n) {  // ! loop-unending
                if (a[i] == 0)
                    continue;
                sum += a[i];
                i++;
            }
            return sum;
        }
        """,
        """
        int f(const int *a, int n) {
            int i = 0, sum = 0;
            while (i < n) {
                if (a[i] == 0) {
                    i++;
                    continue;
                }
                sum += a[i];
                i++;
            }
            return sum;
        }
        """,
    ),
    Pair(
        "recursion",
        """
        int f(int n) {
            return n + f(n - 1);  // ! recursion-unending
        }
        """,
        """
        int f(int n) {
            return n <= 0 ? 0 : n + f(n - 1);
        }
        """,
    ),
    Pair(
        "left-by-its-body",
        """
        int g(int n) {
            while (n > 1)  // ! loop-unending
                ;
            return n;
        }
        """,
        """
        int next(void);
        int g(int n) {
            while (n > 1)
                if (next())
                    return n;
            return n;
        }
        """,
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_endless(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
