"""Compare two trees whose conditions are in a different order.

Both trees are walked together, event by event. One tree may ask a condition alone, or earlier, if
the condition neither raises nor changes anything. Both answers are followed, and each is
remembered. Integers may be computed differently. The variables of a loop are sorted into classes.
Members of a class are equal when the loop begins and after each iteration, whichever program they
belong to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from codeintel.engine.equivalence.path_trees import (
    POISON,
    Term,
    Tree,
    UnsupportedError,
    kind_of,
)
from codeintel.engine.equivalence.python_paths import whole_numbers
from codeintel.engine.equivalence.python_paths.whole_numbers import bare_of

_MOST_STEPS = 100_000
_Key = tuple[int, int, str]
"""The program, the loop and the variable."""
_Known = tuple[tuple[Term, bool], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Held:
    """A function or a loop within a term: its tree, and the values of the surrounding variables."""

    side: int
    tree: Tree
    around: Mapping[_Key, Term]

    def __hash__(self) -> int:
        return hash(self.side)


@dataclass(slots=True)
class _Class:
    """Variables of a loop that always have the same value.

    :param first: their value when the loop begins.
    :param steady: whether they keep this value.
    """

    members: list[_Key]
    first: Term | None
    steady: bool


@dataclass(slots=True)
class _Round:
    """The ends of a loop's iterations in both programs, with what is known there."""

    ends: list[tuple[Tree, Tree, Mapping[_Key, Term], _Known]] = field(default_factory=list)


def same(one: Tree, other: Tree) -> bool:
    """Return whether both trees do the same.

    :raises UnsupportedError: if the comparison takes too many steps.
    """
    return _Walk().same(one, other, {}, ())


class _Walk:
    def __init__(self) -> None:
        self._left = _MOST_STEPS
        self._rounds: dict[int, _Round] = {}

    def same(self, one: Tree, other: Tree, around: Mapping[_Key, Term], known: _Known) -> bool:
        while True:
            self._left -= 1
            if self._left < 0:
                raise UnsupportedError("too many paths to compare")
            if one[0] == "choice" or other[0] == "choice":
                side = 0 if one[0] == "choice" else 1
                chosen = other if side else one
                asked = _resolved(chosen[1], side, around)
                if _is_poisoned(asked):
                    return False
                answer = self._answer(asked, known)
                if answer is not None:
                    chosen = chosen[2] if answer else chosen[3]
                    one, other = (one, chosen) if side else (chosen, other)
                    continue
                yes, no = ((asked, True), *known), ((asked, False), *known)
                if side:
                    return self.same(one, chosen[2], around, yes) and self.same(
                        one, chosen[3], around, no
                    )
                return self.same(chosen[2], other, around, yes) and self.same(
                    chosen[3], other, around, no
                )
            if one[0] != other[0]:
                return False
            match one[0]:
                case "event":
                    if one[1] != other[1] or not self._alike(one[2], other[2], around, known):
                        return False
                    if one[1] == "id" and one[2] != other[2]:
                        return False
                    one, other = one[3], other[3]
                case "end":
                    if one[1] != other[1]:
                        return False
                    one, other = one[2], other[2]
                case "branch":
                    if not self._alike(one[1], other[1], around, known):
                        return False
                    if not self.same(one[2], other[2], around, known):
                        return False
                    one, other = one[3], other[3]
                case "region":
                    if not self._region(one, other, around, known):
                        return False
                    one, other = one[4], other[4]
                case "nested":
                    return (
                        self._alike(one[1], other[1], around, known)
                        and len(one[2]) == len(other[2])
                        and all(
                            self.same(a, b, around, known)
                            for a, b in zip(one[2], other[2], strict=True)
                        )
                    )
                case "loop":
                    found = self._loop(one, other, around, known)
                    if found is None:
                        return False
                    around, one, other = found, one[5], other[5]
                case "next":
                    if one[1] != other[1] or one[1] not in self._rounds:
                        return False
                    self._rounds[one[1]].ends.append((one, other, around, known))
                    return True
                case _:
                    return self._alike(one, other, around, known)

    def _region(self, one: Tree, other: Tree, around: Mapping[_Key, Term], known: _Known) -> bool:
        if one[1] != other[1] or len(one[3]) != len(other[3]):
            return False
        return self._alike(one[2], other[2], around, known) and all(
            self.same(a, b, around, known) for a, b in zip(one[3], other[3], strict=True)
        )

    def _loop(
        self, one: Tree, other: Tree, around: Mapping[_Key, Term], known: _Known
    ) -> Mapping[_Key, Term] | None:
        """Return the values of the variables in the loop, or None if the loops are not shown to
        do the same."""
        number = one[1]
        if number != other[1] or not self._alike(one[2], other[2], around, known):
            return None
        classes = self._begun(one, other, around, known)
        outside = self._rounds.get(number)
        marks = {n: len(each.ends) for n, each in self._rounds.items()}
        try:
            while True:
                for n, mark in marks.items():
                    del self._rounds[n].ends[mark:]
                self._rounds[number] = _Round()
                inside = {**around, **_values(classes, number)}
                fits = self.same(one[4], other[4], inside, known)
                if self._split(classes, self._rounds[number]):
                    continue
                return inside if fits else None
        finally:
            self._rounds.pop(number, None)
            if outside is not None:
                self._rounds[number] = outside

    def _begun(
        self, one: Tree, other: Tree, around: Mapping[_Key, Term], known: _Known
    ) -> list[_Class]:
        classes: list[_Class] = []
        for side, tree in ((0, one), (1, other)):
            for name, value in tree[3]:
                key = (side, tree[1], name)
                first = _resolved(value, side, around)
                if _is_poisoned(first):
                    classes.append(_Class([key], None, False))
                    continue
                for each in classes:
                    if each.first is not None and self._equal(each.first, first, known):
                        each.members.append(key)
                        break
                else:
                    classes.append(_Class([key], first, True))
        return classes

    def _split(self, classes: list[_Class], rounds: _Round) -> bool:
        """Split the classes whose members differ at the end of an iteration.

        Return whether any was split.
        """
        changed = False
        for one, other, around, known in rounds.ends:
            values = {
                (side, tree[1], name): _resolved(value, side, around)
                for side, tree in ((0, one), (1, other))
                for name, value in tree[2]
            }
            for each in list(classes):
                groups: list[tuple[Term, list[_Key]]] = []
                for key in each.members:
                    value = values.get(key, POISON)
                    for first, group in groups:
                        if not _is_poisoned(value) and self._equal(first, value, known):
                            group.append(key)
                            break
                    else:
                        groups.append((value, [key]))
                stays = each.steady and each.first is not None
                if stays and any(
                    _is_poisoned(value) or not self._equal(each.first or POISON, value, known)
                    for value, _ in groups
                ):
                    each.steady, changed = False, True
                if len(groups) > 1:
                    changed = True
                    classes.remove(each)
                    classes.extend(_Class(group, each.first, False) for _, group in groups)
        return changed

    def _answer(self, asked: Term, known: _Known) -> bool | None:
        self._left -= len(known) // 2
        for condition, answer in known:
            if self._equal(condition, asked, ()):
                return answer
            if answer and _excludes(condition, asked):
                return False
        return whole_numbers.decided(asked, known)

    def _alike(self, a: Any, b: Any, around: Mapping[_Key, Term], known: _Known) -> bool:
        one, other = _resolved(a, 0, around), _resolved(b, 1, around)
        if _is_poisoned(one) or _is_poisoned(other):
            return False
        return self._equal(one, other, known)

    def _equal(self, a: Any, b: Any, known: _Known) -> bool:
        """Return whether two terms have the same value."""
        if isinstance(a, _Held) and isinstance(b, _Held):
            if a.side == b.side:
                return a.tree == b.tree and a.around == b.around
            one, other = (a, b) if a.side == 0 else (b, a)
            return one.around == other.around and self.same(one.tree, other.tree, one.around, ())
        if not isinstance(a, tuple) or not isinstance(b, tuple):
            return type(a) is type(b) and bool(a == b)
        if a and b and a[0] == b[0] and len(a) == len(b) and self._parts_equal(a, b, known):
            return True
        whole = a and b and whole_numbers.is_whole(a) and whole_numbers.is_whole(b)
        return bool(whole) and whole_numbers.equal(a, b, known)

    def _parts_equal(self, a: Term, b: Term, known: _Known) -> bool:
        match a[0]:
            case "e" | "p" | "x" if len(a) == 3:
                return bool(a[1] == b[1])
            case "phi" if len(a) == 4:
                return bool(a[1:3] == b[1:3])
            case "c":
                return a == b
            case "is":
                # Equal numbers may be different objects.
                return bare_of(a) == bare_of(b)
            case "op" | "fold":
                a, b = a[:-1], b[:-1]
        return all(self._equal(x, y, known) for x, y in zip(a, b, strict=True))


def _excludes(known: Term, asked: Term) -> bool:
    """Return whether a string that equals one constant cannot equal another."""
    match known, asked:
        case ("==", one, ("c", "str", text)), ("==", other, ("c", "str", word)):
            return kind_of(one) == "str" and bare_of(one) == bare_of(other) and text != word
    return False


def _values(classes: Sequence[_Class], number: int) -> dict[_Key, Term]:
    """Return the term that stands for the variables of each class."""
    found: dict[_Key, Term] = {}
    for place, each in enumerate(classes):
        value = each.first
        if value is None or not each.steady:
            kind = "" if value is None else kind_of(value)
            value = ("phi", number, f"~{place}", kind)
        elif value[0] == "built":
            value = value[2]  # the variable of a collection stands for its content
        found.update(dict.fromkeys(each.members, value))
    return found


def _resolved(term: Any, side: int, around: Mapping[_Key, Term]) -> Any:
    """Resolve a term so that both programs share its names."""
    if not isinstance(term, tuple):
        return term
    if len(term) == 4 and term[0] == "phi":
        value = around.get((side, term[1], term[2]))
        if value is None:
            raise UnsupportedError("a variable of an unknown loop")
        if value[0] == "phi" and value[3] != term[3]:
            return (*value[:3], term[3])
        return value
    if term and term[0] == "fn":
        parts = tuple(_resolved(each, side, around) for each in term[1:-1])
        return ("fn", *parts, _Held(side, term[-1], around))
    if len(term) == 3 and term[0] == "fold":
        return ("fold", _Held(side, term[1], around), term[2])
    return tuple(_resolved(each, side, around) for each in term)


def _is_poisoned(term: Any) -> bool:
    if not isinstance(term, tuple):
        return False
    return term == POISON or any(_is_poisoned(each) for each in term)
