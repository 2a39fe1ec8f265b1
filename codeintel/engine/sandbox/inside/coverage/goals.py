"""What inputs have to reach in a function, and what they have reached."""

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
"""How many calls must have compared equal values, and met other values that are rare."""


class Goal(NamedTuple):
    """Something that must happen at a place.

    :param needed: whether a comparison without it proves nothing; others only guide the search.
    """

    function: str
    line: int
    what: str
    needed: bool = True


class Goals:
    """The goals of one program, and what calls have reached. Called by instrumented code as
    `__probe__`."""

    def __init__(self) -> None:
        self.all: dict[Reached, Goal] = {}
        self.now: set[Reached] = set()
        """What the present call has reached."""
        self.near: dict[int, tuple[Any, Any]] = {}
        """Of the present call, the closest operands of each comparison."""
        self.kept: set[Reached] = set()
        """What calls have reached that were compared."""
        self.sought: dict[str, None] = {}
        """Texts that the program compares with others or looks for."""
        self._times: Counter[Reached] = Counter()
        self._places = 0
        self.where: dict[int, tuple[str, int]] = {}
        """The function and line of each place."""
        self._operands: dict[int, Any] = {}
        self._may_be_empty: set[int] = set()
        """Places that have met a value of a type that can be empty, or of an unknown one."""
        self._fractions: set[int] = set()
        """Places where members of a collection are looked for, and that have met a fraction."""

    def place(self, function: str, line: int, what: str, *ways: str, needed: bool = True) -> int:
        """A new place with its goals."""
        self._places += 1
        self.where[self._places] = function, line
        self.add(self._places, what, *ways, needed=needed)
        return self._places

    def add(self, place: int, what: str, *ways: str, needed: bool = True) -> None:
        """More goals of a place."""
        for way in ways:
            self.all[place, way] = Goal(*self.where[place], what, needed)

    def begin(self) -> None:
        """Before a call."""
        self.now = set()
        self.near = {}
        self._operands = {}

    def keep(self) -> bool:
        """After a call that is compared; whether it has reached what had not been reached, or
        not often enough."""
        new = (self.now & self.all.keys()) - self.kept
        is_new = bool(new)
        for each in list(new):
            self._times[each] += 1
            if self.all[each].what in _OFTEN and self._times[each] < BOUNDARY_CALLS:
                new.discard(each)  # what else happens may hide on which side it falls
        for place, way in self.now:
            if way == _INSTANCE:
                self._times[place, way] += 1
        self.kept |= new
        return is_new

    def missing(self, *, needed: bool = True) -> dict[Reached, Goal]:
        """The goals that no call has reached."""
        return {
            reached: goal
            for reached, goal in self.all.items()
            if not self._is_settled(reached) and (goal.needed or not needed)
        }

    def _is_settled(self, reached: Reached) -> bool:
        """Whether calls have reached it, or have shown that nothing there can be empty: all that
        was met is None, or an instance of a class of the program that is never empty. Where no
        fraction comes, none need lie between whole numbers."""
        place, way = reached
        if way == BETWEEN and place not in self._fractions:
            return True
        instances = self._times[place, _INSTANCE] if way == _EMPTY else 0
        never = instances >= BOUNDARY_CALLS and place not in self._may_be_empty
        return reached in self.kept or never

    def counts(self) -> Iterator[tuple[str, int, int]]:
        """Of each sort of needed goals, how many were reached, and how many there are."""
        for what in SORTS:
            goals = [each for each, goal in self.all.items() if goal.what == what and goal.needed]
            yield what, sum(map(self._is_settled, goals)), len(goals)

    # What instrumented code calls.

    def hit(self, place: int) -> None:
        """A statement is run."""
        self.now.add((place, "run"))

    def value(self, place: int, value: Any) -> Any:
        """An expression has come to its end."""
        self.now.add((place, "run"))
        return value

    def test(self, place: int, value: Any) -> bool:
        """A condition is decided."""
        if value:
            self.now.add((place, "true"))
            return True
        self.now.add((place, "false"))
        return False

    def truth(self, place: int, value: Any) -> Any:
        """A condition's value is passed on."""
        self.now.add((place, "true" if value else "false"))
        return value

    def empty(self, place: int, value: Any) -> Any:
        """Something is tested for being None, or for being empty."""
        if type(value) in _BUILT_IN and not value:
            self.now.add((place, _EMPTY))
        if _is_instance(type(value)):
            self.now.add((place, _INSTANCE))
        elif value is not None:
            self._may_be_empty.add(place)
        return value

    def some(self, place: int, value: Any) -> Any:
        """What a slice holds."""
        if type(value) not in _BUILT_IN or value:
            self.now.add((place, "some"))
        return value

    def divided(self, place: int, by: int, value: Any) -> Any:
        """Something is divided by a number."""
        try:
            if abs(value) >= by:
                self.now.add((place, "whole"))
        except Exception:  # noqa: BLE001, S110 - the program divides it itself in a moment
            pass
        return value

    def left(self, place: int, value: Any) -> Any:
        """The left side of a comparison."""
        self._operands[place] = value
        return value

    def right(self, place: int, value: Any) -> Any:
        """The right side of a comparison."""
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
        """One side of a comparison is `nan`."""
        if not _is_nan(one):
            self.now.add((place, NAN_RIGHT))
        elif not _is_nan(other):
            self.now.add((place, NAN_LEFT))

    def member(self, place: int, value: Any, members: tuple[Any, ...]) -> Any:
        """The left side of `in` with constants on its right."""
        if type(value) in _COMPARED:
            self.now.update((place, f"{index}") for index, e in enumerate(members) if e == value)
        if type(value) is float:
            self._fractions.add(place)
            whole = [each for each in members if type(each) is int]
            if whole and min(whole) < value < max(whole) and not value.is_integer():
                self.now.add((place, BETWEEN))
        return value

    def pair(self, place: int, one: Any, other: Any, fill: Any) -> tuple[Any, Any]:
        """What is gone through side by side, the shorter one filled up."""
        if type(one) in _SEQUENCES and type(other) in _SEQUENCES:
            shorter, longer = sorted((one, other), key=len)
            surplus = longer[len(shorter) :]
            if surplus:
                side = "right" if shorter is other else "left"
                is_filled = all(type(each) is type(fill) and each == fill for each in surplus)
                self.now.add((place, f"{side}_{'same' if is_filled else 'other'}"))
        return one, other

    def look(self, value: Any) -> Any:
        """The left side of `in`, or a key that is looked up."""
        if type(value) is str and len(self.sought) < _MAX_SOUGHT and len(value) < _MAX_NEAR:
            self.sought.setdefault(value)
        return value

    def _approach(self, place: int, one: Any, other: Any) -> None:
        before = self.near.get(place)
        if before is None or _distance(one, other) < _distance(*before):
            self.near[place] = one, other

    def enter(self, place: int) -> None:
        """A `while` loop begins."""
        self._operands[-place] = 0

    def turn(self, place: int, value: Any) -> bool:
        """The condition of a `while` loop is decided."""
        turns = self._operands.get(-place, 0)
        if value:
            self._operands[-place] = turns + 1
            return True
        self.now.add((place, _times(turns)))
        return False

    def loop(self, place: int, values: Any) -> Any:
        """The values of a `for` loop."""
        return _Loop(self.now, place, iter(values))

    def seen(self, place: int, value: Any) -> Any:
        """The object of a method whose use differs between both programs."""
        from .sensitive import features

        self.now.update((place, each) for each in features(value))
        return value


NAN_LEFT, NAN_RIGHT = "nan_left", "nan_right"
FILLED = ("left_same", "left_other", "right_same", "right_other")
"""Which side is shorter, and whether it is filled up with what the other side holds there."""
BETWEEN = "between"
"""A fraction between the whole numbers of a collection."""
_EMPTY, _INSTANCE = "empty", "instance"
_COMPARED = frozenset((int, float, str))
_SEQUENCES = frozenset((list, tuple, str))
_BUILT_IN = frozenset(
    (bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, deque)
)
"""Types that can be asked whether they are empty: methods of the program must not run once more."""


def _is_nan(value: Any) -> bool:
    return type(value) is float and value != value


def _is_instance(kind: type) -> bool:
    """Whether it is a class of the program whose instances are never empty."""
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
    """An iterator that counts its turns."""

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
