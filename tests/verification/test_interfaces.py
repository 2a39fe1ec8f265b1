"""What callers may use stays as it is."""

from __future__ import annotations

import pytest

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.interfaces import compare, public_names

PASSED, FAILED = CheckStatus.PASSED, CheckStatus.FAILED
UNDECIDED = CheckStatus.NOT_APPLICABLE


def compared(before: str, after: str, by_model: bool = True) -> Evidence:
    return compare(
        Comparison(
            before=before, after=after, language="python", target="python", by_model=by_model
        )
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(a, b=1): return a\n", "def f(a: int, b: int = 1) -> int:\n    return a + 0\n"),
        ("class A(object): pass\n", "class A: pass\n"),
        ("class E(IOError): pass\n", "class E(OSError): pass\n"),
        ("f = lambda a, *b: a\n", "def f(a, *b):\n    return a\n"),
        ("def f(a=dict()): pass\n", "def f(a={}): pass\n"),
        ("def f(a=1_000): pass\n", "def f(a=1000): pass\n"),
        ("import os, sys\ndef f(): pass\n", "def f(): pass\n"),
        ("from typing import List\nx = 1\n", "x = 1\n"),
        ("def f(): pass\ndef _g(): pass\n", "def f(): pass\ndef _h(): pass\n"),
        ("def f(): pass\n", "def f(): pass\ndef _new(): pass\n"),
        (
            "import collections\nP = collections.namedtuple('P', 'x')\n",
            "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n",
        ),
        (
            "class A:\n    def __init__(self): self.x = 1\n",
            "class A:\n    def __init__(self):\n        self.x = 1\n        self._y = 2\n",
        ),
        ("for i in y:\n    x = i\n", "for j in y:\n    x = j\n"),
        (
            "x = 1\nif __name__ == '__main__':\n    y = 2\n",
            "x = 1\nif __name__ == '__main__': f()\n",
        ),
        (
            "import functools\n@functools.lru_cache(maxsize=None)\ndef f(): pass\n",
            "import functools\n@functools.cache\ndef f(): pass\n",
        ),
        ("@overload\ndef f(a: int): ...\ndef f(a): pass\n", "def f(a): pass\n"),
    ],
)
def test_the_same_interface(before: str, after: str) -> None:
    evidence = compared(before, after)
    assert evidence.status is PASSED, evidence.text
    assert "public name" in evidence.text


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("def f(): pass\nx = 1\n", "x = 1\n", "`f`"),
        ("def f(a): pass\n", "def f(b): pass\n", "`f`"),
        ("def f(a): pass\n", "def f(a=1): pass\n", "`f`"),
        ("def f(a=1): pass\n", "def f(a=2): pass\n", "`f`"),
        ("def f(a=1): pass\n", "def f(a=True): pass\n", "`f`"),
        ("def f(a, b): pass\n", "def f(a, *, b): pass\n", "`f`"),
        ("def f(a, b): pass\n", "def f(a, /, b): pass\n", "`f`"),
        ("def f(a, *b): pass\n", "def f(a, *b, **c): pass\n", "`f`"),
        ("def f(): pass\n", "async def f(): pass\n", "`f`"),
        ("def f(): pass\n", "class f: pass\n", "`f`"),
        ("class A(B): pass\n", "class A: pass\n", "`A`"),
        ("class A:\n    def f(self): pass\n", "class A: pass\n", "`A.f`"),
        (
            "class A:\n    def f(self): pass\n",
            "class A:\n    @property\n    def f(self): pass\n",
            "`A.f`",
        ),
        (
            "class A:\n    @staticmethod\n    def f(x): pass\n",
            "class A:\n    def f(x): pass\n",
            "`A.f`",
        ),
        (
            "class A:\n    def __init__(self): self.x = 1\n",
            "class A:\n    def __init__(self): self.y = 1\n",
            "`A.x`",
        ),
        ("class A:\n    class B:\n        z = 1\n", "class A:\n    class B: pass\n", "`A.B.z`"),
        (
            "@dataclass\nclass A:\n    x: int\n    y: int\n",
            "@dataclass\nclass A:\n    y: int\n    x: int\n",
            "`A`",
        ),
        (
            "@dataclass\nclass A:\n    x: int\n",
            "@dataclass(frozen=True)\nclass A:\n    x: int\n",
            "`A`",
        ),
        ("LIMIT = 1\nx = 2\n", "x = 2\n", "`LIMIT`"),
        ("__all__ = ['a', 'b']\na = b = 1\n", "__all__ = ['a']\na = b = 1\n", "`__all__`"),
        ("__all__ = ['_a']\n_a = 1\n", "__all__ = ['_a']\n", "`_a`"),
        ("from .core import run\nx = 1\n", "x = 1\n", "`run`"),
        ("import os as os\nx = 1\n", "x = 1\n", "`os`"),
        ("class C: pass\n", "class C:\n    def __eq__(self, other): pass\n", "`C.__eq__`"),
        ("class C(B): pass\n", "class C(B):\n    x = 1\n", "`C.x`"),
        (
            "class A: pass\nclass B(A): pass\n",
            "class A: pass\nclass B(A):\n    def g(self): pass\n",
            "`B.g`",
        ),
        ("if x:\n    def f(): pass\nelse:\n    def f(a): pass\n", "def f(): pass\n", "`f`"),
        ("try:\n    import json5\nexcept ImportError:\n    json5 = None\n", "x = 1\n", "`json5`"),
    ],
)
def test_another_interface(before: str, after: str, named: str) -> None:
    evidence = compared(before, after)
    assert evidence.status is FAILED, evidence.text
    assert named in evidence.text


@pytest.mark.parametrize("by_model", [False, True])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(): pass\n", "def f(): pass\ndef g(): pass\n"),
        ("def f(): return 5\n", "LIMIT = 5\ndef f(): return LIMIT\n"),
        ("class C: pass\n", "class C:\n    x = 1\n"),
    ],
)
def test_names_may_be_added(before: str, after: str, by_model: bool) -> None:
    evidence = compared(before, after, by_model=by_model)
    assert evidence.status is PASSED, evidence.text
    assert "1 new" in evidence.text


def test_a_rule_may_add_what_python_calls() -> None:
    after = "class C:\n    def __eq__(self, other): pass\n"
    assert compared("class C: pass\n", after, by_model=False).status is PASSED


def test_what_cannot_be_compared() -> None:
    assert compared("f()\n", "f()\n").status is UNDECIDED
    assert compared("x = (", "x = 1").status is UNDECIDED
    assert compared("x = 1", "x = (").status is UNDECIDED
    languages = Comparison(
        before="x = 1", after="var x = 1", language="python", target="javascript"
    )
    assert compare(languages).status is UNDECIDED
    assert public_names("p { color: red }", "css") is None


def test_deep_and_long_code() -> None:
    code = (
        "class A:\n"
        + "".join(f"{'  ' * n}class B{n}:\n" for n in range(1, 90))
        + " " * 200
        + "x = 1\n"
    )
    assert compared(code, code).status is PASSED


def test_types_of_typescript_count_unless_they_are_taken_away() -> None:
    typed = "export interface A { x: number }\nexport const f = (a: A) => a;\n"
    plain = "export const f = (a) => a;\n"
    kept = Comparison(before=typed, after=typed, language="typescript", target="typescript")
    assert compare(kept).status is PASSED
    lost = Comparison(before=typed, after=plain, language="typescript", target="typescript")
    assert compare(lost).status is FAILED
    taken = Comparison(before=typed, after=plain, language="typescript", target="javascript")
    assert compare(taken).status is PASSED
    broken = Comparison(before=typed, after="f(1);", language="typescript", target="javascript")
    assert compare(broken).status is FAILED
