"""Containers are used within their sizes, and iterators only while they are valid."""

from __future__ import annotations

import pytest
from marked_code import Pair, both, facts_by_line, marks

PAIRS = [
    Pair(
        "erased-in-loop",
        """
        #include <vector>
        void f(std::vector<int> &v) {
            for (auto it = v.begin(); it != v.end(); ++it)  // ! iterator-invalid
                if (*it == 0)
                    v.erase(it);
        }
        """,
        """
        #include <vector>
        void f(std::vector<int> &v) {
            for (auto it = v.begin(); it != v.end();)
                if (*it == 0)
                    it = v.erase(it);
                else
                    ++it;
        }
        """,
        "cpp",
    ),
    Pair(
        "grown-in-loop",
        """
        #include <vector>
        void f(std::vector<int> &v) {
            for (int x : v)
                v.push_back(x);  // ! iterator-invalid
        }
        """,
        """
        #include <vector>
        void f(std::vector<int> &v, std::vector<int> &w) {
            for (int x : v)
                w.push_back(x);
        }
        """,
        "cpp",
    ),
    Pair(
        "reference-into-it",
        """
        #include <vector>
        int f(std::vector<int> &v) {
            int &first = v[0];
            v.push_back(1);
            return first;  // ! iterator-invalid
        }
        """,
        """
        #include <vector>
        int f(std::vector<int> &v) {
            int first = v[0];
            v.push_back(1);
            return first;
        }
        """,
        "cpp",
    ),
    Pair(
        "behind-vector",
        """
        #include <vector>
        int f() {
            std::vector<int> v(4);
            return v[4];  // ! read-outside
        }
        """,
        """
        #include <vector>
        int f() {
            std::vector<int> v(4);
            v.push_back(1);
            return v[4];
        }
        """,
        "cpp",
    ),
    Pair(
        "index-from-caller",
        """
        #include <vector>
        int f(const std::vector<int> &v, size_t n) {
            return v[n];  // ! index-unchecked
        }
        """,
        """
        #include <vector>
        int f(const std::vector<int> &v, size_t n) {
            return n < v.size() ? v[n] : 0;
        }
        """,
        "cpp",
    ),
    Pair(
        "array",
        """
        #include <array>
        void f() {
            std::array<int, 4> a{};
            for (int i = 0; i <= 4; i++)
                a[i] = i;  // ! overflow-by-one
        }
        """,
        """
        #include <array>
        void f() {
            std::array<int, 4> a{};
            for (size_t i = 0; i < a.size(); i++)
                a[i] = i;
        }
        """,
        "cpp",
    ),
]


@pytest.mark.parametrize(("code", "language"), both(PAIRS))
def test_containers(code: str, language: str) -> None:
    plain, wanted = marks(code)
    assert facts_by_line(plain, language) == wanted
