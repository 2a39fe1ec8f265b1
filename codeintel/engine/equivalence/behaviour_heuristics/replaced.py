"""What may stand for something else in new code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from codeintel.engine.equivalence.behaviour_heuristics.operations import Operation, Program, Unit

_CONVERSIONS = frozenset(
    {
        *(
            "list",
            "tuple",
            "dict",
            "set",
            "str",
            "iter",
            "bool",
            "print",
            "len",
            "range",
            "toString",
        ),
        *("String", "println", "printf", "log", "unwrap", "clone", "to_string", "into", "iter"),
    }
)
"""Calls that hardly do anything for which other code could have been given up."""
_NO_WAYS = frozenset({"falls", "returns", "given", "del", "Try"})


class Known(NamedTuple):
    """A function on both sides, in the programs that it is in.

    :param gone: names of functions that only the original has.
    :param helpers: names of functions and classes that only the result has.
    :param words: what the result names anywhere.
    :param common: the names that both sides have: others may have been given new ones.
    """

    one: Unit
    other: Unit
    before: Program
    after: Program
    gone: set[str]
    helpers: set[str]
    words: set[str]
    common: set[str]


def new_calls(known: Known) -> set[str]:
    """What is called that was not, and is nothing that the result itself defines."""
    return known.other.calls.keys() - known.one.calls.keys() - known.helpers - _CONVERSIONS


def absorbs(one: Unit, other: Unit, known: Known) -> bool:
    """Whether there is something new that may do what was done before in other words."""
    if any(other.ways[way] > one.ways[way] for way in other.ways if way not in _NO_WAYS):
        return True
    if len(other.members) > len(one.members) and len(other.equals) < len(one.equals):
        return True
    return bool(new_calls(known))


def permuted(operation: Operation, among: Iterable[Operation]) -> bool:
    """Whether one of some operations is the same with its parts in another order."""
    several = sorted(operation[1:])
    return any(
        each[0] == operation[0] and each != operation and sorted(each[1:]) == several
        for each in among
        if len(each) == len(operation)
    )


def resolved(text: str, program: Program, unit: Unit) -> str:
    """The literal that a name stands for."""
    name = text.rpartition(".")[2] if text[:1].isalpha() or text[:1] == "_" else text
    if text in unit.assigned:  # a variable, unless it is given a value once
        return unit.constants.get(text, text) if unit.assigned[text] == 1 else text
    return program.constants.get(name, text)
