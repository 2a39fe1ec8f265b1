"""Differences that no number of examples settles, and those that examples do."""

from __future__ import annotations

import ast

import pytest

from codeintel.verification.execution.inside.beyond import settled_by_nothing

SETTLED_BY_NOTHING = {
    "results are kept": ("def f(x): return [x]", "@lru_cache\ndef f(x): return [x]"),
    "the other end": ("def f(q): return q.pop(0)", "def f(q): return q.pop()"),
    "the other end of a deque": ("def f(q): return q.popleft()", "def f(q): return q.pop()"),
    "the smallest": ("def f(q): return q.pop(0)", "def f(q): return heappop(q)"),
    "a keyword is gone": (
        "def f(x): return x.quantize(C, rounding=H)",
        "def f(x): return x.quantize(C)",
    ),
    "another keyword": (
        "def f(x): return sorted(x, key=k)",
        "def f(x): return sorted(x, reverse=k)",
    ),
    "an exception ends the loop": (
        "def f(x):\n for v in x:\n  try: g(v)\n  except E: pass",
        "def f(x):\n try:\n  for v in x: g(v)\n except E: pass",
    ),
    "suppress around the loop": (
        "def f(x):\n for v in x:\n  with suppress(E): g(v)",
        "def f(x):\n with suppress(E):\n  for v in x: g(v)",
    ),
    "another exception": (
        "def f(x):\n try: g(x)\n except KeyError: pass",
        "def f(x):\n try: g(x)\n except LookupError: pass",
    ),
    "empty for None": (
        "def f(x): return 0 if x is None else 1",
        "def f(x): return 0 if not x else 1",
    ),
    "None and empty": (
        "def f(x):\n v = g(x)\n return v if v is not None else 0",
        "def f(x):\n v = g(x)\n if v is None: v = 0\n return v if v else 0",
    ),
}
EXAMPLES = {
    "a comprehension": (
        "def f(x):\n r = []\n for v in x:\n  r.append(v)\n return r",
        "def f(x): return [v for v in x]",
    ),
    "deque for a list, the same end": ("def f(q): return q.pop(0)", "def f(q): return q.popleft()"),
    "the last by its number": ("def f(q): return q.pop(-1)", "def f(q): return q.pop()"),
    "a key of a mapping": ("def f(d, k): return d.pop(k)", "def f(d, k): return d.pop(k, 1)"),
    "suppress for try": (
        "def f(x):\n try: g(x)\n except E: pass",
        "def f(x):\n with suppress(E): g(x)",
    ),
    "the same keywords": (
        "def f(x): return sorted(x, key=k)",
        "def f(x):\n y = sorted(x, key=k)\n return y",
    ),
    "None is tested in both": (
        "def f(x): return 0 if x is None else 1",
        "def f(x):\n if x is not None: return 1\n return 0",
    ),
}


def functions(code: str) -> list[ast.AST]:
    return list(ast.parse(code).body)


@pytest.mark.parametrize("name", SETTLED_BY_NOTHING)
def test_what_examples_do_not_settle(name: str) -> None:
    one, other = map(functions, SETTLED_BY_NOTHING[name])
    assert settled_by_nothing(one, other)
    assert settled_by_nothing(other, one)


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_examples_may_settle(name: str) -> None:
    one, other = map(functions, EXAMPLES[name])
    assert not settled_by_nothing(one, other)
    assert not settled_by_nothing(one, one)
