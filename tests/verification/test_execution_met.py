"""The inputs that calls must cover before they prove a rewrite, with rewrites that are almost
correct."""

from __future__ import annotations

import ast

import pytest
from execution_samples import a_sandbox

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.behaviour_heuristics.observable import are_observable
from codeintel.engine.sandbox.behaviour import Behaviour
from codeintel.engine.sandbox.inside.coverage.comparisons import Whole, whole_attributes
from codeintel.engine.sandbox.inside.coverage.differences import differences
from codeintel.engine.sandbox.inside.coverage.unreachable import full_dictionaries

CAP = """
def capped(value: float, cap: float) -> float:
    if value > cap:
        return cap
    return value
"""
BUCKET = """
class Bucket:
    def __init__(self, size: int, level: float) -> None:
        self.size = size
        self.level = level

    def fill(self, more: float) -> float:
        self.level = self.level + more
        if self.level > self.size:
            self.level = float(self.size)
        return self.level
"""
CHANGED = BUCKET[BUCKET.index("        self.level = self.level +") : BUCKET.index("        return")]
QUOTIENT = """
def evaluate(sign: str, left: float, right: float) -> float:
    if sign == "+":
        return left + right
    elif sign == "/":
        return left / right
    raise ValueError(sign)
"""
TABLE = """
import operator

SIGNS = {{"+": operator.add, "/": operator.{}}}


def evaluate(sign: str, left: float, right: float) -> float:
    function = SIGNS.get(sign)
    if function is None:
        raise ValueError(sign)
    return function(left, right)
"""
FIRST = """
def firsts(lines: list[str]) -> list[str]:
    found = []
    for line in lines:
        found.append(line.split(" ")[0])
    return found
"""
QUARTER = """
from datetime import date


def in_quarter(text: str, quarter: int) -> bool:
    day = date.fromisoformat(text)
    if day.month in (1, 2, 3):
        actual = 1
    elif day.month in (4, 5, 6):
        actual = 2
    elif day.month in (7, 8, 9):
        actual = 3
    else:
        actual = 4
    return actual == quarter
"""
SHORT_QUARTER = """
from datetime import date


def in_quarter(text: str, quarter: int) -> bool:
    return ({}) == quarter
"""
NEWER = """
def newer(left: list[int], right: list[int]) -> bool:
    one, other = list(left), list(right)
    while len(one) < len(other):
        one.append(0)
    while len(other) < len(one):
        other.append(0)
    for a, b in zip(one, other):
        if a != b:
            return a > b
    return False
"""
FILLED = """
from itertools import zip_longest


def newer(left: list[int], right: list[int]) -> bool:
    for a, b in zip_longest(left, right, fillvalue={}):
        if a != b:
            return a > b
    return False
"""
LONGER = """
def newer(left: list[int], right: list[int]) -> bool:
    for a, b in zip(left, right):
        if a != b:
            return a > b
    return len(left) > len(right)
"""
NEWEST = """
def newest(records: list[dict], key: str = "id") -> list[dict]:
    best: dict = {}
    for record in records:
        name = record[key]
        if name not in best:
            best[name] = record
        elif record["version"] > best[name]["version"]:
            best[name] = record
    return list(best.values())
"""
NEWEST_BY_GET = """
def newest(records: list[dict], key: str = "id") -> list[dict]:
    best: dict = {}
    for record in records:
        rival = best.get(record[key])
        if rival is None or record["version"] > rival["version"]:
            best[record[key]] = record
    return list(best.values())
"""
NOTES = """
def notes(pairs: list[tuple[str, str | None]]) -> dict[str, str | None]:
    first: dict = {}
    for name, note in pairs:
        if name not in first:
            first[name] = note
    return dict(first.items())
"""
NOTES_BY_GET = """
def notes(pairs: list[tuple[str, str | None]]) -> dict[str, str | None]:
    first: dict = {}
    for name, note in pairs:
        found = first.get(name)
        if found is None:
            first[name] = note
    return dict(first.items())
"""
OFFERS = """
class Offer:
    def __init__(self, amount: int) -> None:
        self.amount = amount
{}

def best(offers: list[Offer]) -> Offer | None:
    found = None
    for offer in offers:
        if found is None:
            found = offer
        elif offer.amount > found.amount:
            found = offer
    return found
"""
OFFERS_EMPTY = OFFERS.replace("found is None:", "not found:")
WITH_TRUTH = """
    def __bool__(self) -> bool:
        return self.amount != 977
"""
MOVE = """
class Box:
    def __init__(self, held: int) -> None:
        self.held = held


def move(source: Box, target: Box, count: int) -> int:
    if count > 0:
        if source is not target:
            source.held = source.held - count
            target.held = target.held + count
            return target.held
        else:
            raise ValueError("same")
    else:
        raise ValueError("count")
"""
MOVE_GUARDED = """
class Box:
    def __init__(self, held: int) -> None:
        self.held = held


def move(source: Box, target: Box, count: int) -> int:
    if count <= 0:
        raise ValueError("count")
    if source is target:
        raise ValueError("same")
    source.held -= count
    target.held += count
    return target.held
"""
ROWS = """
def columns(rows: list[list[int]]) -> list[list[int]]:
    if len(rows) == 0:
        return []
    for row in rows:
        if len(row) != len(rows[0]):
            raise ValueError("length")
    found = []
    for index in range(len(rows[0])):
        values = []
        for row in rows:
            values.append(row[index])
        found.append(values)
    return found
"""
ROWS_ZIPPED = """
def columns(rows: list[list[int]]) -> list[list[int]]:
    if not rows:
        return []
    if any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("length")
    return [list(column) for column in zip(*rows)]
"""
RIGHT = {
    "min of fractions": (
        CAP,
        CAP.replace(CAP[CAP.index("    if") :], "    return min(value, cap)\n"),
    ),
    "min of an attribute": (
        BUCKET,
        BUCKET.replace(
            BUCKET[
                BUCKET.index("        self.level = self.level +") : BUCKET.index("        return")
            ],
            "        self.level = min(self.level + more, float(self.size))\n",
        ),
    ),
    "an operator from a table": (QUOTIENT, TABLE.format("truediv")),
    "a bound for parts that are not read": (
        FIRST,
        "def firsts(lines: list[str]) -> list[str]:\n"
        '    return [line.split(" ", 1)[0] for line in lines]\n',
    ),
    "members as a quotient": (
        QUARTER,
        SHORT_QUARTER.format("(date.fromisoformat(text).month + 2) // 3"),
    ),
    "members as a range": (
        "def low(value: int) -> bool:\n    return value in (2, 3, 4)\n",
        "def low(value: int) -> bool:\n    return 2 <= value <= 4\n",
    ),
    "the same object twice": (MOVE, MOVE_GUARDED),
    "rows of a table": (ROWS, ROWS_ZIPPED),
    "the shorter side filled up": (NEWER, FILLED.format(0)),
    "get for in": (NEWEST, NEWEST_BY_GET),
    "instances are never empty": (OFFERS.format(""), OFFERS_EMPTY.format("")),
}
WRONG = {
    "min the other way round": (
        CAP,
        CAP.replace(CAP[CAP.index("    if") :], "    return min(cap, value)\n"),
    ),
    "min of an attribute the other way round": (
        BUCKET,
        BUCKET.replace(
            CHANGED,
            "        self.level = min(float(self.size), self.level + more)\n",
        ),
    ),
    "a comparison of parts turned round": (
        "def high(values: list[float]) -> list[float]:\n"
        "    return [value for value in values if not value < 1.5]\n",
        "def high(values: list[float]) -> list[float]:\n"
        "    return [value for value in values if value >= 1.5]\n",
    ),
    "a whole quotient from a table": (QUOTIENT, TABLE.format("floordiv")),
    "a function of the name of an operator": (
        QUOTIENT,
        TABLE.format("truediv").replace(
            "import operator\n",
            "def truediv(left: float, right: float) -> float:\n    return left // right\n",
        ).replace("operator.truediv", "truediv").replace("operator.add", "lambda a, b: a + b"),
    ),
    "members as another quotient": (
        QUARTER,
        SHORT_QUARTER.format("date.fromisoformat(text).month // 3 + 1"),
    ),
    "members as a range of fractions": (
        "def low(value: float) -> bool:\n    return value in (2, 3, 4)\n",
        "def low(value: float) -> bool:\n    return 2 <= value <= 4\n",
    ),
    "one member less": (QUARTER, QUARTER.replace("(7, 8, 9)", "(7, 8)")),
    "another number held": (QUARTER, QUARTER.replace("actual = 4", "actual = 5")),
    "the same object twice is not asked for": (
        MOVE,
        MOVE_GUARDED.replace("source is target", "source.held == target.held"),
    ),
    "rows of other lengths": (ROWS, ROWS_ZIPPED.replace("!=", "<")),
    "the longer side decides": (LONGER, FILLED.format(0)),
    "filled up with another number": (NEWER, FILLED.format(-1)),
    "get for in, with None among the values": (NOTES, NOTES_BY_GET),
    "instances that may be empty": (OFFERS.format(WITH_TRUTH), OFFERS_EMPTY.format(WITH_TRUTH)),
}  # fmt: skip


@pytest.mark.timing
@pytest.mark.parametrize("name", RIGHT)
def test_right_rewrites_are_proven(name: str) -> None:
    """Check correct rewrites. Each needs the calls that a fifth of a processor can make in its
    time."""
    before, after = RIGHT[name]
    found = Behaviour(a_sandbox(), "somebody", before).compare(after)
    assert (found.status, found.conclusive) == (CheckStatus.PASSED, True), found.text


@pytest.mark.parametrize("name", WRONG)
def test_what_nearly_does_the_same_is_not(name: str) -> None:
    before, after = WRONG[name]
    assert before != after
    assert not Behaviour(a_sandbox(), "somebody", before).compare(after).conclusive


@pytest.mark.parametrize(
    ("expression", "is_whole"),
    [
        ("3", True),
        ("2.5", True),
        ("n", True),
        ("n * 2 - 1", True),
        ("n / 2", False),
        ("n * 0.5", False),
        ("-n", True),
        ("float(n)", True),
        ("float(n) * 2", False),
        ("float(text)", False),
        ("x", False),
        ("len(x)", True),
        ("again", False),
        ("inner", False),
        ("self.size", True),
        ("self.level", False),
        ("other.size", False),
    ],
)
def test_what_is_never_nan(expression: str, is_whole: bool) -> None:
    code = (
        "class C:\n"
        " def __init__(self, size: int, level: float):\n  self.size = size\n  self.level = level\n"
        " def f(self, n: int, x: float, text, again: int, inner: int):\n"
        f"  again = x\n  g = lambda inner: inner\n  return {expression}"
    )
    tree = ast.parse(code)
    owner = tree.body[0]
    assert isinstance(owner, ast.ClassDef)
    method = owner.body[1]
    assert isinstance(method, ast.FunctionDef)
    statement = method.body[-1]
    assert isinstance(statement, ast.Return) and statement.value is not None
    assert Whole(method, whole_attributes(tree)["C"]).is_whole(statement.value) is is_whole


def test_an_attribute_that_is_bound_otherwise_may_be_nan() -> None:
    tree = ast.parse(
        "class C:\n def f(self, n: int):\n  self.n = n\n def g(self, n):\n  self.n += n"
    )
    assert whole_attributes(tree) == {"C": frozenset()}


@pytest.mark.parametrize(
    ("body", "is_full"),
    [
        ("for r in x:\n  if r['a']: d[r['a']] = r", True),
        ("for r in x: d[r['a']] = r", True),
        ("for r in x: d[r['a']] = 3", True),
        ("for r in x:\n  k = r['a']\n  if k in d: d[k] = r", True),
        ("for r in x: d[r] = r", False),
        ("for r in x: d[r] = None", False),
        ("for r in x: d[r] = r['a']", False),
        ("for r in x:\n  if y or r['a']: d[y] = r", False),
        ("for r in x:\n  d[y] = r\n  k = r['a']", False),
        ("for r in x:\n  if y: k = r['a']\n  d[y] = r", False),
        ("for r in x:\n  k = r[:1]\n  d[y] = r", False),
        ("for r in x:\n  k = [r['a'] for _ in y]\n  d[y] = r", False),
        ("for r in x:\n  k = r['a']\n  r = y\n  d[y] = r", False),
        ("for r in x: d[r['a']] = r\n for r in y: pass", False),
        ("for r in x:\n  try: k = r['a']\n  except E: pass\n  d[y] = r", False),
        ("d.update(x)", False),
        ("d[x] = 1\n g(d)", False),
        ("d[x] = 1\n e = d", False),
        ("d[x] = 1\n d = {}", False),
        ("d[x] = 1\n d[x] += y", False),
    ],
)
def test_dictionaries_whose_values_are_not_none(body: str, is_full: bool) -> None:
    function = ast.parse(f"def f(x, y):\n d = {{}}\n {body}\n return d.get(x)").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert full_dictionaries(function) == (frozenset("d") if is_full else frozenset())


@pytest.mark.parametrize(
    ("before", "after", "is_shown"),
    [
        ("def f(a): return a in (2, 3)", "def f(a): return a in (2, 3, 4)", True),
        ("def f(a):\n b = 7\n return a == b", "def f(a):\n b = 8\n return a == b", True),
        ("def f(a):\n b = 7\n return a[:b]", "def f(a):\n b = 8\n return a[:b]", False),
        ("def f(a):\n b = 7\n return b", "def f(a):\n b = 8\n return b", False),
        (
            "def f(a):\n global b\n b = 7\n return a == b",
            "def f(a):\n global b\n b = 8\n return a == b",
            False,
        ),
        ("def f(a): return a in (2, 3, None)", "def f(a): return a in (2, 4, None)", False),
        ("def f(a):\n b = 7\n return a == b + 1", "def f(a):\n b = 8\n return a == b + 1", False),
        ("def f(a): return g(a in (2, 3))", "def f(a): return g(a in (2, 4))", False),
    ],
)
def test_numbers_that_runs_show(before: str, after: str, is_shown: bool) -> None:
    assert are_observable(before, after) is is_shown


def test_what_matters_for_a_comparison() -> None:
    before, after = ast.parse(NEWER), ast.parse(FILLED.format(0))
    found = differences(before, after, frozenset(("newer",)), frozenset(("newer",)))
    assert found.lengths
    assert not found.fractions
    assert found.rewritten == {"newer"}
    sides = [ast.parse(each) for each in RIGHT["min of fractions"]]
    found = differences(*sides, frozenset(("capped",)), frozenset(("capped",)))
    assert found.fractions
    assert not found.unsettled
