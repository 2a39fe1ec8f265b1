"""Compare two runs of an original with one of a result: do they differ, and are they a proof?"""

from __future__ import annotations

import hashlib

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Evidence, failed, not_applicable, passed
from codeintel.engine.sandbox.records import COMPARABLE, RAISED, VALUE, Coverage, Outcome, Record

_MAX_MISSING = 3
_UNSETTLED = "exchange"
"""Missing goals of this sort are not places.

Their name is a difference that no number of calls settles.
"""
_WAYS = {
    "kept_results": "cached results",
    "queue_ends": "the end of a queue from which values are taken",
    "caught_exceptions": "the caught exceptions, or the loops in their `try`",
    "defaults_by_or": "defaults by `or`",
    "none_tests": "tests for None",
    "equalities": "what is compared with `==`",
    "tested_types": "the types that values are tested for",
    "truth_tests": "tests for the objects True and False",
    "second_reading": "how often an argument is iterated over, which may be an iterator",
    "shared_arguments": "the order of reading and changing arguments, which may be the same object",
    "formatting": "formatting by `%`, which takes tuples apart",
    "keywords": "the keywords for a function",
    "regular_expression_flags": "the flags of a regular expression",
    "nan_comparisons": "comparisons that may meet `nan`",
    "replacements": "the order of replacements in a text",
    "recursion": "recursion",
    "generator": "generators, which start to run later",
    "dict_display": "how dictionaries are merged",
}
"""Names from `inside.coverage.beyond` and `.differences`, in words. Other names are operations."""
_SORTS = {
    "line": "a line",
    "branch": "a branch",
    "boundary": "equal values in a comparison",
    "loop": "a loop with no, one or several iterations",
    "operation": "an odd value for a replaced method",
    "nan": "a comparison with `nan`",
    "member": "each constant that a value is compared with",
    "length": "sides of different lengths in `zip_longest`",
    "empty": "an empty value other than None in a test for None or emptiness",
}


def doubts(first: Record, second: Record, result: Record) -> list[str]:
    """Return the reasons why the runs prove nothing, as parts of sentences, or nothing if they
    prove equality.

    :param second: the run of the original with all calls.
    """
    original, changed = second.coverage, result.coverage
    if original is None or changed is None:
        return ["the runs did not report what they reached"]
    found = []
    if second.load is None or second.load[0] != VALUE:
        found.append("the module raises or exits when it is loaded")
    if not (original.functions or changed.functions):
        found.append("no function was changed")
    both = (*original.missing, *changed.missing)
    unsettled = next((what for what, _, sort in both if sort == _UNSETTLED), "")
    if unsettled:
        found.append(
            f"examples do not settle a difference in {_WAYS.get(unsettled, f'`{unsettled}`')}"
        )
    for side, coverage in (("original", original), ("result", changed)):
        missing = _missing(coverage)
        if missing or not (coverage.is_complete or unsettled):
            found.append(f"the calls did not reach in the {side}: {missing or 'some goals'}")
    matters = second.matters | result.matters
    left = sorted(matters.intersection((*first.left, *second.left, *result.left)))
    if left or first.skipped:
        found.append("there was not enough time for all functions")
    hurried = sorted(each["name"] for each in first.plan if each.get("short"))
    if hurried:
        found.append(f"there was not enough time to call `{hurried[0]}` often enough")
    short = sorted(name for name in matters if _is_short(name, second, result))
    if short:
        found.append(f"some calls of `{short[0]}` could not be compared")
    return found


def _is_short(name: str, second: Record, result: Record) -> bool:
    """Return whether one side made calls that the other side did not make or that cannot be
    compared."""
    one, other = second.outcomes.get(name, {}), result.outcomes.get(name, {})
    telling = set(result.telling.get(name, ()))
    first = result.added.get(name, max(one, default=0) + 1)
    for number in one.keys() | other.keys():
        ends = [each[number][0] if number in each else "" for each in (one, other)]
        if number < first and not all(each in COMPARABLE for each in ends):
            return True
        if number in telling and ends[0] not in COMPARABLE:
            return True
    return False


def _missing(coverage: Coverage) -> str:
    missing = [each for each in coverage.missing if each[2] != _UNSETTLED]
    named = [
        f"{_SORTS.get(sort, 'a goal')} (`{function}`, line {line})"
        for function, line, sort in missing[:_MAX_MISSING]
    ]
    counts = [each for sort, each in coverage.counts.items() if sort != _UNSETTLED]
    more = sum(whole - found for found, whole in counts) - len(named)
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def reached(second: Record, result: Record) -> str:
    """Return a sentence about the lines, branches and boundaries that both sides reached."""
    sides = []
    for name, record in (("original", second), ("result", result)):
        counts = record.coverage.counts if record.coverage is not None else {}
        lines, branches = counts.get("line", (0, 0)), counts.get("branch", (0, 0))
        loops = counts.get("loop", (0, 0))
        both = branches[0] + loops[0], branches[1] + loops[1]
        bounds = counts.get("boundary", (0, 0))
        sides.append(
            f"{lines[0]} of {lines[1]} lines, {both[0]} of {both[1]} branches and {bounds[0]} of "
            f"{bounds[1]} boundaries in the {name}"
        )
    return f"In the changed code, the calls reached {' and '.join(sides)}."


Outcomes = dict[int, Outcome]
_MAX_NAMED = 5
_MANY_CALLS = 48
"""The number of attempted calls from which at least half must be compared for a proof."""
_SLOWER = 5
"""How many times longer a result must take before the delay counts as its own."""
SILENT = hashlib.sha256(f"{VALUE}\0None\0".encode()).hexdigest()[:32]
"""The digest of a module that prints nothing when it is loaded."""
_ONE, _MANY = "function, class or method", "functions, classes and methods"
_WHOLES = {
    "__main__": "the program itself, run as a script",
    "doctest": "the examples in docstrings",
    "unittest": "the unit tests",
}


def compared(first: Record, second: Record, result: Record, *, reaching: str = "") -> Evidence:
    """Return the evidence of the runs.

    :param second: the run of the original with exactly the calls of the result's run.
    :param reaching: what the result uses that could detect the sandbox.
    """
    if result.load is None:
        return _unfinished(second, result, "when it is loaded")
    is_steady = first.load == second.load
    if second.load is None or result.load[0] != second.load[0]:
        return failed("The result ends differently from the original when it is loaded.")
    if is_steady and result.load != second.load:
        return failed("The result prints other output than the original when it is loaded.")
    tally = _Tally(first, second, result)
    if tally.differing:
        named = ", ".join(tally.differing[:_MAX_NAMED])
        more = len(tally.differing) - _MAX_NAMED
        return failed(
            f"Called with the same values, the result differs from the original in {named}"
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
        reasons.append("its output during loading differs from run to run")
    if reaching:
        reasons.append(f"the result uses {reaching}, which could detect the sandbox")
    if reasons:
        return passed(f"{evidence.text} This is no proof: {'; '.join(reasons)}.")
    return passed(f"{evidence.text} {reached(second, result)}", conclusive=True)


def differing(first: Record, second: Record, result: Record) -> list[str]:
    """Return the names of the targets that behave differently."""
    return _Tally(first, second, result).differing


def _unfinished(original: Record, result: Record, where: str) -> Evidence:
    if not result.killed or result.seconds > _SLOWER * original.seconds:
        return failed(
            f"Unlike the original, the result ends the process or does not finish {where}."
        )
    return not_applicable("There was not enough time to run the result to its end.")


class _Tally:
    """Compares the runs call by call."""

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
        self._hiding: list[str] = []
        self._matters = second.matters | result.matters
        for name, expected in second.outcomes.items():
            before = first.outcomes.get(name, {})
            if any(before.get(number, outcome) != outcome for number, outcome in expected.items()):
                self._chance += 1
                if name in self._matters:
                    self._unsteady.append(name)
            elif name not in result.outcomes:
                continue  # the run ended earlier, which is reported separately
            else:
                self._look(name, second.sorts.get(name, ""), expected, result.outcomes[name])

    def _look(self, name: str, sort: str, expected: Outcomes, found: Outcomes) -> None:
        """Compare the calls of a target. The last calls may be missing because time was up."""
        made = {
            number: outcome
            for number, outcome in expected.items()
            if number in found and (number in self._first.get(name, {}) or outcome[0] in COMPARABLE)
        }
        if any(_bare(found[number]) != _bare(outcome) for number, outcome in made.items()):
            self.differing.append(_WHOLES.get(name, f"`{name}`"))
        else:
            other = {how for number, (how, _) in made.items() if found[number] != made[number]}
            if RAISED in other:
                self._worded.append(name)
            if VALUE in other:
                self._hiding.append(name)
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
        """Return the reasons why the calls prove nothing."""
        said = []
        if self._unsteady:
            said.append(f"{_named(self._unsteady)} differs from run to run")
        if self._rare:
            said.append(f"few of the generated values were valid for {_named(self._rare)}")
        if self._worded:
            said.append(f"{_named(self._worded)} raises exceptions with other messages")
        if self._hiding:
            said.append(
                f"objects of {_named(self._hiding)} differ in private attributes or messages"
            )
        if self._few:
            said.append(f"no call of {_named(self._few)} returned a value")
        return said

    def evidence(self, prints: bool) -> Evidence:
        """Return the evidence of the calls.

        :param prints: whether the module always prints the same text when it is loaded.
        """
        left_out = self._left_out()
        only_constants = self._constants > 0 and not (self._functions or left_out)
        if not (self._calls > self._raised or self._wholes or prints or only_constants):
            return not_applicable(f"The original has nothing that can be compared.{left_out}")
        said = []
        if self._functions:
            said.append(
                f"{_several(self._functions, _ONE, _MANY)} called {self._calls} times with the "
                f"same values ({_several(self._raised, 'call', 'calls')} raised an exception)"
            )
        said += [_WHOLES.get(name, name) for name in self._wholes]
        if self._constants:
            said.append(_several(self._constants, "constant", "constants"))
        if prints:
            said.append("what it prints and how it ends when it is loaded")
        return passed(
            f"In the sandbox, original and result behave alike: {'; '.join(said)}.{left_out}"
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
    """Return an outcome without the message of an exception and without hidden state."""
    return outcome[0], outcome[1].partition(":")[0]
