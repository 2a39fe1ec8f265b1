"""One defect, one finding: what several analysers say of the same thing is put together. Pure.

Two findings are about the same defect when their weakness classes are of one family, or their rules
are known to look for the same thing, and they overlap, or are from different analysers and begin on
the same line.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from codeintel.contracts import Confidence, Finding, Range, RuleRef
from codeintel_plugins.common.weaknesses import family

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

# Whose words and grades count: who knows the value's way, or looked at the value, comes first, and
# who only looked at the text last.
_ENGINES = (
    "taint", "secrets", "patterns", "sql", "bandit", "shellcheck", "oxlint", "ruff", "complexity",
    "syntax",
)  # fmt: skip

# A comment that another tool's finding heeds says nothing of ours, which knows more.
_OURS = ("taint", "patterns")

_SURER = {
    Confidence.LOW: Confidence.MEDIUM,
    Confidence.MEDIUM: Confidence.HIGH,
    Confidence.HIGH: Confidence.HIGH,
}

# How many neighbours, by place, a finding is compared with on each side: more than any real code
# has on one spot, and few enough that thousands of findings on one line are merged in no time.
_NEIGHBOURS = 8

Place = tuple[int, int, int, int]
T = TypeVar("T")


_PAUSE_EVERY = 50


def _no_pause() -> None:
    """Go on at once."""


def _pausing(items: Iterable[T], pause: Callable[[], None]) -> Iterator[T]:
    """The items, with a pause behind each fiftieth."""
    for count, item in enumerate(items, 1):
        yield item
        if count % _PAUSE_EVERY == 0:
            pause()


class Merger:
    """Collects findings as they arrive."""

    def __init__(self) -> None:
        self._findings: set[Finding] = set()

    def add(self, finding: Finding) -> bool:
        """Take a finding; True if it is new and no other can be about the same defect, so that it
        will stand in the result as it is."""
        if finding in self._findings:
            return False
        self._findings.add(finding)
        return not _has_counterparts(finding)

    def result(self, pause: Callable[[], None] = _no_pause) -> tuple[Finding, ...]:
        """All findings so far, merged, worst first."""
        return merge(self._findings, pause)


def merge(
    findings: Iterable[Finding], pause: Callable[[], None] = _no_pause
) -> tuple[Finding, ...]:
    """Merge duplicates and sort, worst first. The order of `findings` does not matter.

    :param pause: called now and then, since thousands take a while.
    """
    overlapping = _Clusters()
    for finding in _pausing(sorted(set(findings), key=_preference), pause):
        if not overlapping.join_overlapping(finding):
            overlapping.open(finding)
    # Only now, when all that overlap have found each other, may a line be reason enough.
    on_line = _Clusters()
    by_preference = sorted(overlapping, key=lambda members: _preference(members[0]))
    for members in _pausing(by_preference, pause):
        if not on_line.join_on_line(*members):
            on_line.open(*members)
    united = [_united(members) for members in _pausing(on_line, pause)]
    return tuple(sorted(united, key=worst_first))


class _Clusters:
    """Sets of findings that are about one defect each; the first of a set stands for its place."""

    def __init__(self) -> None:
        # For each kind of defect: (place, running number) in order, and the members by number.
        self._places: dict[str, list[tuple[Place, int]]] = {}
        self._members: list[list[Finding]] = []

    def __iter__(self) -> Iterator[list[Finding]]:
        return iter(self._members)

    def open(self, *findings: Finding) -> None:
        """Begin a new set."""
        places = self._places.setdefault(_defect(findings[0]), [])
        insort(places, (_place(findings[0]), len(self._members)))
        self._members.append(list(findings))

    def join_overlapping(self, finding: Finding) -> bool:
        """Join the nearest set that overlaps and does not have this rule of this analyser."""
        rule = finding.engine, finding.rule_id
        return self._join(
            [finding],
            lambda members: (
                _overlap(members[0].range, finding.range)
                and all((other.engine, other.rule_id) != rule for other in members)
            ),
        )

    def join_on_line(self, *findings: Finding) -> bool:
        """Join the nearest set that begins on the same line and has none of these analysers."""
        line = findings[0].range.start_line
        engines = {finding.engine for finding in findings}
        return self._join(
            findings,
            lambda members: (
                members[0].range.start_line == line
                and engines.isdisjoint(other.engine for other in members)
            ),
        )

    def _join(self, findings: Sequence[Finding], fits: Callable[[list[Finding]], bool]) -> bool:
        place = _place(findings[0])
        places = self._places.get(_defect(findings[0]), [])
        here = bisect_left(places, (place, -1))
        near = places[max(0, here - _NEIGHBOURS) : here + _NEIGHBOURS]
        candidates = [
            (_distance(other, place), number)
            for other, number in near
            if fits(self._members[number])
        ]
        if not candidates:
            return False
        self._members[min(candidates)[1]].extend(findings)
        return True


def _defect(finding: Finding) -> str:
    """A name for what the rule looks for; the same for rules that look for the same thing."""
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
    """Whether another rule, of this analyser or another, may look for the same thing."""
    if finding.cwe is not None:
        return True
    if finding.engine not in _ENGINES:
        return False
    return finding.rule_id in _GROUP or _defect(finding) != finding.rule_id


def _united(members: list[Finding]) -> Finding:
    """The best member's words and grades, the narrowest range, anybody's fix."""
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
        suppression=next(
            (
                each.suppression
                for each in (best, *others)
                if each.suppression and each.engine in (best.engine, *_OURS)
            ),
            UNSET,
        ),
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
        finding.rule_id,
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


def _overlap(one: Range, other: Range) -> bool:
    """Whether they share a character, or are the same place."""
    if one == other:
        return True
    one_start, one_end = (one.start_line, one.start_column), (one.end_line, one.end_column)
    start, end = (other.start_line, other.start_column), (other.end_line, other.end_column)
    return one_start < end and start < one_end
