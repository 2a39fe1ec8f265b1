"""Turn the report of a run of two JavaScript programs into evidence."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from codeintel.engine.equivalence.comparison import Evidence, failed, not_applicable, passed
from codeintel.engine.sandbox.javascript.goals import Goal, goal_of
from codeintel.engine.sandbox.javascript.pairs import Prepared
from codeintel.engine.sandbox.records import Ended

_MAX_NAMED = 5
_MAX_MISSING = 3
_LEAST_RETURNED = 24
_LEAST_HOLED = 4
_RARE = 20
"""At most one in this many calls may take too long."""
_ERROR = re.compile(r"failed (\w{1,40})")
_NAME = re.compile(r"[\w$]{1,100}(?:\.[\w$ ]{1,100})?")
_SORTS = {
    "line": "a line",
    "branch": "a branch",
    "boundary": "equal values in a comparison",
    "loop": "a loop with no or several iterations",
    "null": "null, undefined or another false value in a test",
    "nan": "a search for `NaN`",
    "text": "an object that is converted to a string",
    "block": "a block",
    "end": "the end of an expression",
}
_BRANCHES = frozenset(("branch", "loop", "null", "nan", "text"))


class InvalidReportError(Exception):
    """The report is not that of the harness."""


class Called(msgspec.Struct, frozen=True):
    """The calls of one target.

    :param odd: the calls with unusual values.
    :param holed: the calls with an array that has holes.
    :param uneven: the calls that only one side finished in time.
    :param doubtful: whether calls differ for unusual values, or where the original raised an error
        of the language.
    """

    name: str
    calls: int
    compared: int
    returned: int
    raised: int
    odd: int
    slow: int
    uneven: int
    blocked: int
    holed: int
    differs: bool
    doubtful: bool
    example: str


class Line(msgspec.Struct, frozen=True):
    """A line of the report."""

    what: str
    outcomes: list[str | None] = []
    targets: list[Called] = []
    ended: list[bool] = []
    sides: list[dict[str, int]] = []
    blocks: dict[str, list[int]] = {}


_decoder = msgspec.json.Decoder(Line)


def evidence(prepared: Prepared, ended: Ended) -> Evidence:
    """Return the evidence of a run.

    :raises InvalidReportError: if the report was not written by the harness.
    """
    lines = {line.what: line for line in _lines(ended)}
    if "loaded" not in lines:
        if ended.status is None:
            return not_applicable("There was not enough time to load the programs.")
        return not_applicable("The programs ended the process when they were loaded.")
    loads = lines["loaded"].outcomes
    if len(loads) != 2:
        raise InvalidReportError
    problem = _loading(loads)
    if problem is not None:
        return problem
    if not {"called", "met", "finished"} <= lines.keys():
        return not_applicable("There was not enough time to call the functions.")
    return _Judgment(
        prepared, lines["called"].targets, lines["called"].ended, lines["met"]
    ).evidence()


def _lines(ended: Ended) -> list[Line]:
    if ended.said_too_much:
        raise InvalidReportError
    whole = ended.output[: ended.output.rfind(b"\n") + 1].splitlines()
    try:
        return [_decoder.decode(line) for line in whole]
    except (msgspec.MsgspecError, RecursionError):
        raise InvalidReportError from None


def _loading(loads: list[str | None]) -> Evidence | None:
    """Return the evidence if the programs could not be loaded, or showed something different."""
    original, result = loads
    if original is None or original == "timeout":
        return not_applicable("The original did not finish when it was loaded.")
    error = _ERROR.fullmatch(original)
    if error is not None:
        return not_applicable(f"The original cannot be loaded on its own ({error[1]}).")
    if result is None or result == "timeout" or _ERROR.fullmatch(result):
        return failed("The result ends differently from the original when it is loaded.")
    if original != result:
        return failed("The result prints other output than the original when it is loaded.")
    return None


class _Judgment:
    def __init__(
        self, prepared: Prepared, targets: list[Called], ended: list[bool], met: Line
    ) -> None:
        if len(met.sides) != 2 or not all(_NAME.fullmatch(each.name) for each in targets):
            raise InvalidReportError
        self._prepared = prepared
        self._targets = targets
        self._ended = ended
        self._met = met
        self._missing: list[list[Goal]] = []
        self._counts: list[dict[str, tuple[int, int]]] = []
        for number in range(2):
            goals = [goal_of(each) for each in prepared.goals[number]]
            missing = [each for each in goals if not _is_met(each, met.sides[number])]
            self._missing.append([*missing, *self._blocks(number)])
            self._counts.append(_counted(goals, missing))

    def _blocks(self, number: int) -> list[Goal]:
        """Return the blocks of changed code that V8 has never run."""
        name = ("original", "result")[number]
        ranges = self._prepared.lines[number]
        return [
            Goal("block", "", line, ())
            for line in self._met.blocks.get(name, [])
            if any(first <= line <= last for first, last in ranges)
        ]

    def evidence(self) -> Evidence:
        differing = [each.name for each in self._targets if each.differs]
        if differing:
            named = ", ".join(f"`{name}`" for name in differing[:_MAX_NAMED])
            more = len(differing) - _MAX_NAMED
            return failed(
                f"Called with the same values, the result differs from the original in {named}"
                f"{f' and {more} more' if more > 0 else ''}."
            )
        returned = sum(each.returned for each in self._targets)
        if not returned:
            return not_applicable("The original has nothing that can be compared.")
        text = self._alike()
        reasons = self._reasons()
        if reasons:
            return passed(f"{text} This is no proof: {'; '.join(reasons)}.")
        return passed(f"{text} {self._reached()}", conclusive=True)

    def _alike(self) -> str:
        calls = sum(each.compared for each in self._targets)
        raised = sum(each.raised for each in self._targets)
        number = len(self._targets)
        several = "functions, classes and values" if number > 1 else "function, class or value"
        return (
            f"In the sandbox, original and result behave alike: {number} {several} called {calls} "
            f"times with the same values ({raised} {'call' if raised == 1 else 'calls'} raised an "
            "exception)."
        )

    def _reasons(self) -> list[str]:
        """Return why the calls prove nothing, as parts of a sentence."""
        found = list(self._prepared.doubts)
        for number, name in enumerate(("original", "result")):
            missing = self._missing[number]
            if missing:
                named = ", ".join(_place(each) for each in missing[:_MAX_MISSING])
                more = len(missing) - _MAX_MISSING
                found.append(
                    f"the calls did not reach in the {name}: {named}"
                    f"{f' and {more} more' if more > 0 else ''}"
                )
        for said, wrong in (
            ("the sides differ for unusual values or errors", _is_doubtful),
            ("some calls took too long", _is_slow),
            ("some calls could not be compared", _is_blocked),
            ("too few calls returned a value", _is_rare),
        ):
            named = ", ".join(f"`{each.name}`" for each in self._targets if wrong(each))
            if named:
                found.append(f"{said} ({named})")
        shared = self._prepared.job["shared"]["targets"]
        wanted = {each["name"] for each in shared if each["holes"]}
        if any(each.name in wanted and each.holed < _LEAST_HOLED for each in self._targets):
            found.append("too few arrays had holes")
        if not all(self._ended):
            found.append("there was not enough time for all calls")
        return found

    def _reached(self) -> str:
        sides = []
        for counts, name in zip(self._counts, ("original", "result"), strict=True):
            lines, branches, bounds = (counts[each] for each in ("line", "branch", "boundary"))
            sides.append(
                f"{lines[0]} of {lines[1]} lines, {branches[0]} of {branches[1]} branches and "
                f"{bounds[0]} of {bounds[1]} boundaries in the {name}"
            )
        return f"In the changed code, the calls reached {' and '.join(sides)}."


def _is_doubtful(called: Called) -> bool:
    return called.doubtful


def _is_slow(called: Called) -> bool:
    return called.uneven > 0 or called.slow * _RARE > called.calls


def _is_blocked(called: Called) -> bool:
    return called.blocked > 0


def _is_rare(called: Called) -> bool:
    return called.calls > 1 and called.returned < _LEAST_RETURNED


def _is_met(goal: Goal, met: dict[str, int]) -> bool:
    """Return whether one of the alternatives was met. What has the count 0 must not be met."""
    return any(
        all((met.get(key, 0) >= times) if times else not met.get(key, 0) for key, times in each)
        for each in goal.any_of
    )


def _counted(goals: list[Goal], missing: list[Goal]) -> dict[str, tuple[int, int]]:
    """Count reached and all goals, as lines, branches and boundaries."""
    found: dict[str, tuple[int, int]] = {}
    for name, sorts in (("line", {"line"}), ("branch", _BRANCHES), ("boundary", {"boundary"})):
        whole = sum(each.sort in sorts for each in goals)
        found[name] = whole - sum(each.sort in sorts for each in missing), whole
    return found


def _place(goal: Goal) -> str:
    where = f"`{goal.unit}`, " if goal.unit and _NAME.fullmatch(goal.unit) else ""
    return f"{_SORTS.get(goal.sort, 'a goal')} ({where}line {goal.line})"


def report(ended: Ended) -> list[dict[str, Any]]:
    """Return the lines of a report, for tests and for debugging."""
    return [msgspec.to_builtins(line) for line in _lines(ended)]
