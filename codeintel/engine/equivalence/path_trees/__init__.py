"""Represent the paths through a function as a tree: what it evaluates, asks and changes, in order.

A tree holds no variable names and no statements. Each path from its root lists events in order,
until the function returns or raises. Two functions with the same tree do the same, however they are
written. Languages differ in how code becomes a tree, but share the tree and its loops and
collections.

A term is a tuple: the kind of value, then its parts. It never names a variable.

- ``("c", type, text)``: a constant
- ``("p", place)``: a parameter
- ``("g", name)``: something that the module or the language binds once
- ``("e", number, kind)``: the result of the event with that number on the path
- ``("phi", number, name, kind)``: a variable at the head of the loop with that number
- ``("fold", loop, kind)``: what a loop leaves in a variable that does nothing else
- ``(operator, ...)``: a value computed from other terms without an event: it neither raises nor
  changes anything
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
"""The limit on the parts of one value. A value that is repeatedly added to itself doubles them."""


class UnsupportedError(Exception):
    """The code has no tree, because it does something that is not supported."""


@dataclass(frozen=True, slots=True)
class Built:
    """A new collection that only one variable refers to.

    :param kind: `list`, `set`, `dict` or similar.
    :param term: what was added, in order.
    :param inside: the kind of all elements, or of a dict's values, or None while it is empty.
    """

    kind: str
    term: Term
    inside: str | None = None


Value = Term | Built


@dataclass(frozen=True, slots=True)
class State:
    """The facts known at a point of a path.

    :param names: the variables.
    :param count: the number of events so far.
    :param reads: what was read since the last possible change.
    :param facts: known answers to conditions, by term. `fixed` ones stay valid.
    :param regions: the surrounding regions in which errors may be caught.
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
        """Return the state with a variable bound to another value.

        :raises UnsupportedError: if the value has too many parts.
        """
        _weigh(value)
        return replace(self, names={**self.names, name: value})

    def unbind(self, *names: str) -> State:
        """Return the state without some variables."""
        return replace(self, names={k: v for k, v in self.names.items() if k not in names})

    def changed(self) -> State:
        """Return the state after an event that may have changed anything."""
        version = max(self.count, self.version + 1)
        return replace(self, reads={}, facts={}, version=version)

    def next(self) -> State:
        """Return the state after one more event."""
        return replace(self, count=self.count + 1)

    def knowing(self, asked: Term, answer: bool, is_fixed: bool) -> State:
        """Return the state with the answer to a condition."""
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
    """Return a constant. 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    return ("c", type(value).__name__, repr(value))


def kind_of(term: Value) -> str:
    """Return the kind of a value, such as `int`, or an empty string if it is unknown."""
    if isinstance(term, Built):
        return term.kind
    if term[0] == "c":
        return str(term[1])
    if term[0] in {"e", "phi", "p", "op", "x", "fold"}:
        return str(term[-1])
    return ""


def bare(value: Value) -> Term:
    """Return a value as a term."""
    return ("built", value.kind, value.term) if isinstance(value, Built) else value
