"""Two runs of an original and one of a result, side by side."""

from __future__ import annotations

import hashlib

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Evidence, failed, not_applicable, passed
from codeintel.engine.sandbox.coverage import doubts, reached
from codeintel.engine.sandbox.records import COMPARABLE, RAISED, VALUE, Outcome, Record

Outcomes = dict[int, Outcome]
_MAX_NAMED = 5
_MANY_CALLS = 48
"""Where so many calls were tried, at least half as many must be compared for a proof."""
_SLOWER = 5
"""How many times as long a result must have taken for that to be its own doing."""
SILENT = hashlib.sha256(f"{VALUE}\0None\0".encode()).hexdigest()[:32]
"""The digest of a module that prints nothing when it is loaded."""
_ONE, _MANY = "function, class or method", "functions, classes and methods"
_WHOLES = {
    "__main__": "the program itself, run as a script",
    "doctest": "the examples in docstrings",
    "unittest": "the unit tests",
}


def compared(first: Record, second: Record, result: Record, *, reaching: str = "") -> Evidence:
    """What the runs say.

    :param second: the run of the original that makes exactly the calls of that of the result.
    :param reaching: what the result uses that could see the sandbox.
    """
    if result.load is None:
        return _unfinished(second, result, "when it is loaded")
    is_steady = first.load == second.load
    if second.load is None or result.load[0] != second.load[0]:
        return failed("The result does not end as the original does when it is loaded.")
    if is_steady and result.load != second.load:
        return failed("The result does not print what the original does when it is loaded.")
    tally = _Tally(first, second, result)
    if tally.differing:
        named = ", ".join(tally.differing[:_MAX_NAMED])
        more = len(tally.differing) - _MAX_NAMED
        return failed(
            f"Run with the same values, the result differs from the original in {named}"
            f"{f' and {more} more' if more > 0 else ''}."
        )
    if not result.finished:
        return _unfinished(second, result, f"in {_WHOLES.get(result.begun, f'`{result.begun}`')}")
    prints = is_steady and second.load is not None and second.load[1] != SILENT
    evidence = tally.evidence(prints)
    if evidence.status is not CheckStatus.PASSED:
        return evidence
    reasons = [*doubts(first, second, result), *tally.doubts()]
    if not is_steady:
        reasons.append("what it prints when it is loaded differs from run to run")
    if reaching:
        reasons.append(f"the result uses {reaching}, which could tell a sandbox from other places")
    if reasons:
        return passed(f"{evidence.text} This is no proof: {'; '.join(reasons)}.")
    return passed(f"{evidence.text} {reached(second, result)}", conclusive=True)


def differing(first: Record, second: Record, result: Record) -> list[str]:
    """The names of what does not do the same."""
    return _Tally(first, second, result).differing


def _unfinished(original: Record, result: Record, where: str) -> Evidence:
    if not result.killed or result.seconds > _SLOWER * original.seconds:
        return failed(
            f"The result ends the process, or does not end, {where}: the original goes on."
        )
    return not_applicable("The result was not run to its end for lack of time.")


class _Tally:
    """What was compared, call by call."""

    def __init__(self, first: Record, second: Record, result: Record) -> None:
        self._first = first.outcomes
        self._left = len(first.left) + len(second.left) + len(result.left) + first.skipped
        self.differing: list[str] = []
        self._functions = self._calls = self._raised = self._constants = 0
        self._chance = self._uncalled = 0
        self._wholes: list[str] = []
        self._unsteady: list[str] = []
        self._few: list[str] = []
        self._rare: list[str] = []
        self._worded: list[str] = []
        self._matters = second.matters | result.matters
        for name, expected in second.outcomes.items():
            before = first.outcomes.get(name, {})
            if any(before.get(number, outcome) != outcome for number, outcome in expected.items()):
                self._chance += 1
                if name in self._matters:
                    self._unsteady.append(name)
            elif name not in result.outcomes:
                continue  # it did not get there, which is told as such
            else:
                self._look(name, second.sorts.get(name, ""), expected, result.outcomes[name])

    def _look(self, name: str, sort: str, expected: Outcomes, found: Outcomes) -> None:
        """Compare the calls of a target; there may have been no time for the last of them."""
        made = {
            number: outcome
            for number, outcome in expected.items()
            if number in found and (number in self._first.get(name, {}) or outcome[0] in COMPARABLE)
        }
        if any(_bare(found[number]) != _bare(outcome) for number, outcome in made.items()):
            self.differing.append(_WHOLES.get(name, f"`{name}`"))
        else:
            if any(found[number] != outcome for number, outcome in made.items()):
                self._worded.append(name)
            self._count(name, sort, made)

    def _count(self, name: str, sort: str, outcomes: Outcomes) -> None:
        ways = [how for how, _ in outcomes.values() if how in COMPARABLE]
        if name in self._matters and sort == "function" and VALUE not in ways:
            self._few.append(name)
        elif name in self._matters and max(outcomes, default=0) >= _MANY_CALLS > 2 * len(ways):
            self._rare.append(name)
        if sort == "function":
            self._functions += bool(ways)
            self._uncalled += not ways
            self._calls += len(ways)
            self._raised += ways.count(RAISED)
        elif sort == "constant":
            self._constants += 1
        else:
            self._wholes.append(name)

    def doubts(self) -> list[str]:
        """Why the calls prove nothing."""
        said = []
        if self._unsteady:
            said.append(f"{_named(self._unsteady)} does not do the same in each run")
        if self._rare:
            said.append(f"few of the values fitted {_named(self._rare)}")
        if self._worded:
            said.append(f"{_named(self._worded)} raises exceptions with other messages")
        if self._few:
            said.append(f"no call of {_named(self._few)} came to a value")
        return said

    def evidence(self, prints: bool) -> Evidence:
        """:param prints: whether the module prints something when it is loaded, always the same."""
        left_out = self._left_out()
        only_constants = self._constants > 0 and not (self._functions or left_out)
        if not (self._calls > self._raised or self._wholes or prints or only_constants):
            return not_applicable(f"There is nothing in the original to be compared.{left_out}")
        said = []
        if self._functions:
            said.append(
                f"{_several(self._functions, _ONE, _MANY)} called {self._calls} times with the "
                f"same values, {self._raised} of which raised"
            )
        said += [_WHOLES.get(name, name) for name in self._wholes]
        if self._constants:
            said.append(_several(self._constants, "constant", "constants"))
        if prints:
            said.append("what it prints and how it ends when it is loaded")
        return passed(
            f"Run in a sandbox, original and result are alike: {'; '.join(said)}.{left_out}"
        )

    def _left_out(self) -> str:
        said = []
        if self._chance:
            said.append(f"{self._chance} that differ from run to run")
        uncalled = self._uncalled + self._left
        if uncalled:
            said.append(f"{uncalled} that could not be called")
        return f" Not compared: {' and '.join(said)}." if said else ""


def _several(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _named(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)[:_MAX_NAMED])


def _bare(outcome: Outcome) -> Outcome:
    """An outcome without the message of an exception."""
    return outcome[0], outcome[1].partition(":")[0]
