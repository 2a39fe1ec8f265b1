"""Whether two runs have shown enough of what was changed to prove that it behaves alike."""

from __future__ import annotations

from codeintel.engine.sandbox.records import COMPARABLE, VALUE, Coverage, Record

_MAX_NAMED = 3
_UNSETTLED = "exchange"
"""What is missing of this sort is not a place: its name tells what no number of calls settles."""
_WAYS = {
    "kept_results": "which results are kept for later calls",
    "queue_ends": "the end from which values are taken",
    "caught_exceptions": "what is caught, and around which loops",
    "defaults_by_or": "defaults by `or`",
    "none_tests": "tests for None",
    "keywords": "the keywords for a function",
    "regular_expression_flags": "the flags of a regular expression",
    "nan_comparisons": "comparisons, which are all false for `nan`",
    "replacements": "the order of replacements in a text",
    "recursion": "recursion",
    "generator": "when a function begins to run: only one is a generator",
    "dict_display": "how dictionaries are merged",
}
"""Names of `inside.coverage.beyond` and `.operations` as words. Others are names of operations."""
_SORTS = {
    "line": "a line",
    "branch": "a branch",
    "boundary": "equal values in a comparison",
    "loop": "a loop with no, one or several turns",
    "operation": "an odd value for a method that was exchanged",
    "nan": "a comparison with `nan`",
    "member": "each constant that a value is compared with",
    "length": "sides of different lengths, the shorter of which is filled up",
    "empty": "a test for None, or one for being empty, of what is empty and not None",
}


def doubts(first: Record, second: Record, result: Record) -> list[str]:
    """Why the runs prove nothing: parts of sentences. Empty where they do.

    :param second: the run of the original with all calls.
    """
    original, changed = second.coverage, result.coverage
    if original is None or changed is None:
        return ["the runs did not tell what they reached"]
    found = []
    if second.load is None or second.load[0] != VALUE:
        found.append("the module ends when it is loaded")
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
            found.append(f"not reached in the {side}: {missing or 'something'}")
    matters = second.matters | result.matters
    left = sorted(matters.intersection((*first.left, *second.left, *result.left)))
    if left or first.skipped:
        found.append("there was no time for all functions")
    hurried = sorted(each["name"] for each in first.plan if each.get("short"))
    if hurried:
        found.append(f"there was no time for enough calls of `{hurried[0]}`")
    short = sorted(name for name in matters if _is_short(name, second, result))
    if short:
        found.append(f"not all calls of `{short[0]}` were made and compared on both sides")
    return found


def _is_short(name: str, second: Record, result: Record) -> bool:
    """Whether one side has made calls that the other has not, or that cannot be compared."""
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
        f"{_SORTS.get(sort, 'something')} (`{function}`, line {line})"
        for function, line, sort in missing[:_MAX_NAMED]
    ]
    counts = [each for sort, each in coverage.counts.items() if sort != _UNSETTLED]
    more = sum(whole - found for found, whole in counts) - len(named)
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def reached(second: Record, result: Record) -> str:
    """A sentence on what was reached on both sides."""
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
    return f"Of what was changed, the calls ran {' and '.join(sides)}."
