"""Check that functions still make the same calls, under the same conditions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    Atom,
    Logic,
    Operation,
    Program,
    Unit,
    logic_of,
    masked,
    weak,
)
from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import listed

_FREE = listed("""getattr setattr list dict set tuple str format keys bool len range iter super
    object type String toString valueOf intValue iterator collect into to_string
    clone stream then size length count __init__ Array Object hasOwnProperty indexOf
    concat call bind""")
"""Calls that may vanish without a replacement, because other syntax does the same."""
_PLAIN = listed("""append extend add insert push push_back put set get items update setdefault
    close acquire release split repr keys values join format enumerate zip map
    filter reduce sum max min any all isinstance hasattr getattr next iter int
    float abs sort reverse has_key isset array_key_exists assign copy startswith
    endswith forEach slice splice charAt substring substr equals each collect
    Sprintf sprintf apply""")
"""Calls that a comprehension, a `with` statement or similar syntax can replace."""
_ASKING = listed("containsKey ContainsKey contains has hasOwnProperty has_key")
_CHANGING = listed("""clear popitem remove insert reverse discard delete destroy drop truncate reset
    shutdown terminate retainAll removeAll splice shift unshift setattr delattr""")


_CALLEE = re.compile(r"([\w$]+)\(")
_OPPOSITES = [
    each.split("/")
    for each in listed("""any/all some/every min/max ceil/floor startswith/endswith
        startsWith/endsWith lower/upper
        toLowerCase/toUpperCase lstrip/rstrip trimStart/trimEnd first/last push/pop lock/unlock
        encode/decode add/remove add/discard increment/decrement union/intersection
        isdisjoint/issubset issubset/issuperset start/stop open/close enable/disable show/hide
        shift/pop unshift/push head/tail before/after isBefore/isAfter find/findLast
        indexOf/lastIndexOf find/rfind index/rindex match/search match/fullmatch
        search/fullmatch""")
]


def changed_calls(one: Unit, other: Unit, known: Known) -> Iterator[str]:
    """Yield a sentence for calls that vanished without a replacement, and for new calls that
    modify their arguments."""
    gone = one.calls.keys() - other.calls.keys() - _FREE
    # A local helper whose name is gone was inlined or renamed.
    gone -= known.gone
    plain = gone & _PLAIN
    weighty = gone - _PLAIN - {"?"}
    if weighty:
        weighty -= other.names  # passed to another function, as in `map(f, xs)`
    if len(other.equals) > len(one.equals):
        weighty -= _ASKING  # a lookup can become a comparison with `null`
    fresh = len(new_calls(known))
    too_many = len(weighty) > fresh + (fresh > 0)  # one new call can replace two
    if too_many or (plain and not weighty and not absorbs(one, other, known)):
        yield "a call is missing"
    added = other.calls.keys() - one.calls.keys()
    if any(len({*pair} & gone) == len({*pair} & added) == 1 for pair in _OPPOSITES):
        yield "the opposite function is called"
    if _fewer(one, other, known) and not absorbs(one, other, known):
        yield "a call is missing that was made several times"
    changing = (other.calls.keys() - one.calls.keys()) & _CHANGING
    if changing and not (one.ways["del"] or gone):
        yield "a new call modifies its arguments"


def _fewer(one: Unit, other: Unit, known: Known) -> bool:
    """Return whether one of several calls that are statements vanished."""
    left = {masked(leaf, known.common) for leaf in other.leaves}
    for leaf in one.leaves:
        callee = _CALLEE.search(leaf) if leaf[-1:] == ")" else None
        name = callee[1] if callee else ""
        fewer = name and 0 < other.calls[name] < one.calls[name] and name not in _FREE
        if fewer and masked(leaf, known.common) not in left:
            return True
    return False


_Paths = dict[str, list[frozenset[Atom]]]


def changed_conditions(one: Unit, other: Unit, known: Known) -> Iterator[str]:
    """Yield a sentence for conditions that are joined differently, and for actions whose
    condition or order changed."""
    mine = {_masked(each, known) for each in one.logic}
    theirs = {_masked(each, known) for each in other.logic}
    gone = {_texts(each): each for each in mine - theirs}
    if any(_texts(each) in gone for each in theirs - mine):
        yield "conditions are combined differently"
    conditions = _texts_of(theirs, other, known)
    for sign, atoms in sorted(mine - theirs):
        named = {text for text, _ in atoms if "_" not in text}
        if sign and named - conditions and not absorbs(one, other, known):
            yield "a condition is missing"
            break
    before, after = _leaves(one, known), _leaves(other, known)
    for leaf in sorted(before.keys() & after.keys()):
        if len(before[leaf]) == len(after[leaf]) and _contradict(before[leaf], after[leaf]):
            yield "a condition is reversed"
            return
    for first, second in sorted(other.sequences - one.sequences):
        if (second, first) in one.sequences:
            yield "calls are in another order"
            return


def _masked(logic: Logic, known: Known) -> Logic:
    sign, atoms = logic
    return logic_of(sign, ((masked(text, known.common), holds) for text, holds in atoms))


def _texts(logic: Logic) -> tuple[str, ...]:
    return tuple(text for text, _ in logic[1])


def _texts_of(logic: set[Logic], unit: Unit, known: Known) -> set[str]:
    """Return all conditions of a function."""
    found = {text for each in logic for text in _texts(each)}
    for paths in unit.leaves.values():
        found.update(masked(text, known.common).lstrip("|") for path in paths for text, _ in path)
    return found


def _leaves(unit: Unit, known: Known) -> _Paths:
    """Return the conditions under which each action is done.

    Names that only one side knows are masked.
    """
    found: _Paths = {}
    for leaf, paths in unit.leaves.items():
        said = masked(leaf, known.common)
        for path in paths:
            same = frozenset((masked(text, known.common), holds) for text, holds in path)
            found.setdefault(said, []).append(same)
    return found


def _contradict(before: list[frozenset[Atom]], after: list[frozenset[Atom]]) -> bool:
    """Return whether a condition that always held now never holds, or the reverse."""
    old, new = _all(before), _all(after)
    for text, holds in old.items():
        now = new.get(text)
        if now is None:
            now = new.get(text[1:] if text.startswith("|") else weak(text))
        if now is not None and now.isdisjoint(holds):
            return True
    return len(before) > 1 and _swapped(before, after)


def _all(paths: list[frozenset[Atom]]) -> dict[str, set[bool]]:
    found: dict[str, set[bool]] = {}
    for path in paths:
        for text, holds in path:
            found.setdefault(text, set()).add(holds)
    return found


def _swapped(before: list[frozenset[Atom]], after: list[frozenset[Atom]]) -> bool:
    """Return whether exactly one occurrence moved under the opposite conditions."""
    old, new = Counter(before), Counter(after)
    gone, added = list((old - new).elements()), list((new - old).elements())
    if len(gone) != 1 or len(added) != 1:
        return False
    return {text for text, _ in gone[0]} == {text for text, _ in added[0]}


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
"""Calls that are too trivial to have replaced other code."""
_NO_WAYS = frozenset({"falls", "returns", "given", "del", "Try"})


class Known(NamedTuple):
    """A function on both sides, with the programs that contain it.

    :param gone: names of functions that only the original has.
    :param helpers: names of functions and classes that only the result has.
    :param words: all names that the result uses.
    :param common: names that both sides have. Other names may have been renamed.
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
    """Return the names of new calls to functions that the result does not define itself."""
    return known.other.calls.keys() - known.one.calls.keys() - known.helpers - _CONVERSIONS


def absorbs(one: Unit, other: Unit, known: Known) -> bool:
    """Return whether the result has new constructs that can do the missing work in another way."""
    if any(other.ways[way] > one.ways[way] for way in other.ways if way not in _NO_WAYS):
        return True
    if len(other.members) > len(one.members) and len(other.equals) < len(one.equals):
        return True
    return bool(new_calls(known))


def permuted(operation: Operation, among: Iterable[Operation]) -> bool:
    """Return whether one of the operations has the same operands in another order."""
    several = sorted(operation[1:])
    return any(
        each[0] == operation[0] and each != operation and sorted(each[1:]) == several
        for each in among
        if len(each) == len(operation)
    )


def resolved(text: str, program: Program, unit: Unit) -> str:
    """Return the literal that a name stands for, or the text itself."""
    name = text.rpartition(".")[2] if text[:1].isalpha() or text[:1] == "_" else text
    if text in unit.assigned:  # a local variable counts only if it is assigned once
        return unit.constants.get(text, text) if unit.assigned[text] == 1 else text
    return program.constants.get(name, text)
