"""Search for calls that reach goals in a program's changed functions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from random import Random
from typing import Any

from .calling import Caller
from .coverage.branches import instrumented
from .coverage.changes import focus, kept_classes, reaching
from .coverage.comparisons import NAME
from .coverage.differences import differences
from .coverage.goals import EXCHANGE, Goal, Goals, Reached
from .outcome import RAISED, TIME, UNSUITED, VALUE, Outcome, clock
from .plan import Call, Target
from .values.canonical import UNSEEN
from .values.constants import Pools, pools
from .values.plain import UNORDERED

ENOUGH = 400
"""The number of calls of a function that matters, even if everything is reached earlier."""
OF_CLASSES = 700
"""The same for a class, which needs more because its methods depend on each other."""
_MAX_CALLS = 1_500
_MAX_KEPT = 60
_EXCHANGED = 0.08
"""How often two values of an earlier call are exchanged."""
_MAX_EXACT = 2**53
Numbered = tuple[int, str, str]


class Guide:
    """The code of a program that matters, compared with the other program.

    :param tree: the program's tree, which is instrumented in place.
    """

    def __init__(self, tree: ast.Module, other: ast.Module | None) -> None:
        self.goals = Goals()
        self.focus: frozenset[str] = frozenset()
        self.pools: Pools = pools([tree] if other is None else _shared(tree, other))
        """The values to call with, equal for both programs."""
        if other is not None:
            here, there = focus(tree, other), focus(other, tree)
            self.focus = here
            self._reaches = reaching(tree)
            UNSEEN.classes = kept_classes(tree, other)
            found = differences(tree, other, here, there)
            if found.fractions:
                self.pools["odd_float"] = list(UNORDERED)
            if found.unsettled:
                self.goals.place(found.unsettled, 0, EXCHANGE, "never")
            instrumented(tree, here, self.goals, found)
            setattr(builtins, NAME, self.goals)
        self._random = Random(1)  # noqa: S311 - it must be foreseeable

    def matters(self, target: Target) -> bool:
        """Return whether a target runs a function that matters."""
        return bool(self.reached_by(target))

    def reached_by(self, target: Target) -> frozenset[str]:
        """Return the functions that matter and that a target runs, as far as names tell."""
        if target["sort"] != "function" or not self.focus:
            return frozenset()
        name = target["name"]
        own = {name, f"{name}.__init__"}
        if "." not in name:
            own |= {each for each in self.focus if each.startswith(f"{name}.")}
        return self.focus & own.union(*(self._reaches.get(each, frozenset()) for each in own))

    def missing(self, target: Target) -> dict[Reached, Goal]:
        """Return the missing goals that a call of the target can reach."""
        functions_ = self.reached_by(target)
        return {
            reached: goal
            for reached, goal in self.goals.missing(needed=False).items()
            if goal.function in functions_ and goal.what != EXCHANGE
        }

    def counted(self) -> list[tuple[str, int, int]]:
        """Return the number of reached goals and of all goals, by kind."""
        return list(self.goals.counts())

    def unreached(self) -> list[tuple[str, int, str]]:
        """Return the missing goals: function, line and sort."""
        found = {(each.function, each.line, each.what) for each in self.goals.missing().values()}
        return sorted(found)


def _shared(tree: ast.Module, other: ast.Module) -> list[ast.AST]:
    """Return both trees in an order that is the same on both sides."""
    return sorted([tree, other], key=ast.dump)


class Search:
    """Makes the calls of one target: those of the plan, then others as long as they help."""

    def __init__(self, caller: Caller, guide: Guide, target: Target, slow: int) -> None:
        self._caller = caller
        self._guide = guide
        self._target = target
        self._slow = slow
        self._kept: list[tuple[Call, list[Any], dict[int, tuple[Any, Any]]]] = []
        self._unsuited = 0
        self._made = 0
        self.calls: list[Call] = []
        self.telling: list[int] = []
        """The numbers of the calls that reached something new."""

    def repeated(self, calls: list[Call | None], begin: int, end: float) -> Iterator[Numbered]:
        """Repeat earlier calls and yield their outcomes.

        :param begin: the number of the first call.
        """
        slow = 0
        for index, call in enumerate(calls):
            if call is None:
                continue  # its outcome could not be compared
            status, digest = self._call((call[0], call[1]))
            yield begin + index, status, digest
            slow += status == TIME
            if slow >= self._slow or clock() > end:
                return

    def enough(self) -> int:
        """Return the minimum number of calls of a target that matters."""
        if self._caller.methods(self._target["name"]):
            return OF_CLASSES
        return ENOUGH if self._target["given"] else self._target["usual"]

    def usual(self, end: float) -> Iterator[Numbered]:
        """Make the calls of a target that does not matter."""
        yield from self._numbered(((n, {}) for n in range(self._target["usual"])), 0, end)

    def guided(self, begin: int, end: float) -> Iterator[Numbered]:
        """Make new calls until all goals are reached or time is up.

        :param begin: the number of the first call.
        """
        usual = self.enough()
        first: Iterator[Call] = ((number, {}) for number in range(begin, max(begin, usual)))
        yield from self._numbered(first, begin, end)
        while (
            clock() < end
            and begin + len(self.calls) < _MAX_CALLS
            and self._guide.missing(self._target)
        ):
            number = begin + len(self.calls)
            call = self._near() if self._kept and number % 4 else None
            yield from self._numbered(iter([call or (number, {})]), number, end)

    def more(self, begin: int, end: float) -> Iterator[Numbered]:
        """Make calls like :meth:`guided`, but only for goals that are still missing."""
        while (
            clock() < end
            and begin + len(self.calls) < _MAX_CALLS
            and self._guide.missing(self._target)
        ):
            number = begin + len(self.calls)
            call = self._near() if self._kept and number % 4 else None
            yield from self._numbered(iter([call or (number, {})]), number, end)

    def _numbered(self, calls: Iterator[Call], begin: int, end: float) -> Iterator[Numbered]:
        slow = 0
        for index, call in enumerate(calls):
            if clock() > end or slow >= self._slow:
                return
            self.calls.append(call)
            before = len(self._guide.goals.kept)
            status, digest = self._call(call)
            if len(self._guide.goals.kept) > before:
                self.telling.append(begin + index)
            yield begin + index, status, digest
            slow += status == TIME

    def _call(self, call: Call) -> Outcome:
        goals = self._guide.goals
        goals.begin()
        status, digest = self._caller.call(self._target, call)
        self._made += 1
        if status in (VALUE, RAISED):
            is_new = goals.keep()
            few = len(self._kept) < _MAX_KEPT // 2
            if (is_new or goals.near or few) and self._caller.leaves:
                self._keep(call, is_new=is_new)
        elif status == UNSUITED:
            self._unsuited += 1
        return status, digest

    def _keep(self, call: Call, *, is_new: bool) -> None:
        kept = (call, list(self._caller.leaves), dict(self._guide.goals.near))
        if len(self._kept) < _MAX_KEPT:
            self._kept.append(kept)
        elif is_new:
            self._kept[self._made % _MAX_KEPT] = kept

    def _near(self) -> Call | None:
        """Return a variant of an earlier call that changes a value by the distance by which a
        comparison was missed, or None."""
        random = self._guide._random
        where = self._guide.goals.where
        lines = {(goal.function, goal.line) for goal in self._guide.missing(self._target).values()}
        places = {place for place, line in where.items() if line in lines}
        close = [each for each in self._kept if places & each[2].keys()]
        call, leaves, near = random.choice(close or self._kept)
        if random.random() < _EXCHANGED:
            return _exchanged(call, leaves, random)
        aimed = [near[place] for place in sorted(places & near.keys())]
        index = random.randrange(len(leaves))
        texts = [number for number, each in enumerate(leaves) if isinstance(each, str)]
        sought = list(self._guide.goals.sought)
        if texts and sought and random.random() < 0.4:
            index, value = random.choice(texts), random.choice(sought)
        else:
            value = _towards(leaves[index], random.choice(aimed) if aimed else (0, 1), random)
        if not _can_travel(value):
            return None
        return call[0], {**call[1], str(index): value}


def _exchanged(call: Call, leaves: list[Any], random: Random) -> Call | None:
    """Return a call in which two values of the same type are exchanged, or None."""
    first = random.randrange(len(leaves))
    alike = [number for number, each in enumerate(leaves) if type(each) is type(leaves[first])]
    second = random.choice(alike)
    if not (_can_travel(leaves[first]) and _can_travel(leaves[second])):
        return None
    return call[0], {**call[1], str(first): leaves[second], str(second): leaves[first]}


def _towards(value: Any, aim: tuple[Any, Any], random: Random) -> Any:
    """Return a value that may make both sides of a comparison equal."""
    one, other = aim
    if isinstance(value, str):
        texts = [each for each in aim if isinstance(each, str)]
        texts = texts or [str(each) for each in aim if type(each) is int] or [value]
        text = random.choice(texts)
        part = next((each for each in (one, other) if isinstance(each, str) and each), "")
        if part and part.casefold() in value.casefold() and random.random() < 0.6:
            begin = value.casefold().find(part.casefold())
            return f"{value[:begin]}{text}{value[begin + len(part) :]}"[:200]
        return random.choice((text, text, value + text, text + value, value + value))[:200]
    if not all(type(each) in (int, float) for each in (value, one, other)):
        return value
    step = random.choice((one - other, other - one, 1, -1, other, one - other + 1, other - one + 1))
    if random.random() < 0.2:
        return other
    found = value + step
    return int(found) if isinstance(value, int) and found == found and abs(found) < 1e15 else found


def _can_travel(value: Any) -> bool:
    """Return whether a value survives encoding as JSON."""
    if isinstance(value, str):
        return value.isprintable() or value.isascii()
    if isinstance(value, int):
        return abs(value) < _MAX_EXACT
    return isinstance(value, float) and abs(value) < _MAX_EXACT
