"""The relevant parts of a rewrite, the goals that calls must reach in it, and their inputs."""

from __future__ import annotations

import ast
import builtins
import re
from random import Random
from typing import Any

import pytest

from codeintel.engine.sandbox.behaviour import reaches_out
from codeintel.engine.sandbox.comparing import doubts
from codeintel.engine.sandbox.inside.coverage.branches import instrumented
from codeintel.engine.sandbox.inside.coverage.changes import focus, functions
from codeintel.engine.sandbox.inside.coverage.comparisons import NAME
from codeintel.engine.sandbox.inside.coverage.goals import BOUNDARY_CALLS, Goals
from codeintel.engine.sandbox.inside.coverage.sensitive import exchanged
from codeintel.engine.sandbox.inside.values.constants import around, matching, pools
from codeintel.engine.sandbox.inside.values.kinds import refined
from codeintel.engine.sandbox.inside.values.uses import shapes_in
from codeintel.engine.sandbox.records import Coverage, Record

PROGRAM = """
LIMIT = 3
def _inner(n): return n + 1
def outer(n): return _inner(n)
def other(n): return LIMIT + n
class Box:
    def __init__(self, n): self.n = n
    def more(self): return self.n + 1
def boxed(n): return Box(n).more()
def alone(n: int) -> int:
    "Text."
    return n
"""


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("return n + 1\ndef outer", "return 1 + n\ndef outer", {"_inner", "outer"}),
        ("LIMIT = 3", "LIMIT = 4", {"other"}),
        ("return self.n + 1", "return 1 + self.n", {"Box.more", "boxed"}),
        ("self.n = n", "self.n = +n", {"Box.__init__", "boxed"}),
        ('    "Text."\n', "", set()),
        ("n: int) -> int", "n)", set()),
        ("class Box:", "class Box(object):", {"Box.__init__", "Box.more", "boxed"}),
    ],
)
def test_what_matters(old: str, new: str, names: set[str]) -> None:
    assert PROGRAM.count(old) == 1
    assert focus(ast.parse(PROGRAM), ast.parse(PROGRAM.replace(old, new))) == names


LOOP = "for x in a: pass\n return a"


@pytest.mark.parametrize(
    ("code", "calls", "missing"),
    [
        ("def f(a): return 1 if a else 2", [(1,)], ["branch"]),
        ("def f(a): return 1 if a else 2", [(1,), (0,)], []),
        ("def f(a, b): return a and b", [(1, 1)], ["branch"]),
        ("def f(a, b): return (a or b) and 1", [(1, 1), (0, 0)], []),
        ("def f(a, b):\n if a or b: return 1\n return 2", [(1, 0), (0, 0)], ["branch"]),
        ("def f(a): return [x for x in a]", [([1, 2],)], ["loop"]),
        ("def f(a): return [x for x in a]", [([1, 2],), ([],)], []),
        (f"def f(a: list[int]):\n if not a: return 0\n {LOOP}", [([1, 2],), ([1],), ([],)], []),
        (f"def f(a):\n if len(a) == 0: return 0\n {LOOP}", [([1, 2],), ([1],), ([],)], []),
        (f"def f(a):\n if not a: return 0\n {LOOP}", [([1, 2],), ([1],), ([],)], ["loop"]),
        (
            f"def f(a: list):\n if not a: print()\n {LOOP}",
            [([1, 2],), ([1],)],
            ["branch", "line", "loop"],
        ),
        (
            f"def f(a: list):\n if not a: return 0\n a.pop()\n {LOOP}",
            [([1, 2, 3],), ([1, 2],), ([],)],
            ["loop"],
        ),
        (
            "def f(a: list):\n for x in a: pass\n if not a: return 0",
            [([1, 2],), ([1],)],
            ["branch", "line", "loop"],
        ),
        ("def f(a): return [x for x in a if x]", [([1, 2],), ([],)], ["branch"]),
        ("def f(a):\n for x in range(3): a += x\n return a", [(1,)], []),
        ("def f(a): return a > 3", [(4,), (2,)], ["boundary"]),
        ("def f(a): return a > 3", [(4,), *[(3,)] * BOUNDARY_CALLS], []),
        ("def f(a): return 1 < a < 3", [(4,), (2,), (0,)], ["boundary", "boundary"]),
        ("def f(a):\n if a == 3: return 0\n return a < 3", [(4,), (2,), (3,)], []),
        ("def f(a):\n try: return 1 // a\n except ZeroDivisionError: return 0", [(1,)], ["line"]),
        ("def f(a): return any(a)", [([1],)], ["branch"]),
        ("def f(a):\n while a: a -= 1\n return a", [(2,)], []),
        ("def f(a):\n match a:\n  case 1: return 2\n  case _: return 3", [(1,)], ["line"]),
        ("def f(a):\n def g(): return a if a else 1\n return g()", [(1,)], ["branch"]),
    ],
)
def test_what_calls_reach(code: str, calls: list[Any], missing: list[str]) -> None:
    goals = Goals()
    tree = instrumented(ast.parse(code), frozenset(("f",)), goals)
    scope: dict[str, Any] = {}
    setattr(builtins, NAME, goals)
    try:
        exec(compile(tree, "<program>", "exec"), scope)
        plain: dict[str, Any] = {}
        exec(code, plain)
        for given in calls:
            goals.begin()
            assert scope["f"](*given) == plain["f"](*given)
            goals.keep()
    finally:
        delattr(builtins, NAME)
    assert sorted(each.what for each in goals.missing().values()) == missing


@pytest.mark.parametrize(
    ("before", "after", "is_so"),
    [
        ("a.lower()", "a.casefold()", True),
        ("re.findall(p, a, re.I)", "re.findall(p, a)", True),
        ("re.findall(p, a, re.I)", "re.findall(p, a, re.IGNORECASE)", False),
        ("a.rstrip('x')", "a.removesuffix('x')", True),
        ("a.strip().lower()", "a.lower().strip()", False),
        ("sorted(a)[0]", "min(a)", False),
        ("copy.deepcopy(a)", "copy.copy(a)", True),
        ("p.match(a)", "p.fullmatch(a)", True),
    ],
)
def test_what_is_exchanged(before: str, after: str, is_so: bool) -> None:
    assert bool(exchanged([ast.parse(before)], [ast.parse(after)])) is is_so


@pytest.mark.parametrize("pattern", [r"[A-Z]{2}\d+", r"^a(b|cd)*\s?$", r"(?i)x.[^y]+", r"\w+@\w+"])
def test_texts_that_match(pattern: str) -> None:
    found = matching(pattern)
    assert any(re.search(pattern, text) for text in found)
    assert not all(re.fullmatch(pattern, text) for text in found)
    assert found == matching(pattern)


def test_constants_and_their_neighbours() -> None:
    code = "def f(a):\n try: return a['key'] > 7 or 'x' in a\n except KeyError: return 2.5"
    found = pools([ast.parse(code)])
    assert {6, 7, 8, -7} <= set(found["int"])
    assert {2.5, 7.0} <= set(found["float"])
    assert set(found["key"]) == {"key", "x"}
    assert found["error"] == ["KeyError"]
    near = {around(".txt", Random(number)) for number in range(300)}
    assert {".txt.txt", "x.txt", ".TXT", ".txt\n"} <= near


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("def f(a): return a['n'] + 1", ["record", {"n": ["either", ["int", "int", "real"]]}]),
        ("def f(a): return [x.name for x in a]", ["iterable", ["thing", {"name": "any"}]]),
        ("def f(a): return a.split(',')", "str"),
        ("def f(a): return {k: v for k, v in a.items()}", ["dict", "str", "any"]),
        ("async def f(a): return await a(1)", ["call", True, "any"]),
        ("def f(a): return a == 'x'", ["near", "str", ["x"]]),
        ("def f(a): return len(a)", ["list", "any"]),
        ("def f(a): return _g(a)\ndef _g(b): return b.upper()", "str"),
    ],
)
def test_what_uses_tell(code: str, kind: Any) -> None:
    units = functions(ast.parse(code))
    assert shapes_in(units["f"], units).kind(("a",)) == kind


def test_annotations_come_first() -> None:
    assert refined("int", "str") == "int"
    assert refined("any", "str") == "str"
    assert refined(["list", "any"], ["iterable", "str"]) == ["list", "str"]
    assert refined("str", ["near", "str", ["x"]]) == ["near", "str", ["x"]]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("x = 1", "import sys\nx = 1", "`sys`"),
        ("import sys", "import sys\nx = 1", ""),
        ("x = 1", "code = types = 1", ""),
        ("x = 1", "x = getattr(y, 'z')", "`getattr`"),
        ("x = 1", "x = y.__class__", "`__class__`"),
        ("x = 1", "class A:\n def __init__(self): pass", ""),
    ],
)
def test_what_could_see_the_sandbox(before: str, after: str, words: str) -> None:
    assert reaches_out(before, after) == words


WHOLE = Coverage({"line": (2, 2), "branch": (4, 4)}, (), ("f",))
PART = Coverage({"line": (2, 3)}, (("f", 7, "line"),), ("f",))


@pytest.mark.parametrize(
    ("second", "result", "said"),
    [
        (WHOLE, WHOLE, ""),
        (PART, WHOLE, "did not reach in the original: a line (`f`, line 7)"),
        (WHOLE, PART, "did not reach in the result: a line (`f`, line 7)"),
        (None, WHOLE, "did not report"),
        (Coverage({}, (), ()), Coverage({}, (), ()), "no function was changed"),
    ],
)
def test_doubts(second: Coverage | None, result: Coverage, said: str) -> None:
    runs = [
        Record(
            load=("value", ""), outcomes={"f": {0: ("value", "a")}}, matters={"f"}, coverage=each
        )
        for each in (second, second, result)
    ]
    found = "; ".join(doubts(*runs))
    assert said in found
    assert bool(said) == bool(found)


@pytest.mark.parametrize("change", ["left", "skipped", "short"])
def test_what_there_was_no_time_for_is_doubted(change: str) -> None:
    runs = [
        Record(
            load=("value", ""), outcomes={"f": {0: ("value", "a")}}, matters={"f"}, coverage=WHOLE
        )
        for _ in range(3)
    ]
    if change == "left":
        runs[1].left.append("f")
    elif change == "skipped":
        runs[0].skipped = 1
    else:
        runs[2].outcomes["f"] = {}
    assert doubts(*runs)
