"""Merges findings of several analyzers about the same defect into one. Pure.

Two findings are about the same defect if their weakness classes are of one family, or their rules
are known to check for the same defect. In addition, one range must be tightly within the other: a
finding about a whole function differs from a finding about a line in it, and two ranges on one line
are two defects.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from codeintel.contracts import Confidence, Finding, Range, RuleRef
from codeintel_plugins.toolkit.weaknesses import family

# Rules that look for the same thing. Bandit's B602 and ruff's S602 need no row: the number tells.
_SAME_DEFECT = (
    ("B012", "PLE0116", "SIM107"),
    ("B005", "PLE1310"),
    ("E722", "BLE001"),
    ("F704", "PLE1142"),
    ("PLE2502", "B613"),
    ("RET501", "PLR1711"),
    ("invalid-syntax",),
    ("S303", "S324", "B303", "B324"),
    ("S308", "B308", "B703"),
)
_HARD_CODED_SECRET = family("CWE-798")
_GROUP = {rule_id: group[0] for group in _SAME_DEFECT for rule_id in group} | {
    f"{letter}{number}": _HARD_CODED_SECRET for letter in "SB" for number in (105, 106, 107)
}

# Whose texts and ratings count. Analyzers that know the value's path or have checked the value come
# first, and those that only checked the text last.
_ENGINES = (
    "taint", "secrets", "patterns", "sql", "bandit", "shellcheck", "oxlint", "ruff", "complexity",
    "syntax",
)  # fmt: skip

_SURER = {
    Confidence.LOW: Confidence.MEDIUM,
    Confidence.MEDIUM: Confidence.HIGH,
    Confidence.HIGH: Confidence.HIGH,
}

# How many neighbors, by place, a finding is compared with on each side: more than any real code
# has on one spot, and few enough that thousands of findings on one line are merged in no time.
_NEIGHBOURS = 8

# A call over so many lines is one place, however little of it another tool points at.
_MOST_LINES = 3

Place = tuple[int, int, int, int]
T = TypeVar("T")


_PAUSE_EVERY = 50


def _no_pause() -> None:
    """Continue immediately."""


def _pausing(items: Iterable[T], pause: Callable[[], None]) -> Iterator[T]:
    """Yield the items, with a pause behind each fiftieth."""
    for count, item in enumerate(items, 1):
        yield item
        if count % _PAUSE_EVERY == 0:
            pause()


class Merger:
    """Collects findings as they arrive."""

    def __init__(self) -> None:
        self._findings: set[Finding] = set()

    def add(self, finding: Finding) -> bool:
        """Add a finding.

        Returns True if the finding is new and no other can be about the same defect, so that the
        result will have it unchanged.
        """
        if finding in self._findings:
            return False
        self._findings.add(finding)
        return not _has_counterparts(finding)

    def result(self, pause: Callable[[], None] = _no_pause) -> tuple[Finding, ...]:
        """Return all findings so far, merged, worst first."""
        return merge(self._findings, pause)


def merge(
    findings: Iterable[Finding], pause: Callable[[], None] = _no_pause
) -> tuple[Finding, ...]:
    """Merge duplicates and sort, worst first. The order of `findings` does not matter.

    :param pause: called periodically, because thousands take a while.
    """
    clusters = _Clusters()
    for finding in _pausing(sorted(set(findings), key=_preference), pause):
        if not clusters.join(finding):
            clusters.open(finding)
    united = [_united(members) for members in _pausing(clusters, pause)]
    return tuple(sorted(united, key=worst_first))


class _Clusters:
    """Sets of findings that are about one defect each; the first of a set stands for its place."""

    def __init__(self) -> None:
        # For each kind of defect: (place, running number) in order, and the members by number.
        self._places: dict[str, list[tuple[Place, int]]] = {}
        self._members: list[list[Finding]] = []

    def __iter__(self) -> Iterator[list[Finding]]:
        return iter(self._members)

    def open(self, finding: Finding) -> None:
        """Begin a new set."""
        places = self._places.setdefault(_defect(finding), [])
        insort(places, (_place(finding), len(self._members)))
        self._members.append([finding])

    def join(self, finding: Finding) -> bool:
        """Join the nearest set that is about the same place and does not have this rule of this
        analyzer."""
        place = _place(finding)
        places = self._places.get(_defect(finding), [])
        here = bisect_left(places, (place, -1))
        near = places[max(0, here - _NEIGHBOURS) : here + _NEIGHBOURS]
        candidates = [
            (_distance(other, place), number)
            for other, number in near
            if _fits(finding, self._members[number])
        ]
        if not candidates:
            return False
        self._members[min(candidates)[1]].append(finding)
        return True


def _fits(finding: Finding, members: Sequence[Finding]) -> bool:
    """Return whether a finding has the same position as the first of a set.

    An analyzer that reports two positions within it means two defects.
    """
    return _nest_tightly(members[0].range, finding.range) and all(
        other.rule_id != finding.rule_id and _nest_tightly(other.range, finding.range)
        for other in members
        if other.engine == finding.engine
    )


def _defect(finding: Finding) -> str:
    """Return a name for the defect that a rule detects. Rules for the same defect share a name."""
    if finding.engine == "secrets":
        return _HARD_CODED_SECRET
    group = _GROUP.get(finding.rule_id) if finding.engine in _ENGINES else None
    if group is not None:
        return group
    letter, number = finding.rule_id[:1], finding.rule_id[1:]
    is_bandit_test = letter == ("B" if finding.engine == "bandit" else "S") and number.isdigit()
    if finding.cwe is not None:
        return family(finding.cwe)
    if finding.engine not in _ENGINES:
        return f"{finding.engine} {finding.rule_id}"
    return number if is_bandit_test else finding.rule_id


def _has_counterparts(finding: Finding) -> bool:
    """Return whether another rule, of this analyzer or another, may find the same defect."""
    if finding.cwe is not None:
        return True
    if finding.engine not in _ENGINES:
        return False
    return finding.rule_id in _GROUP or _defect(finding) != finding.rule_id


def _united(members: list[Finding]) -> Finding:
    """Return the best member's words and grades, the narrowest range, anybody's fix."""
    best, *others = sorted(members, key=_preference)
    if not others:
        return best
    refs = {RuleRef(other.rule_id, other.engine) for other in others}
    refs.discard(RuleRef(best.rule_id, best.engine))
    several = len({member.engine for member in members}) > 1
    return msgspec.structs.replace(
        best,
        severity=min((member.severity for member in members), key=lambda each: each.rank),
        confidence=_SURER[best.confidence] if several else best.confidence,
        cwe=next((member.cwe for member in (best, *others) if member.cwe), None),
        range=min((member.range for member in members), key=_extent),
        remedy=next((each.remedy for each in (best, *others) if each.remedy is not UNSET), UNSET),
        # Whose comment names a rule that was merged in has this defect in mind.
        suppression=next((each.suppression for each in (best, *others) if each.suppression), UNSET),
        fix=next((member.fix for member in (best, *others) if member.fix is not UNSET), UNSET),
        flow=next((member.flow for member in (best, *others) if member.flow), UNSET),
        also=tuple(sorted(refs, key=lambda ref: (ref.engine, ref.rule_id))) or UNSET,
    )


def _preference(finding: Finding) -> tuple[Any, ...]:
    engine = _ENGINES.index(finding.engine) if finding.engine in _ENGINES else len(_ENGINES)
    return engine, *worst_first(finding)


def worst_first(finding: Finding) -> tuple[Any, ...]:
    return (
        finding.severity.rank,
        finding.confidence.rank,
        _place(finding),
        finding.engine,
        finding.lasting_id,
        finding.message,
        finding.cwe or "",
        msgspec.json.encode(finding),
    )


def _place(finding: Finding) -> Place:
    place = finding.range
    return place.start_line, place.start_column, place.end_line, place.end_column


def _distance(one: Place, other: Place) -> tuple[int, ...]:
    return tuple(abs(a - b) for a, b in zip(one, other, strict=True))


def _extent(place: Range) -> tuple[int, ...]:
    lines = place.end_line - place.start_line
    columns = place.end_column - place.start_column if lines == 0 else place.end_column
    return lines, columns, place.start_line, place.start_column


def _nest_tightly(one: Range, other: Range) -> bool:
    """Return whether one range is within the other, which is not much wider.

    The outer range is not much wider if it begins on the same line, is short, or has no more lines
    around than the inner one has.
    """
    inner, outer = sorted((one, other), key=_extent)
    start, end = (inner.start_line, inner.start_column), (inner.end_line, inner.end_column)
    if start < (outer.start_line, outer.start_column) or end > (outer.end_line, outer.end_column):
        return False
    lines = outer.end_line - outer.start_line + 1
    return (
        inner.start_line == outer.start_line
        or lines <= _MOST_LINES
        or lines <= 2 * (inner.end_line - inner.start_line + 1)
    )
