"""Whole numbers divided by whole numbers."""

from __future__ import annotations

from dataclasses import replace

from codeintel.engine.equivalence.path_trees.terms import (
    State,
    Term,
    Then,
    Tree,
    WithValue,
    constant,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import bounds


def divided(name: str, a: Term, b: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """`a // b` or `a % b`, which raise with words of their own if b is zero."""

    def go(s: State) -> Tree:
        if name == "Mod":
            return then(rest(a, b), s)
        if a[:2] == ("op", "USub"):
            return _turned(a[2], b, s, then, low)
        return then(quotient(a, b), s)

    return divisible(name, b, state, go, low)


def _turned(a: Term, b: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """`-a // b` is told by `a // b`: it is one less than its opposite if there is a rest."""
    minus: Term = ("op", "USub", quotient(a, b), "int")
    return low.truth(
        rest(a, b),
        state,
        lambda s: then(("op", "Sub", minus, constant(1), "int"), s),
        lambda s: then(minus, s),
    )


def divisible(name: str, b: Term, state: State, then: Then, low: Lowering) -> Tree:
    """Go on if one can divide by b."""
    if bounds.is_nonzero(b, state):
        return then(state)

    def known(_: Term, s: State) -> Tree:
        return then(replace(s, fixed={**s.fixed, ("true", b): True}))

    return low.machine.read(f"can do {name}", (b,), state, known)


def quotient(a: Term, b: Term) -> Term:
    """`a // b`."""
    match a, b:
        case ("op", "FloorDiv", one, ("c", "int", first), _), ("c", "int", second):
            if int(first) > 0 and int(second) > 0:
                return quotient(one, constant(int(first) * int(second)))
        case ("op", "Mod", one, ("c", "int", first), _), ("c", "int", second):
            if int(second) > 0 and int(first) > 0 and not int(first) % int(second):
                return rest(quotient(one, b), constant(int(first) // int(second)))
        case ("c", "int", first), ("c", "int", second) if int(second):
            return constant(int(first) // int(second))
    return ("op", "FloorDiv", a, b, "int")


def rest(a: Term, b: Term) -> Term:
    """`a % b`."""
    match a, b:
        case ("op", "Mod", one, ("c", "int", first), _), ("c", "int", second):
            if int(second) > 0 and int(first) > 0 and not int(first) % int(second):
                return rest(one, b)
        case ("c", "int", first), ("c", "int", second) if int(second):
            return constant(int(first) % int(second))
    return ("op", "Mod", a, b, "int")


def difference(a: Term, b: Term) -> Term:
    """`a - b`: without all that b goes into a it is the rest."""
    match b:
        case ("op", "Mult", ("op", "FloorDiv", one, other, _), again, _) | (
            "op",
            "Mult",
            again,
            ("op", "FloorDiv", one, other, _),
            _,
        ) if one == a and other == again:
            return rest(a, other)
    return ("op", "Sub", a, b, "int")
