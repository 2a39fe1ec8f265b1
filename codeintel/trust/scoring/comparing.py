"""Whether one of several packages is more trustworthy, as far as the evidence can tell. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from codeintel.contracts import Axis
from codeintel.trust.scores import Score
from codeintel.trust.scoring.margins import Parts, is_ahead, parts_of
from codeintel.trust.shapes import AxisComparison, Comparison, Verdict


class _Entry(NamedTuple):
    """One package. `is_suspicious`: its name may imitate another's."""

    score: Score
    is_suspicious: bool

    @property
    def key(self) -> str:
        return self.score.target.key

    def parts(self, axis: Axis | None = None) -> Parts:
        return parts_of(self.score.signals, self.score.settled_by, axis)


def compare(scores: Sequence[Score], suspects: Mapping[str, str] | None = None) -> Comparison:
    """The verdict on all axes together, and on each.

    :param scores: two or more.
    :param suspects: of each package whose name may imitate a famous one, that name, by the key of
        its target. Such a package never leads and is not compared with the others: that a package
        looks better than what it imitates is how imitations work.
    """
    suspects = suspects or {}
    entries = [_Entry(each, each.target.key in suspects) for each in scores]
    judged = _judged(entries)
    left_out = tuple(each.key for each in entries if each.is_suspicious)
    return Comparison(
        verdict=_verdict(judged.leader),
        leader=judged.leader,
        reason=" ".join((*_left_out(entries, suspects), *_reason(entries, judged.leader))),
        axes=tuple(_axis(axis, entries) for axis in Axis),
        behind=judged.behind,
        left_out=left_out,
    )


class _Judged(NamedTuple):
    leader: str | None
    behind: tuple[str, ...]


def _judged(entries: Sequence[_Entry], axis: Axis | None = None) -> _Judged:
    """Who is ahead of all others, and who is behind any other."""
    parts = {each.key: each.parts(axis) for each in entries if not each.is_suspicious}
    behind = {
        key: [other for other in parts if other != key and is_ahead(parts[other], parts[key])]
        for key in parts
    }
    leader = None
    if len(parts) > 1:
        for key in parts:
            if all(key in behind[other] for other in parts if other != key):
                leader = key
    return _Judged(leader, tuple(key for key, ahead in behind.items() if ahead))


def _axis(axis: Axis, entries: Sequence[_Entry]) -> AxisComparison:
    judged = _judged(entries, axis)
    return AxisComparison(axis, _verdict(judged.leader), judged.leader, judged.behind)


def _verdict(leader: str | None) -> Verdict:
    return Verdict.CLEAR_DIFFERENCE if leader is not None else Verdict.NO_CLEAR_DIFFERENCE


def _left_out(entries: Sequence[_Entry], suspects: Mapping[str, str]) -> list[str]:
    """A sentence for each package that is not compared."""
    return [
        f"{each.key} is left out: its name may imitate {suspects[each.key]}."
        for each in entries
        if each.is_suspicious
    ]


def _reason(entries: Sequence[_Entry], leader: str | None) -> list[str]:
    scores = [each.score for each in entries if not each.is_suspicious]
    if len(scores) < 2:
        return ["Fewer than two packages are left to compare."]
    first = next((each for each in scores if each.target.key == leader), None)
    first = first or max(scores, key=lambda each: each.low)
    rival = max((each for each in scores if each is not first), key=lambda each: each.high)
    is_above = first.low > rival.high
    told = (
        f"The least that {first.target.key} can have, {first.low:.1f}, is "
        f"{'above' if is_above else 'not above'} the most that {rival.target.key} can have, "
        f"{rival.high:.1f}"
    )
    if leader is not None:
        return [f"{told}, even with each weight 30% higher or lower."]
    return [f"{told}, but not with every weight 30% higher or lower." if is_above else f"{told}."]
