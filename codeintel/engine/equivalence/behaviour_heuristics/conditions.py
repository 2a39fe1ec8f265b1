"""Whether things are done under the same conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    Atom,
    Logic,
    Unit,
    logic_of,
    masked,
    weak,
)
from codeintel.engine.equivalence.behaviour_heuristics.replaced import Known, absorbs

_Paths = dict[str, list[frozenset[Atom]]]


def changed_conditions(one: Unit, other: Unit, known: Known) -> Iterator[str]:
    """Yield a sentence for what is joined in another way, and what is done when it was not."""
    mine = {_masked(each, known) for each in one.logic}
    theirs = {_masked(each, known) for each in other.logic}
    gone = {_texts(each): each for each in mine - theirs}
    if any(_texts(each) in gone for each in theirs - mine):
        yield "conditions are joined in another way"
    conditions = _texts_of(theirs, other, known)
    for sign, atoms in sorted(mine - theirs):
        named = {text for text, _ in atoms if "_" not in text}
        if sign and named - conditions and not absorbs(one, other, known):
            yield "a condition is missing"
            break
    before, after = _leaves(one, known), _leaves(other, known)
    for leaf in sorted(before.keys() & after.keys()):
        if len(before[leaf]) == len(after[leaf]) and _contradict(before[leaf], after[leaf]):
            yield "something is done under the opposite condition"
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
    """All conditions of a function."""
    found = {text for each in logic for text in _texts(each)}
    for paths in unit.leaves.values():
        found.update(masked(text, known.common).lstrip("|") for path in paths for text, _ in path)
    return found


def _leaves(unit: Unit, known: Known) -> _Paths:
    """What is done, where it is done under conditions; what both sides name, by that name."""
    found: _Paths = {}
    for leaf, paths in unit.leaves.items():
        said = masked(leaf, known.common)
        for path in paths:
            same = frozenset((masked(text, known.common), holds) for text, holds in path)
            found.setdefault(said, []).append(same)
    return found


def _contradict(before: list[frozenset[Atom]], after: list[frozenset[Atom]]) -> bool:
    """Whether a condition that always was to hold now never is, or the other way round."""
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
    """Whether of several times one is under another condition, and all else is as it was."""
    old, new = Counter(before), Counter(after)
    gone, added = list((old - new).elements()), list((new - old).elements())
    if len(gone) != 1 or len(added) != 1:
        return False
    return {text for text, _ in gone[0]} == {text for text, _ in added[0]}
