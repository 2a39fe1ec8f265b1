"""What the functions of a program do, in terms that all languages have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field, fields

Operation = tuple[str, ...]
"""What is done and what it is done to: `("<", "a", "b")`."""
Atom = tuple[str, bool]
"""A condition with no connective in it, and whether it must hold."""
Logic = tuple[str, tuple[Atom, ...]]
_MAX_TEXT = 120
_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"""'[^']*'|[^\W\d][\w$]*""")
_KEPT = frozenset(
    {
        *("return", "raise", "yield", "each", "assert", "in", "not", "and", "or", "new", "await"),
        *(
            "True",
            "False",
            "None",
            "true",
            "false",
            "null",
            "nil",
            "undefined",
            "continue",
            "break",
        ),
    }
)
MODULE = ""
"""The name of what stands outside of all functions."""


@dataclass(slots=True)
class Unit:
    """What one function does, with those that are defined in it.

    :param orders: comparisons by size, as `("<", less, more)` of whatever is their negation.
    :param swappable: what is done to several things, for which their order matters.
    :param values: `True`, `None`, `0`, `1` and the like, where they are assigned or returned.
    :param arguments: such values where they are given to something: callee, place, value.
    :param ways: other means to do things, such as a comprehension or an f-string.
    :param leaves: what is done only under conditions, and those conditions.
    """

    line: int = 1
    private: bool = False
    parameters: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    used: Counter[str] = field(default_factory=Counter)
    orders: Counter[Operation] = field(default_factory=Counter)
    equals: Counter[Operation] = field(default_factory=Counter)
    members: Counter[Operation] = field(default_factory=Counter)
    logic: Counter[Logic] = field(default_factory=Counter)
    arithmetic: Counter[str] = field(default_factory=Counter)
    swappable: Counter[Operation] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    arguments: Counter[Operation] = field(default_factory=Counter)
    raised: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    assigned: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    defaults: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, list[frozenset[Atom]]] = field(default_factory=dict)
    sequences: set[Operation] = field(default_factory=set)

    def merge(self, other: Unit) -> None:
        """Add what another one does, as if it were done here."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if each.name in ("parameters", "line", "private", "defaults"):
                continue
            if each.name == "leaves":
                for leaf, paths in other.leaves.items():
                    self.leaves.setdefault(leaf, []).extend(paths)
            else:
                mine.update(theirs)  # a set, a dictionary, or a counter, which adds up


@dataclass(slots=True)
class Program:
    """The units by name, such as `Order.total`; names of classes; how many tokens or statements.

    :param constants: names of the module and of classes that are given a literal, and that.
    :param fields: other names that it defines, which may stand for a function.
    """

    units: dict[str, Unit] = field(default_factory=lambda: {MODULE: Unit()})
    classes: dict[str, int] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    fields: set[str] = field(default_factory=set)
    size: int = 0


def weak(text: str) -> str:
    """A condition that is one of several: it need not be as it says, if another one is."""
    return f"|{text.lstrip('|')}"


def plain(text: str) -> str:
    """Code on one line without spaces, with one kind of quotes, of bounded length."""
    if len(text) > _MAX_TEXT:
        text = text[: _MAX_TEXT // 2] + text[-_MAX_TEXT // 2 :]
    return _SPACE.sub("", text).replace('"', "'").replace("this.", "self.")


def masked(text: str, common: Container[str]) -> str:
    """A text in which names that only one side knows are all the same."""

    def same(match: re.Match[str]) -> str:
        name = match[0]
        return name if name in common or name in _KEPT or name[0] == "'" else "_"

    return _NAME.sub(same, text)


def logic_of(connective: str, atoms: Iterable[Atom]) -> Logic:
    """`a and b` and `not (not a or not b)` are one: the first by name is always to hold."""
    several = tuple(sorted(set(atoms)))
    if several and not several[0][1]:
        connective = "or" if connective == "and" else "and"
        several = tuple((text, not holds) for text, holds in several)
    return connective, several


def ordered(sign: str, left: str, right: str) -> tuple[Operation, bool]:
    """A comparison by size, as one by `<` and whether that is to hold."""
    if sign in ("<", ">="):
        return ("<", left, right), sign == "<"
    return ("<", right, left), sign == ">"


def equal(left: str, right: str) -> Operation:
    """A comparison of two that are as well the other way round."""
    return ("==", *sorted((left, right)))
