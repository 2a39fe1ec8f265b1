"""Wrong rewrites whose results only look alike until a caller uses them: no run proves them."""

from __future__ import annotations

import pytest
from execution_samples import a_sandbox, outcome

from codeintel.contracts import CheckStatus

HEAD = """
import functools, hashlib, io, operator, types
from collections import defaultdict, deque
class Box:
    def __init__(self, number: int) -> None:
        self._number = number
    def get(self) -> int:
        return self._number
def _add(a: int, b: int) -> int:
    return a + b
def _sub(a: int, b: int) -> int:
    return a - b
"""
WRONG = {
    "a lambda's body": ("def f(n: int):\n    return lambda x: x * n\n", "x * n", "x + n"),
    "lambdas in a table": (
        "def f(n: int):\n    return {'sub': lambda x: x - n}\n",
        "x - n",
        "n - x",
    ),
    "a variable that is bound late": (
        "def f(ns: list[int]):\n    return [lambda x, n=n: x + n for n in ns]\n",
        "x, n=n",
        "x",
    ),
    "a default of a nested function": (
        "def f(n: int):\n    def g(x: int = n) -> int:\n        return x\n    g(3)\n    return g\n",
        "= n",
        "= n + 1",
    ),
    "another built-in function": (
        "def f(big: bool):\n    return max if big else min\n",
        "max if big else min",
        "min if big else max",
    ),
    "another private function": (
        "def f(op: str):\n    return _add if op == '+' else _sub\n",
        "_add if op == '+' else _sub",
        "_sub if op == '+' else _add",
    ),
    "another item": ("def f(n: int):\n    return operator.itemgetter(n)\n", "(n)", "(n + 1)"),
    "another given argument": (
        "def f(n: int):\n    return functools.partial(str.rjust, n)\n",
        "rjust, n",
        "rjust, n + 1",
    ),
    "another text in a buffer": (
        "def f(n: int):\n    out = io.StringIO()\n    out.write(str(n))\n    return out\n",
        "str(n)",
        "str(n + 1)",
    ),
    "another value behind a proxy": (
        "def f(n: int):\n    return types.MappingProxyType({'n': n})\n",
        "'n': n",
        "'n': n + 1",
    ),
    "another hash": (
        "def f(data: bytes):\n    found = hashlib.sha256()\n    found.update(data)\n"
        "    return found\n",
        "update(data)",
        "update(data + data)",
    ),
    "another private attribute": ("def f(n: int) -> Box:\n    return Box(n)\n", "(n)", "(n + 1)"),
    "a changed private attribute": (
        "def f(box: Box) -> None:\n    box._number += 1\n",
        "+= 1",
        "+= 2",
    ),
    "another error as a value": (
        "def f(n: int):\n    return ValueError(n) if n < 0 else None\n",
        "(n)",
        "(n + 1)",
    ),
    "another value at the end of a generator": (
        "def f(n: int):\n    yield n\n    return n\n",
        "return n",
        "return n + 1",
    ),
    "another default of a dictionary": (
        "def f():\n    return defaultdict(int)\n",
        "int",
        "list",
    ),
    "one value more of an iterator": (
        "def f(xs):\n    out = []\n    for i, x in enumerate(xs):\n"
        "        if i == 3:\n            break\n        out.append(x)\n    return out\n",
        "        if i == 3:\n            break\n        out.append(x)\n",
        "        out.append(x)\n        if i == 2:\n            break\n",
    ),
    "another length of a queue": (
        "def f(xs: list[int]):\n    return deque(xs, maxlen=100)\n",
        "100",
        "101",
    ),
}
RIGHT = {
    "a key": (
        "def f(xs: list[str]) -> list[str]:\n    return sorted(xs, key=lambda x: (len(x), x))\n",
        "    return sorted(xs, key=lambda x: (len(x), x))",
        "    found = sorted(xs, key=lambda each: (len(each), each))\n    return found",
    ),
    "the same private attribute": (
        "def f(n: int) -> Box:\n    return Box(n + 1)\n",
        "    return Box(n + 1)",
        "    number = n + 1\n    return Box(number)",
    ),
    "the same text in a buffer": (
        "def f(xs: list[str]):\n    out = io.StringIO()\n    for x in xs:\n"
        "        out.write(x)\n    return out\n",
        "        out.write(x)",
        "        text = x\n        out.write(text)",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_caller_notices_later_is_not_proven(name: str) -> None:
    code, old, new = WRONG[name]
    assert code.count(old) == 1
    before, after = HEAD + code, HEAD + code.replace(old, new)
    for one, other in ((before, after), (after, before)):
        found = outcome(a_sandbox(), one, other)
        assert not (found.status is CheckStatus.PASSED and found.conclusive), found.text


@pytest.mark.parametrize("name", RIGHT)
def test_what_no_caller_notices_is_proven(name: str) -> None:
    code, old, new = RIGHT[name]
    assert code.count(old) == 1
    found = outcome(a_sandbox(), HEAD + code, HEAD + code.replace(old, new))
    assert found.status is CheckStatus.PASSED
    assert found.conclusive, found.text
