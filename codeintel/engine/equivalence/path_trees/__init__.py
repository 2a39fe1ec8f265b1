"""Trees of the paths through a function: what is evaluated, asked and changed, in order.

A tree holds no names of variables and no statements. Each path from its root says what happens, one
event after another, until the function returns or raises. Two functions with the same tree do the
same, however they are written. Languages differ in how their code becomes a tree; what a tree is,
and how loops and collections are kept in it, is the same for all.

A term is a tuple: what kind of value it is, then its parts. It never names a variable.

- ``("c", type, text)``: a constant
- ``("p", place)``: a parameter
- ``("g", name)``: something that the module or the language binds once
- ``("e", number, kind)``: what the event of that number on the path has given
- ``("phi", number, name, kind)``: a variable at the head of the loop with that number
- ``("fold", loop, kind)``: what a loop leaves in a variable that does nothing else
- ``(operator, ...)``: what other terms give without an event: it neither raises nor changes
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Term = tuple[Any, ...]
Tree = tuple[Any, ...]

UNBOUND: Term = ("unbound",)
POISON: Term = ("poison",)
"""A variable whose value depends on where an exception was raised."""
MAYBE = "?"
"""The kind of a variable that may be unbound."""
MOST_PARTS = 2_000
"""Of one value. What adds a value to itself again and again doubles them."""


class UnsupportedError(Exception):
    """The code has no tree: it does what nothing here follows."""


@dataclass(frozen=True, slots=True)
class Built:
    """A collection that was made here and that only one variable holds, so far.

    :param kind: `list`, `set`, `dict` or the like.
    :param term: what was put in, in order.
    :param inside: the kind of all its elements, or of a dict's values; None while it is empty.
    """

    kind: str
    term: Term
    inside: str | None = None


Value = Term | Built


@dataclass(frozen=True, slots=True)
class State:
    """What is known at a place of a path.

    :param names: the variables.
    :param count: how many events there were.
    :param reads: what was read since something may have changed.
    :param facts: what conditions were found to be, by their terms; `fixed` ones stay.
    :param regions: the regions around, in which errors may be caught.
    :param version: the number of the last event that may have changed anything.
    """

    names: Mapping[str, Value]
    count: int = 0
    reads: Mapping[Term, Term] = field(default_factory=dict)
    facts: Mapping[Term, bool] = field(default_factory=dict)
    fixed: Mapping[Term, bool] = field(default_factory=dict)
    regions: tuple[int, ...] = ()
    version: int = 0

    def bind(self, name: str, value: Value) -> State:
        """With another value of a variable.

        :raises UnsupportedError: for a value that is made of too many others.
        """
        _weigh(value)
        return replace(self, names={**self.names, name: value})

    def unbind(self, *names: str) -> State:
        """Without some variables."""
        return replace(self, names={k: v for k, v in self.names.items() if k not in names})

    def changed(self) -> State:
        """After something that may have changed anything."""
        version = max(self.count, self.version + 1)
        return replace(self, reads={}, facts={}, version=version)

    def next(self) -> State:
        """After one more event."""
        return replace(self, count=self.count + 1)

    def knowing(self, asked: Term, answer: bool, is_fixed: bool) -> State:
        """With the answer to a condition."""
        if is_fixed:
            return replace(self, fixed={**self.fixed, asked: answer})
        return replace(self, facts={**self.facts, asked: answer})


def _weigh(value: Value) -> None:
    left, stack = MOST_PARTS, [value.term if isinstance(value, Built) else value]
    while stack:
        for part in stack.pop():
            if isinstance(part, tuple):
                left -= 1
                stack.append(part)
        if left < 0:
            raise UnsupportedError("a value of too many parts")


Then = Callable[[State], Tree]
With = Callable[[Term, State], Tree]
WithValue = Callable[[Value, State], Tree]


def constant(value: object) -> Term:
    """A constant: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    return ("c", type(value).__name__, repr(value))


def kind_of(term: Value) -> str:
    """The kind of a value, such as `int`; empty if nobody knows."""
    if isinstance(term, Built):
        return term.kind
    if term[0] == "c":
        return str(term[1])
    if term[0] in {"e", "phi", "p", "op", "x", "fold"}:
        return str(term[-1])
    return ""


def bare(value: Value) -> Term:
    """A value as a term."""
    return ("built", value.kind, value.term) if isinstance(value, Built) else value
