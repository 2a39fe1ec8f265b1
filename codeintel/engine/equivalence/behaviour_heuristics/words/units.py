"""Which functions of the result stand for which of the original."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

from codeintel.engine.equivalence.behaviour_heuristics.operations import MODULE, Program, Unit


def pairs(before: Program, after: Program) -> Iterator[tuple[str, Unit, Unit]]:
    """Yield each function that is in both, with what helpers do of which only one side knows: some
    may have been taken out of it, or put into it. What is left goes with the module."""
    gone, new = _only(before, after), _only(after, before)
    sides = ((before, gone, set[str]()), (after, new, set[str]()))
    for name in before.units:
        if name != MODULE and name in after.units:
            one, other = (_with(side[0], name, side[1], side[2]) for side in sides)
            yield name, one, other
    rest = []
    for program, only, reached in sides:
        unit = _with(program, MODULE, only, reached)
        rest.append(_merged(unit, [program.units[name] for name in sorted(only - reached)]))
    yield MODULE, rest[0], rest[1]


def _only(one: Program, other: Program) -> set[str]:
    return one.units.keys() - other.units.keys()


def _with(program: Program, name: str, only: set[str], reached: set[str]) -> Unit:
    """A unit with those of some others that it leads to."""
    by_name: dict[str, list[str]] = {}
    for each in only:
        by_name.setdefault(short(each), []).append(each)
    found: list[str] = []
    waiting = [program.units[name]]
    while waiting:
        unit = waiting.pop()
        for word in sorted(by_name.keys() & unit.names):
            for each in by_name.pop(word):
                found.append(each)
                waiting.append(program.units[each])
    reached.update(found)
    return _merged(program.units[name], [program.units[each] for each in found])


def _merged(unit: Unit, others: list[Unit]) -> Unit:
    if not others:
        return unit
    whole = deepcopy(unit)
    for each in others:
        whole.merge(each)
    return whole


def united(program: Program) -> Unit:
    """The whole program as one unit."""
    return _merged(Unit(), list(program.units.values()))


def shorts(program: Program) -> set[str]:
    """The names of all functions without their classes."""
    return {short(name) for name in program.units}


def short(name: str) -> str:
    """The name of a function without the class that it is in."""
    return name.rpartition(".")[2].rstrip("'")
