"""Track what inputs must reach in a function, and what they have reached."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from typing import Any, NamedTuple

LINE, BRANCH, BOUNDARY, LOOP, OPERATION = "line", "branch", "boundary", "loop", "operation"
EXCHANGE, EMPTY = "exchange", "empty"
NAN, MEMBER, LENGTH = "nan", "member", "length"
SORTS = (LINE, BRANCH, BOUNDARY, LOOP, OPERATION, EXCHANGE, EMPTY, NAN, MEMBER, LENGTH)
_OFTEN = frozenset((BOUNDARY, NAN, MEMBER, LENGTH))
Reached = tuple[int, str]
"""A place and what happened there, such as `(4, "true")`."""
_MAX_NEAR = 64
_MAX_SOUGHT = 60
BOUNDARY_CALLS = 5
"""The number of calls that must have compared equal values or met other rare values."""


class Goal(NamedTuple):
    """An event that must happen at a place.

    :param needed: whether a comparison without it proves nothing. Other goals only guide the
        search.
    """

    function: str
    line: int
    what: str
    needed: bool = True


class Goals:
    """The goals of one program, and what calls have reached.

    Instrumented code calls this as `__probe__`.
    """

    def __init__(self) -> None:
        self.all: dict[Reached, Goal] = {}
        self.now: set[Reached] = set()
        """The goals that the current call has reached."""
        self.near: dict[int, tuple[Any, Any]] = {}
        """The closest operands of each comparison in the current call."""
        self.kept: set[Reached] = set()
        """The goals that the compared calls have reached."""
        self.sought: dict[str, None] = {}
        """Strings that the program compares or searches for."""
        self._times: Counter[Reached] = Counter()
        self._places = 0
        self.where: dict[int, tuple[str, int]] = {}
        """The function and line of each place."""
        self._operands: dict[int, Any] = {}
        self._may_be_empty: set[int] = set()
        """Places that met a value whose type can be empty or is unknown."""
        self._fractions: set[int] = set()
        """Places with membership tests that met a fraction."""

    def place(self, function: str, line: int, what: str, *ways: str, needed: bool = True) -> int:
        """Add a place with its goals, and return its number."""
        self._places += 1
        self.where[self._places] = function, line
        self.add(self._places, what, *ways, needed=needed)
        return self._places

    def add(self, place: int, what: str, *ways: str, needed: bool = True) -> None:
        """Add goals to a place."""
        for way in ways:
            self.all[place, way] = Goal(*self.where[place], what, needed)

    def begin(self) -> None:
        """Start a call."""
        self.now = set()
        self.near = {}
        self._operands = {}

    def keep(self) -> bool:
        """Finish a compared call.

        Return whether it reached something that had not been reached often enough.
        """
        new = (self.now & self.all.keys()) - self.kept
        is_new = bool(new)
        for each in list(new):
            self._times[each] += 1
            if self.all[each].what in _OFTEN and self._times[each] < BOUNDARY_CALLS:
                # once is not enough, because other effects can hide the side that was taken
                new.discard(each)
        for place, way in self.now:
            if way == _INSTANCE:
                self._times[place, way] += 1
        self.kept |= new
        return is_new

    def missing(self, *, needed: bool = True) -> dict[Reached, Goal]:
        """Return the goals that no call has reached."""
        return {
            reached: goal
            for reached, goal in self.all.items()
            if not self._is_settled(reached) and (goal.needed or not needed)
        }

    def _is_settled(self, reached: Reached) -> bool:
        """Return whether a goal was reached or is impossible: the place only met None, or an
        instance of a class that is never empty.

        A fraction between integers is only needed where a fraction was met.
        """
        place, way = reached
        if way == BETWEEN and place not in self._fractions:
            return True
        instances = self._times[place, _INSTANCE] if way == _EMPTY else 0
        never = instances >= BOUNDARY_CALLS and place not in self._may_be_empty
        return reached in self.kept or never

    def counts(self) -> Iterator[tuple[str, int, int]]:
        """Yield each sort of goals with the number of reached and of all needed goals."""
        for what in SORTS:
            goals = [each for each, goal in self.all.items() if goal.what == what and goal.needed]
            yield what, sum(map(self._is_settled, goals)), len(goals)

    # Methods that instrumented code calls.

    def hit(self, place: int) -> None:
        """Record that a statement runs."""
        self.now.add((place, "run"))

    def value(self, place: int, value: Any) -> Any:
        """Record that an expression was evaluated."""
        self.now.add((place, "run"))
        return value

    def test(self, place: int, value: Any) -> bool:
        """Record the outcome of a condition."""
        if value:
            self.now.add((place, "true"))
            return True
        self.now.add((place, "false"))
        return False

    def truth(self, place: int, value: Any) -> Any:
        """Record the truth of a value, and return the value."""
        self.now.add((place, "true" if value else "false"))
        return value

    def empty(self, place: int, value: Any) -> Any:
        """Record a value that is tested for None or emptiness."""
        if type(value) in _BUILT_IN and not value:
            self.now.add((place, _EMPTY))
        if _is_instance(type(value)):
            self.now.add((place, _INSTANCE))
        elif value is not None:
            self._may_be_empty.add(place)
        return value

    def some(self, place: int, value: Any) -> Any:
        """Record a slice that is not empty."""
        if type(value) not in _BUILT_IN or value:
            self.now.add((place, "some"))
        return value

    def divided(self, place: int, by: int, value: Any) -> Any:
        """Record a division by a number."""
        try:
            if abs(value) >= by:
                self.now.add((place, "whole"))
        except Exception:  # noqa: BLE001, S110 - the program divides it itself in a moment
            pass
        return value

    def left(self, place: int, value: Any) -> Any:
        """Record the left side of a comparison."""
        self._operands[place] = value
        return value

    def right(self, place: int, value: Any) -> Any:
        """Record the right side of a comparison."""
        one = self._operands.get(place)
        try:
            self.look(value)
            if _is_nan(one) or _is_nan(value):
                self._unordered(place, one, value)
            elif type(one) in _COMPARED and type(value) in _COMPARED:
                if one == value:
                    self.now.update(((place, "equal"), (place, f"={value}")))
                elif len(self.near) < _MAX_NEAR:
                    self._approach(place, one, value)
            elif one is not None and value is not None and one == value:
                self.now.add((place, "equal"))
        except Exception:  # noqa: BLE001, S110 - the program compares them itself in a moment
            pass
        return value

    def _unordered(self, place: int, one: Any, other: Any) -> None:
        """Record that one side of a comparison is `nan`."""
        if not _is_nan(one):
            self.now.add((place, NAN_RIGHT))
        elif not _is_nan(other):
            self.now.add((place, NAN_LEFT))

    def member(self, place: int, value: Any, members: tuple[Any, ...]) -> Any:
        """Record the left side of `in` with constants on its right."""
        if type(value) in _COMPARED:
            self.now.update((place, f"{index}") for index, e in enumerate(members) if e == value)
        if type(value) is float:
            self._fractions.add(place)
            whole = [each for each in members if type(each) is int]
            if whole and min(whole) < value < max(whole) and not value.is_integer():
                self.now.add((place, BETWEEN))
        return value

    def pair(self, place: int, one: Any, other: Any, fill: Any) -> tuple[Any, Any]:
        """Record two sides that are iterated together, with the shorter one filled up."""
        if type(one) in _SEQUENCES and type(other) in _SEQUENCES:
            shorter, longer = sorted((one, other), key=len)
            surplus = longer[len(shorter) :]
            if surplus:
                side = "right" if shorter is other else "left"
                is_filled = all(type(each) is type(fill) and each == fill for each in surplus)
                self.now.add((place, f"{side}_{'same' if is_filled else 'other'}"))
        return one, other

    def look(self, value: Any) -> Any:
        """Record the left side of `in`, or a key that is looked up."""
        if type(value) is str and len(self.sought) < _MAX_SOUGHT and len(value) < _MAX_NEAR:
            self.sought.setdefault(value)
        return value

    def _approach(self, place: int, one: Any, other: Any) -> None:
        before = self.near.get(place)
        if before is None or _distance(one, other) < _distance(*before):
            self.near[place] = one, other

    def enter(self, place: int) -> None:
        """Record that a `while` loop begins."""
        self._operands[-place] = 0

    def turn(self, place: int, value: Any) -> bool:
        """Record the condition of a `while` loop."""
        turns = self._operands.get(-place, 0)
        if value:
            self._operands[-place] = turns + 1
            return True
        self.now.add((place, _times(turns)))
        return False

    def loop(self, place: int, values: Any) -> Any:
        """Return the values of a `for` loop with a counter of iterations."""
        return _Loop(self.now, place, iter(values))

    def seen(self, place: int, value: Any) -> Any:
        """Record the object of a method whose use differs between the programs."""
        from .sensitive import features

        self.now.update((place, each) for each in features(value))
        return value


NAN_LEFT, NAN_RIGHT = "nan_left", "nan_right"
FILLED = ("left_same", "left_other", "right_same", "right_other")
"""The shorter side, and whether the longer one holds the fill value there."""
BETWEEN = "between"
"""A fraction between the integers of a collection."""
_EMPTY, _INSTANCE = "empty", "instance"
_COMPARED = frozenset((int, float, str))
_SEQUENCES = frozenset((list, tuple, str))
_BUILT_IN = frozenset(
    (bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, deque)
)
"""Types that can be tested for emptiness without running methods of the program again."""


def _is_nan(value: Any) -> bool:
    return type(value) is float and value != value


def _is_instance(kind: type) -> bool:
    """Return whether a type is a class of the program whose instances are never empty."""
    is_ours = getattr(kind, "__module__", "") == "program"
    return is_ours and not (hasattr(kind, "__bool__") or hasattr(kind, "__len__"))


def _distance(one: Any, other: Any) -> float:
    if isinstance(one, str) or isinstance(other, str):
        return 1e9
    try:
        return float(abs(one - other))
    except OverflowError:
        return 1e300


def _times(turns: int) -> str:
    return "many" if turns > 1 else "once" if turns else "never"


class _Loop:
    """An iterator that counts its iterations."""

    def __init__(self, now: set[Reached], place: int, values: Any) -> None:
        self._now = now
        self._place = place
        self._values = values
        self._turns = 0

    def __iter__(self) -> _Loop:
        return self

    def __next__(self) -> Any:
        try:
            value = next(self._values)
        except StopIteration:
            if self._turns == 0:
                self._now.add((self._place, "never"))
            raise
        self._turns += 1
        if self._turns <= 2:
            self._now.add((self._place, _times(self._turns)))
        return value
