"""Questions about the types of values: of the language's own, and what follows from answers."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.equivalence.path_trees.terms import State, Term, Then, Tree, kind_of
from codeintel.engine.equivalence.python_paths.kinds import base_of
from codeintel.engine.equivalence.python_paths.lowering import Lowering

_SOLID = frozenset(
    {"int", "str", "float", "bytes", "list", "dict", "set", "frozenset", "tuple", "complex"}
)
"""Types of which no class can inherit from two."""
_OWN = _SOLID | {"bool", "type", "object", "bytearray", "range", "slice"}


def asked(
    value: Term, kinds: Term, state: State, yes: Then, no: Then, low: Lowering
) -> Tree | None:
    """`isinstance(x, A)` or `isinstance(x, (A, B))` of the language's own types, one after the
    other; None for others."""
    several = kinds[1:] if kinds[0] == "tuple" else (kinds,)
    if not several or not all(each[0] == "g" and each[1] in _OWN for each in several):
        return None
    if not all(low.context.means_builtin(each[1]) for each in several):
        return None

    def go(left: tuple[Term, ...], s: State) -> Tree:
        if not left:
            return no(s)
        known = _known(value, left[0][1], s)
        if known is not None:
            return yes(s) if known else go(left[1:], s)
        question: Term = ("op", "isinstance", value, left[0][1], "bool")
        return low.truth(question, s, yes, lambda s2: go(left[1:], s2))

    return go(several, state)


def _known(value: Term, kind: str, state: State) -> bool | None:
    """Whether a value is of a type, as far as its kind and earlier questions tell."""
    if kind == "object":
        return True
    for own in _kinds(value, state):
        if own == kind:
            return True
        if own == "NoneType" or (own in _SOLID and kind in _SOLID):
            return False
        if own in _SOLID - {"int"} and kind == "bool":
            return False
    return None


def _kinds(value: Term, state: State) -> Iterator[str]:
    if value[0] == "tuple":
        yield "tuple"
    yield base_of(kind_of(value))
    for kind in sorted(_OWN):
        if state.fixed.get(("true", ("op", "isinstance", value, kind, "bool"))):
            yield kind
            if kind == "bool":
                yield "int"
