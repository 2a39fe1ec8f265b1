"""Which Python programs have one normal form, and which must not."""

from __future__ import annotations

from pathlib import Path

import pytest
from normal_form_mutants import mutants

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence import normal_form, same_meaning
from codeintel.engine.equivalence.comparison import Comparison, Evidence

PROGRAMS = Path(__file__).parent.parent / "transformations" / "python" / "programs"


def compared(before: str, after: str) -> Evidence:
    return same_meaning.compare(
        Comparison(before=before, after=after, language="python", target="python")
    )


SAME = {
    "annotations": (
        "from typing import List, Optional\ndef f(a: Optional[List[int]]): g(a)",
        "def f(a: list[int] | None): g(a)",
    ),
    "not in": ("f(not a in b)", "f(a not in b)"),
    "is None": ("def f(a):\n    if a == None: g()", "def f(a):\n    if a is None: g()"),
    "collections": ("a = set([1, 2]); b = dict(c=1)", "a = {1, 2}; b = {'c': 1}"),
    "percent": ("f('%s: %r' % (a, b))", "f(f'{a}: {b!r}')"),
    "format": ("f('{0}, {n:>{w}}'.format(a, n=b, w=c))", "f(f'{a}, {b:>{c}}')"),
    "super": (
        "class A(object):\n    def f(self): super(A, self).f()",
        "class A:\n    def f(self): super().f()",
    ),
    "open": ("from io import open\nopen(a, 'r')", "open(a)"),
    "errors": ("try: f()\nexcept IOError: g()", "try: f()\nexcept OSError: g()"),
    "returns": (
        "def f(a):\n    if a > 1:\n        return True\n    else:\n        return False",
        "def f(a):\n    return a > 1",
    ),
    "two returns": (
        "def f(a, b):\n    if a:\n        return False\n    if b in a:\n        return False\n"
        "    return True",
        "def f(a, b):\n    if a:\n        return False\n    return b not in a",
    ),
    "end of a function": (
        "def f(a):\n    if a: return 1",
        "def f(a):\n    if a: return 1\n    return None",
    ),
    "nested": ("if a:\n    if b: f()", "if a and b: f()"),
    "contexts": ("with a as x:\n    with b: f(x)", "with a as x, b: f(x)"),
    "isinstance": ("f(isinstance(a, int) or isinstance(a, str))", "f(isinstance(a, (int, str)))"),
    "imports": (
        "import sys, os\nimport re\nos.f(re.I)",
        "import os\nimport re\nos.f(re.IGNORECASE)",
    ),
    "a list": (
        "def f(a):\n    b = []\n    for c in a:\n        if c: b.append(c + 1)\n    return b",
        "def f(a):\n    return [c + 1 for c in a if c]",
    ),
    "any": (
        "def f(a):\n    for c in a:\n        if c > 1: return True\n    return False",
        "def f(a):\n    return any(c > 1 for c in a)",
    ),
    "all": (
        "def f(a):\n    for c in a:\n        if c not in d: return False\n    return True",
        "def f(a):\n    return all(c in d for c in a)",
    ),
    "yield from": ("def f(a):\n    for c in a: yield c", "def f(a):\n    yield from a"),
    "suppress": (
        "try: f()\nexcept KeyError: pass",
        "import contextlib\nwith contextlib.suppress(KeyError): f()",
    ),
    "docstrings": (
        "def f():\n    '''  Text. \n\n      More.\n    '''",
        "def f():\n    '''Text.\n\n      More.'''",
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_what_means_the_same_has_one_form(name: str) -> None:
    before, after = SAME[name]
    if name == "docstrings":
        after = "def f():\n    '''Text.\n\n    More.'''"
    evidence = compared(before, after)
    assert evidence.status is CheckStatus.PASSED, evidence.text
    assert "statement" in evidence.text
    assert compared(after, before).status is CheckStatus.PASSED


DIFFERENT = {
    "a shadowed builtin": ("def set(a): return 1\nb = set([1])", "def set(a): return 1\nb = {1}"),
    "a class with a method of the type's name": (
        "from typing import List\nclass A:\n    def list(self): ...\n"
        "    def f(self) -> List[int]: ...",
        "class A:\n    def list(self): ...\n    def f(self) -> list[int]: ...",
    ),
    "None, where a class compares": (
        "class A:\n    def __eq__(self, o): return True\nf(a == None)",
        "class A:\n    def __eq__(self, o): return True\nf(a is None)",
    ),
    "None, beside other packages": ("import numpy\nf(a == None)", "import numpy\nf(a is None)"),
    "one value that may be a tuple": ("f('%s' % a)", "f(f'{a}')"),
    "a number that is cut": ("f('%d' % (a,))", "f(f'{a:d}')"),
    "a value that changes meanwhile": ("f('{} {}'.format(a, a.pop()))", "f(f'{a} {a.pop()}')"),
    "a value used twice": ("f('{0} {0}'.format(g()))", "f(f'{g()} {g()}')"),
    "keys of who knows what": ("def f(a, b): return a in b.keys()", "def f(a, b): return a in b"),
    "effects that any() leaves out": ("any([f(a) for a in b])", "any(f(a) for a in b)"),
    "an awaited condition": (
        "async def f(a):\n    for c in a:\n        if await c: return True\n    return False",
        "async def f(a):\n    return any(await c for c in a)",
    ),
    "a loop variable used later": (
        "def f(a):\n    b = []\n    for c in a: b.append(c)\n    return b, c",
        "def f(a):\n    b = [c for c in a]\n    return b, c",
    ),
    "a list seen while it grows": (
        "def f(a):\n    b = []\n    for c in a: b.append(len(b))\n    return b",
        "def f(a):\n    b = [len(b) for c in a]\n    return b",
    ),
    "a list seen after an error": (
        "def f(a):\n    b = []\n    try:\n        for c in a: b.append(1 / c)\n"
        "    except ValueError: g()\n"
        "    return b",
        "def f(a):\n    b = []\n    try:\n        b.extend(1 / c for c in a)\n"
        "    except ValueError: g()\n"
        "    return []",
    ),
    "super of a decorated class": (
        "@d\nclass A:\n    def f(self): super(A, self).f()",
        "@d\nclass A:\n    def f(self): super().f()",
    ),
    "super in a comprehension": (
        "class A:\n    def f(self): return [super(A, self).g(x) for x in y]",
        "class A:\n    def f(self): return [super().g(x) for x in y]",
    ),
    "what asks for its annotations": (
        "from typing import List, get_type_hints\ndef f(a: List): ...\nget_type_hints(f)",
        "from typing import List, get_type_hints\ndef f(a: list): ...\nget_type_hints(f)",
    ),
    "a quoted member of a union": (
        "from typing import Optional\ndef f(a: Optional['A']): ...",
        "def f(a: 'A' | None): ...",
    ),
    "an import that is needed": ("import os\nos.getcwd()", "os.getcwd()"),
    "an import that others take": ("import os\n__all__ = ['os']", "__all__ = ['os']"),
    "an import of another package": ("import other", ""),
    "an import with an effect": ("import readline\nf()", "f()"),
    "an import before eval": ("import os\neval(a)", "eval(a)"),
    "an order of imports that counts": (
        "from a import x\nfrom b import x\nx()",
        "from b import x\nfrom a import x\nx()",
    ),
    "an else with break": (
        "for a in b:\n    if a: break\nelse:\n    f()",
        "for a in b:\n    if a: break\nf()",
    ),
    "what a test may replace": ("import io\nio.open(a)", "open(a)"),
    "stability": ("list(reversed(sorted(a)))", "sorted(a, reverse=True)"),
    "a comparison of numbers that are none": ("f(not a < b)", "f(a >= b)"),
    "a variable read in finally": (
        "def f():\n    x = 0\n    try:\n        x = g()\n        return x\n    finally: h(x)",
        "def f():\n    x = 0\n    try:\n        return g()\n    finally: h(x)",
    ),
    "a text that becomes a docstring": ("def f():\n    pass\n    'text'", "def f():\n    'text'"),
    "a constant's type": ("a = 1", "a = True"),
    "a zero's sign": ("a = 0.0", "a = -0.0"),
    "a condition of an import": ("if a:\n    import os\nos.f()", "import os\nos.f()"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_may_mean_something_else_has_another_form(name: str) -> None:
    before, after = DIFFERENT[name]
    evidence = compared(before, after)
    assert evidence.status is CheckStatus.FAILED, evidence.text


@pytest.mark.parametrize(
    "path",
    # Of the exercises there are more in normal_form_values.
    [path for path in sorted(PROGRAMS.glob("*.py")) if path.stem != "exercises"],
    ids=lambda path: path.stem,
)
def test_no_mutant_has_the_form_of_its_program(path: Path) -> None:
    code = path.read_text(encoding="utf-8")
    form = normal_form.form(code)
    alike = [
        name
        for name, mutant in mutants(code, every=11)
        if not form.differences(normal_form.form(mutant))
    ]
    assert not alike


def test_a_form_of_equal_trees_says_so() -> None:
    evidence = compared("a=1 # one", "a = 1  # one\n")
    assert evidence.status is CheckStatus.PASSED
    assert "equal syntax trees" in evidence.text


@pytest.mark.parametrize(
    "code",
    [
        "a = " + "[" * 150 + "]" * 150,
        "a = " + "-" * 20_000 + "1",
        "a = " + "+".join(["1"] * 20_000),
        "if a:\n b\n" + "elif a:\n b\n" * 3_000,
        "a" + ".b" * 20_000,
        "\0",
        "print 'x'",
    ],
    ids=["brackets", "signs", "sum", "elif", "attributes", "zero", "old"],
)
def test_what_is_hostile_gets_an_answer(code: str) -> None:
    evidence = compared(code, code)
    assert evidence.status in {CheckStatus.PASSED, CheckStatus.NOT_APPLICABLE}


def test_other_languages_are_not_compared() -> None:
    evidence = same_meaning.compare(
        Comparison(before="a", after="a", language="ruby", target="ruby")
    )
    assert evidence.status is CheckStatus.NOT_APPLICABLE
