"""Values to call functions with: the odd ones first, then mixtures, always the same."""

from __future__ import annotations

import datetime
import decimal
import enum
import pathlib
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from .kinds import ANY, Kind

_PLAIN: dict[str, tuple[Any, ...]] = {
    "int": (3, 0, 1, -1, 2, 10, 7, -7, 100, 5, 12, 255, 1000, 2**31, -(2**63), 2024),
    "float": (1.5, 0.0, -0.0, float("nan"), float("inf"), -2.25, 1e-9, 100.0, -float("inf"), 1e18),
    "str": (
        *("abc", "", "a", "Hello, World", "racecar", "12", " x  y ", "a,b,,c", "-3.5", "ABC abc"),
        *("stra\u00dfe \u00e9\u4e2d\U0001f600", "line one\nline two\n", "key=value", "a@b.org"),
        *("2024-02-29", "{}[]()", "\x00\t", "0", "%s {0}", "(1+2)*3"),
    ),
    "bytes": (b"abc", b"", b"\x00\xff", b"line\n"),
    "bool": (True, False),
    "none": (None,),
    "complex": (1 + 2j, 0j),
    "decimal": (decimal.Decimal("1.10"), decimal.Decimal(0), decimal.Decimal("-2.5")),
    "date": (datetime.date(2024, 2, 29), datetime.date(1999, 12, 31), datetime.date(2000, 1, 1)),
    "datetime": (
        datetime.datetime(2024, 2, 29, 23, 59, 59),  # noqa: DTZ001 - as programs have them
        datetime.datetime(1999, 12, 31),  # noqa: DTZ001
    ),
    "path": (pathlib.Path("a/b.txt"), pathlib.Path(), pathlib.Path("/x/../y")),
    "function": (
        *(lambda *given: given[0] if given else None, lambda *_: True, lambda *given: len(given)),
        *(lambda *_: False, lambda *given: str(given[:1])),
    ),
}  # fmt: skip
_ANY: tuple[Kind, ...] = (
    *("int", "str", ["list", "int"], "float", ["list", "str"], ["dict", "str", "int"]),
    *("bool", "none", ["list", ["list", "int"]], ["tuple_of", "int"], ["set", "int"]),
    *(["list", ["dict", "str", "int"]], ["list", ["tuple", ["str", "int"]]], "bytes"),
)
_SIZES = (3, 0, 1, 5, 2, 8, 4)
_MAX_DEPTH = 4
Make = Callable[[str, "Values"], Any]


class Values:
    """The values of one call.

    :param seed: what decides them: the code, the function and the number of the call.
    :param number: of the call; the first calls are given the odd values in turn.
    :param make: makes an instance of a class of the program, by its name.
    """

    def __init__(self, seed: str, number: int, make: Make) -> None:
        self._random = Random(seed)  # noqa: S311 - it must be foreseeable
        self._number = number
        self._make = make
        self._given = 0
        self.depth = 0

    def flip(self) -> bool:
        """One of two ways."""
        return self._random.random() < 0.5

    def pick(self, kind: Kind) -> Any:
        """A value of a kind."""
        self._given += 1
        if isinstance(kind, str):
            return self._plain(kind)
        word, parts = kind[0], kind[1:]
        if word == "either":
            return self.pick(self._in_turn(parts[0]))
        if word == "guess":
            return self.pick(parts[0] if self._number % 3 == 0 else ANY)
        if word == "literal":
            return self._in_turn(parts[0])
        if word == "instance":
            return self._make(parts[0], self)
        return self._compound(word, parts)

    def _plain(self, kind: str) -> Any:
        if kind in (ANY, "object"):
            # Parameters of which nothing is known are often of one kind.
            alike = self._number % 3 != 2 or self.depth > 0
            return self.pick(_ANY[self._number // 3 % len(_ANY)] if alike else self._one(_ANY))
        return self._in_turn(_PLAIN[kind])

    def _in_turn(self, choices: Any) -> Any:
        """At first one after the other, and different ones for neighbours; then any."""
        if self._number < len(choices) and self.depth == 0:
            return choices[(self._number + 3 * (self._given - 1)) % len(choices)]
        return self._one(choices)

    def _one(self, choices: Any) -> Any:
        return choices[self._random.randrange(len(choices))]

    def _compound(self, word: str, parts: list[Any]) -> Any:
        self.depth += 1
        try:
            if self.depth > _MAX_DEPTH:
                return [] if word != "dict" else {}
            if word == "tuple":
                return tuple(self.pick(part) for part in parts[0])
            size = _SIZES[self._number % len(_SIZES)] if self.depth == 1 else self._one(_SIZES[:5])
            if word == "dict":
                return {_key(self.pick(parts[0])): self.pick(parts[1]) for _ in range(size)}
            found = [self.pick(parts[0]) for _ in range(size)]
        finally:
            self.depth -= 1
        if found and self._number % 4 == 3:
            found.append(found[0])  # what is there twice
        if word in ("set", "frozenset"):
            return (set if word == "set" else frozenset)(map(_key, found))
        makers: dict[str, Callable[[Any], Any]] = {
            "tuple_of": tuple,
            "iterator": iter,
            "deque": deque,
        }
        return makers.get(word, list)(found)


def _key(value: Any) -> Any:
    """Something that can be a key."""
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def member(kind: type, values: Values) -> Any:
    """One of the members of an enumeration; None for another class."""
    members = list(kind) if issubclass(kind, enum.Enum) else []
    return values.pick(["literal", members]) if members else None
