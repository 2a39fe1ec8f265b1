"""The inputs of functions in the sandbox, and the description of their results."""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import partial
from hashlib import sha256
from io import StringIO
from itertools import count
from operator import itemgetter
from random import Random
from types import MappingProxyType
from typing import Any, Literal

import pytest
from hypothesis import given, settings, strategies as st

from codeintel.engine.sandbox.inside.plan import MODULE, planned
from codeintel.engine.sandbox.inside.values.arguments import Values
from codeintel.engine.sandbox.inside.values.canonical import UNSEEN, UnwritableError, canonical
from codeintel.engine.sandbox.inside.values.kinds import kind_of, of_annotation

Pair = namedtuple("Pair", "a b")


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Box:
    content: Any = 1
    _hidden: int = field(default_factory=count().__next__)


class Slotted:
    __slots__ = ("a",)

    def __init__(self, a: int) -> None:
        self.a = a


class Texts(list[str]):
    pass


for _kind in (Box, Slotted, Texts):
    _kind.__module__ = "program"


ALIKE = [
    (float("nan"), -float("nan")),
    ({3, 1, 2}, {2, 3, 1}),
    ({"b", "a"}, {"a", "b"}),
    (Box(), Box()),  # except for hidden state
    (map(str, [1, 2]), (str(each) for each in [1, 2])),
    (lambda: 1, lambda: 2),
    (ValueError("one"), ValueError("other")),
]
DIFFERENT = [
    *[(1, True), (0, False), (1, 1.0), (0.0, -0.0), ("1", 1), ("a", b"a"), (b"a", bytearray(b"a"))],
    *[([1], (1,)), ([1], [1, 1]), ({1}, frozenset({1})), ({1: 2}, {1: 3}), ([], {}), (None, 0)],
    *[({1: 2, 3: 4}, {3: 4, 1: 2}), (Pair(1, 2), (1, 2)), (Box(1), Box(2)), (Box(1), 1)],
    *[(Slotted(1), Slotted(2)), (Colour.RED, Colour.BLUE), (Colour.RED, 1), (int, str)],
    *[(Counter("a"), {"a": 1}), (OrderedDict(a=1), {"a": 1}), (deque([1]), [1])],
    *[(Decimal("1.0"), Decimal("1.00")), (date(2024, 1, 1), date(2024, 1, 2))],
    *[(iter([1]), [1]), (iter([1]), iter([2])), (ValueError(), KeyError()), (Texts("a"), ["a"])],
    *[("\ud800", "\ud801"), (10**4000, 10**4001), (range(3), range(4)), (1j, 1.0)],
    *[(min, max), (itemgetter(0), itemgetter(1)), (partial(str, 1), partial(str, 2))],
    *[([].append, [].extend), ([1].append, [2].append), (Random(1), Random(2))],
    *[(StringIO("a"), StringIO("b")), (MappingProxyType({1: 2}), MappingProxyType({1: 3}))],
    *[(defaultdict(int), defaultdict(list)), (deque([1], 2), deque([1], 3))],
    *[([["a"], "b"], [["a", "b"]]), (["a', 'b"], ["a", "b"]), ([1, [2]], [[1], 2])],
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_what_is_alike(one: object, other: object) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_is_different(one: object, other: object) -> None:
    assert canonical(one) != canonical(other)


def _private() -> None:
    """Do nothing."""


_private.__module__ = "program"


@pytest.mark.parametrize("value", [sha256(b"a"), _private, [_private]])
def test_values_that_cannot_be_told_apart_are_not_compared(value: object) -> None:
    with pytest.raises(UnwritableError):
        canonical(value)


def test_private_attributes_of_unchanged_classes_are_collected() -> None:
    def unseen(value: object) -> str:
        UNSEEN.begin()
        canonical(value)
        return UNSEEN.text()

    assert unseen(Box(1, 2)) == ""
    UNSEEN.classes = frozenset(("Box",))
    try:
        assert unseen([Box(1, 2)]) != unseen([Box(1, 3)])
        assert unseen([Box(1, 2)]) == unseen([Box(4, 2)])
        assert unseen({Pair(1, 2)}) == ""
        values = iter([1, 2])
        unseen(Box(1, values))  # type: ignore[arg-type]
        assert list(values) == [1, 2], "nothing was taken from it"
        box = Box()
        box._hidden = box  # type: ignore[assignment]
        assert unseen(box)
    finally:
        UNSEEN.classes = frozenset()


def test_bounds() -> None:
    round_: list[object] = []
    round_.append(round_)
    assert canonical(round_) != canonical([[]])
    assert canonical(count()) == canonical(count())  # without an end
    deep: list[object] = []
    for _ in range(100):
        deep = [deep]
    for bad in (deep, list(range(30_000))):
        with pytest.raises(UnwritableError):
            canonical(bad)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=100, deadline=None)
@given(plain, plain)
def test_texts_are_equal_only_where_values_are(one: object, other: object) -> None:
    if canonical(one) == canonical(other):
        assert one == other
        assert repr(one) == repr(other)


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        (int, "int"),
        ("int", "int"),
        (list[int], ["list", "int"]),
        ("List[str]", ["list", "str"]),
        (dict[str, list[int]], ["dict", "str", ["list", "int"]]),
        ("Optional[int]", ["either", ["int", "none"]]),
        ("typing.Union[int, str]", ["either", ["int", "str"]]),
        ("int | None", ["either", ["int", "none"]]),
        (tuple[int, ...], ["tuple_of", "int"]),
        (tuple[int, str], ["tuple", ["int", "str"]]),
        (Literal["a", 1], ["literal", ["a", 1]]),
        ("typing.Sequence['Point']", ["list", ["instance", "Point"]]),
        ("Callable[[int], str]", "function"),
        ("x +", "any"),
        (Any, "any"),
        ("(" * 500, "any"),
    ],
)
def test_annotations(annotation: object, kind: object) -> None:
    assert of_annotation(annotation) == kind


def test_defaults_uses_and_names() -> None:
    code = """
def f(a=1, b="", c=(1.5,), d=None, zz=None, text=None, thing=None, call=None, other=None):
    zz.append(1); thing.split(); other(1); return d % 2
"""
    scope: dict[str, Any] = {}
    exec(code, scope)
    body = ast.parse(code).body[0]
    parameters = inspect.signature(scope["f"]).parameters.values()
    assert {each.name: kind_of(each, body) for each in parameters} == {
        "a": "int",
        "b": "str",
        "c": ["tuple_of", "float"],
        "d": "int",
        "zz": ["list", "int"],
        "text": ["guess", "str"],
        "thing": "str",
        "call": ["guess", "function"],
        "other": "function",
    }


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 60), st.text(max_size=5))
def test_the_same_values_each_time(number: int, seed: str) -> None:
    kinds: list[Any] = ["int", "any", ["dict", "str", ["list", "float"]], ["guess", "bytes"]]
    kinds += [["set", "str"], ["tuple", ["bool", "none"]], ["either", ["int", "date"]]]
    made = []
    for _ in range(2):
        values = Values(seed, number, lambda name, _: name)
        made.append([canonical(values.pick(kind)) for kind in kinds])
    assert made[0] == made[1]


def test_odd_values_come_first() -> None:
    given_ = [Values("", number, lambda name, _: name).pick("float") for number in range(10)]
    written = [repr(each) for each in given_]
    assert {"nan", "inf", "-inf", "0.0", "-0.0"} <= set(written)


def test_what_is_called() -> None:
    code = """
import math
from os import sep
LIMIT = 3
_quiet = 4
class Error(Exception): pass
class Thing:
    def __init__(self, a: int): self.a = a
    def act(self, n: int): return n
    def _help(self): pass
    @property
    def size(self): return 1
    def __len__(self): return 1
def work(n: int): return n
def _private(): pass
odd = lambda a: a
"""
    module = types.ModuleType(MODULE)
    exec(code, vars(module))
    found = [each["name"] for each in planned(module, ast.parse(code))]
    assert found == ["LIMIT", "Thing", "Thing.act", "Thing.size", "Thing.__len__", "work", "odd"]
    assert all(re.fullmatch(r"[\w.]+", name) for name in found)
