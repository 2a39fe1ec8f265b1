"""Generate arguments: odd values first, then mixtures, deterministically.

The values depend on the constants of both programs. A few values repeat within a call, so that
equal and unequal values, ties and repetitions happen.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from .constants import Pools, around
from .kinds import ANY, Kind
from .plain import FALSY, ODD, REAL, Plain
from .recording import (
    Journal,
    Once,
    OnceLater,
    Recorder,
    Thing,
)

_ANY: tuple[Kind, ...] = (
    *("int", "str", ["list", "int"], "float", ["list", "str"], ["dict", "str", "int"]),
    *("bool", "none", ["list", ["list", "int"]], ["tuple_of", "int"], ["set", "int"]),
    *(["list", ["dict", "str", "int"]], ["list", ["tuple", ["str", "int"]]], "bytes"),
)
_SIZES = (3, 0, 1, 5, 2, 8, 4)
_MAX_DEPTH = 6
_NUMBERS = ("int", "float", "real")
_EMPTY: dict[str, Callable[[], Any]] = {
    "int": int,
    "float": float,
    "real": float,
    "str": str,
    "bool": bool,
    "bytes": bytes,
    "list": list,
    "dict": dict,
    "set": set,
    "tuple_of": tuple,
    "iterable": list,
}
Make = Callable[[str, "Values", Any], Any]
Edits = Mapping[int, Any]


class Values(Plain):
    """The values of one call.

    :param seed: decides the values: the code, the function and the number of the call.
    :param number: the number of the call. The first calls get the odd values in turn.
    :param make: builds an instance of a class of the program, by name.
    :param pools: values derived from the programs' constants.
    :param journal: where arguments record what is done to them.
    :param edits: replacements for some of the plain values, by their number.
    :param few: values that repeat, also within other values of the same call.
    :param exact: whether annotations describe all values, down to their parts.
    """

    def __init__(
        self,
        seed: str,
        number: int,
        make: Make,
        pools: Pools | None = None,
        journal: Journal | None = None,
        edits: Edits | None = None,
        few: dict[str, list[Any]] | None = None,
        *,
        exact: bool = False,
    ) -> None:
        random = Random(seed)  # noqa: S311 - it must be foreseeable
        super().__init__(random, number, pools or {}, few)
        self._make = make
        self._journal = journal or Journal()
        self._edits = edits or {}
        self._exact = exact
        self._containers = 0
        self._labels = 0
        self.leaves: list[Any] = []
        """The plain values so far, in order."""

    def pick(self, kind: Kind) -> Any:
        """Return a value of a kind."""
        self._given += 1
        if isinstance(kind, str):
            return self._plain(kind)
        word, parts = kind[0], kind[1:]
        if word == "either":
            if "none" in parts[0] and self._random.random() < 0.12:
                return self._leaf(self._falsy(self._one([e for e in parts[0] if e != "none"])))
            return self.pick(self._in_turn(parts[0]))
        if word == "guess":
            return self.pick(parts[0] if self._number % 3 == 0 else ANY)
        if word == "literal":
            return self._in_turn(parts[0])
        if word == "instance":
            return self._make(parts[0], self, parts[1] if len(parts) > 1 else None)
        if word == "near":
            return self._near(parts[0], parts[1])
        if word == "call":
            return self._function(parts[1], is_async=parts[0])
        return self._compound(word, parts)

    def _plain(self, kind: str) -> Any:
        if kind in (ANY, "object"):
            # Parameters of unknown kind often share one kind.
            alike = self._number % 3 != 2 or self.depth > 0
            return self.pick(_ANY[self._number // 3 % len(_ANY)] if alike else self._one(_ANY))
        if kind == "function":
            return self._function(ANY, is_async=False)
        if kind in ("int", "float", "str"):
            return self._leaf(self._drawn(kind))
        if kind == "real":
            return self._leaf(self._one((*REAL, *self._pools.get("float", ()))))
        if kind == "datetime":
            return self._datetime()
        if kind == "date" and self._number >= len(ODD["date"]):
            return self._date()
        return self._in_turn(ODD[kind])

    def _leaf(self, value: Any) -> Any:
        """Return a plain value, or its replacement."""
        value = self._edits.get(len(self.leaves), value)
        self.leaves.append(value)
        return value

    def _near(self, kind: Kind, literals: list[Any]) -> Any:
        """Return a value that equals a value it is compared with, or almost."""
        if self._random.random() < 0.4:
            return self.pick(kind)
        value = self._one(literals)
        if isinstance(value, str):
            is_text = self._random.random() < 0.75
            return self._leaf(value if is_text else around(value, self._random))
        step = self._random.choice((0, 0, 1, -1, 0.5 if isinstance(value, float) else 0))
        value += step
        return self._leaf(float(value) if kind == "float" else value)

    def _label(self) -> str:
        self._labels += 1
        return f"g{self._labels}"

    def _function(self, answer: Kind, *, is_async: bool) -> Recorder:
        style = self._number + self._labels if self.depth == 0 else self._random.randrange(8)
        make = None if answer == ANY else lambda: self._deeper(answer)
        return self._recorder(self._label(), style, is_async, make)

    def _recorder(
        self, label: str, style: int, is_async: bool, answer: Callable[[], Any] | None
    ) -> Recorder:
        fails = self._random.getrandbits(12) if self._number % 4 == 3 or style % 8 == 7 else 0
        return Recorder(
            self._journal,
            label,
            style,
            is_async=is_async,
            answer=answer,
            fails=fails,
            error=self._one(self._pools.get("error") or ["ValueError"]),
        )

    def _deeper(self, kind: Kind) -> Any:
        self.depth += 1
        try:
            return self.pick(kind) if self.depth <= _MAX_DEPTH else None
        finally:
            self.depth -= 1

    def thing(self, kinds: dict[str, Kind], name: str = "") -> Thing:
        """Build an object with attributes of these kinds, or any."""
        label = self._label() if not name else f"{name}{self._label()}"

        def make(attribute: str, _: Thing) -> Any:
            kind = kinds.get(attribute, ["call", False, ANY])
            if isinstance(kind, list) and kind[0] == "call":
                made = None if kind[2] == ANY else lambda: self._deeper(kind[2])
                style = self._random.randrange(7)
                return self._recorder(f"{label}.{attribute}", style, kind[1], made)
            return self._deeper(kind)

        thing = Thing(self._journal, label, make)
        for each, kind in kinds.items():
            if not (isinstance(kind, list) and kind[0] == "call"):
                thing.__dict__[each] = self._deeper(kind)
        return thing

    def _compound(self, word: str, parts: list[Any]) -> Any:
        self.depth += 1
        try:
            if self.depth > _MAX_DEPTH:
                return [] if word not in ("dict", "record") else {}
            if word == "tuple":
                return tuple(self.pick(part) for part in parts[0])
            if word == "record":
                return self._record(parts[0])
            if word == "thing":
                return self.thing(parts[0])
            size = self._size()
            if word == "dict":
                return {self._key(parts[0]): self._value(parts[1]) for _ in range(size)}
            found = [self.pick(parts[0]) for _ in range(size)]
        finally:
            self.depth -= 1
        return self._gathered(word, found)

    def _size(self) -> int:
        sizes = self._pools.get("size")
        if sizes and self._random.random() < 0.3:
            size: int = self._one(sizes)
            return size if self.depth == 1 else min(size, 6)
        other: int = self._one(_SIZES[:5] if self.depth > 1 else _SIZES)
        if self.depth > 1:
            return other
        # The first container has each size in turn. Others mostly have the same size.
        self._containers += 1
        is_alike = self._containers == 1 or self._random.random() < 0.65
        return _SIZES[self._number % len(_SIZES)] if is_alike else other

    def _key(self, kind: Kind) -> Any:
        keys = self._pools.get("key")
        if keys and kind == "str" and self._random.random() < 0.6:
            return self._one(keys)
        return hashable(self.pick(kind))

    def _value(self, kind: Kind) -> Any:
        if self._number % 5 == 3 and self._random.random() < 0.15:
            return None if self.flip() and not self._exact else self._falsy(kind)
        return self.pick(kind)

    def _falsy(self, kind: Kind) -> Any:
        word = kind if isinstance(kind, str) else kind[0]
        if word == "either" and all(each in _NUMBERS for each in kind[1]):
            return 0
        if word in ("near", "guess"):
            return self._falsy(kind[1])
        if word in _EMPTY:
            return _EMPTY[word]()
        is_known = self._exact or word not in (ANY, "object")
        return self.pick(kind) if is_known else self._one(FALSY)

    def _record(self, kinds: dict[str, Kind]) -> dict[str, Any]:
        """Build a dictionary with the given keys. Some may be missing or have empty values."""
        found = {}
        is_whole = self._number % 4 != 1
        for key, kind in kinds.items():
            chance = self._random.random()
            if not is_whole and chance < 0.25:
                continue
            if self._number % 3 == 2 and chance > 0.8:
                found[key] = self._falsy(kind)
            else:
                found[key] = self.pick(kind)
        if self._random.random() < 0.15:
            found["other"] = self.pick("int")
        return found

    def _gathered(self, word: str, found: list[Any]) -> Any:
        if found and self._number % 4 == 3:
            found.append(found[0])  # repeat one value
        if found and self._number % 6 == 4:
            found = found[:1] * len(found)  # repeat only one value
        if word in ("set", "frozenset"):
            return (set if word == "set" else frozenset)(map(hashable, found))
        if word == "iterable":
            word = ("list", "list", "iterator", "tuple_of")[self._number % 4]
        makers: dict[str, Callable[[Any], Any]] = {
            "tuple_of": tuple,
            "iterator": lambda values: Once(self._journal, values),
            "async_iterator": lambda values: OnceLater(self._journal, values),
            "deque": deque,
        }
        return makers.get(word, list)(found)


def hashable(value: Any) -> Any:
    """Return a value that can be a dictionary key."""
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def member(kind: type, values: Values) -> Any:
    """Return a member of an enumeration, or None for other classes."""
    members = list(kind) if issubclass(kind, enum.Enum) else []
    return values.pick(["literal", members]) if members else None
