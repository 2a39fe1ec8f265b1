"""Compare packages by trust, as far as the evidence allows. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from codeintel.contracts import Axis
from codeintel.trust.scores import Score, Signal, Status
from codeintel.trust.shapes import AxisComparison, Comparison, Verdict

WEIGHT_SHIFT = 0.3
"""How far each weight may be wrong, as a fraction of it."""
_ROUNDS = 64
"""More rounds than the iteration ever needs, because each round moves at least one signal."""
_TINY = 1e-9


class Part(NamedTuple):
    """A signal's weight, and its minimum and maximum points."""

    weight: float
    low: float
    high: float


Parts = Mapping[str, Part]
"""The parts of the applicable signals, by id."""


def parts_of(
    signals: Iterable[Signal], settled_by: str | None, axis: Axis | None = None
) -> dict[str, Part]:
    """Return the parts of a score, or of one axis. A settled score has no open points."""
    found = {}
    for each in signals:
        if each.status is Status.NOT_APPLICABLE or axis not in {None, each.axis}:
            continue
        open_points = each.weight if each.status is Status.MISSING else each.unproven
        high = each.contribution + (0.0 if settled_by else open_points)
        found[each.id] = Part(each.weight, each.contribution, high)
    return found


def is_ahead(first: Parts, second: Parts) -> bool:
    """Return whether the first minimum exceeds the second maximum, even with different weights.

    Each weight may be up to 30% larger or smaller, the same for both packages. A package without
    applicable signals is neither ahead nor behind.
    """
    if not first or not second:
        return False
    if first.keys() == second.keys():
        # Both are divided by the same sum of weights, so the sign of the difference decides. The
        # difference is linear in each weight, so its minimum is at the ends of the weights' ranges.
        gaps = (part.low - second[name].high for name, part in first.items())
        return sum(gap * (1 - WEIGHT_SHIFT if gap > 0 else 1 + WEIGHT_SHIFT) for gap in gaps) > (
            _TINY
        )
    # Different signals apply, so the sums of weights differ, too. Taking each side at its own worst
    # is at least as strict as both under the same weights.
    least = _extreme([(part.weight, part.low) for part in first.values()], is_least=True)
    most = _extreme([(part.weight, part.high) for part in second.values()], is_least=False)
    return least - most > _TINY


def _extreme(parts: list[tuple[float, float]], *, is_least: bool) -> float:
    """Return the minimum or maximum share of points that the weights allow.

    The share is a quotient of two linear functions. Dinkelbach's method (Management Science 13(7),
    1967) moves each weight to the favorable end of its range, until the quotient is stable.

    :param parts: weights and points.
    """
    share = sum(points for _, points in parts) / sum(weight for weight, _ in parts)
    for _ in range(_ROUNDS):
        factors = [
            1 - WEIGHT_SHIFT if (points > share * weight) is is_least else 1 + WEIGHT_SHIFT
            for weight, points in parts
        ]
        points = sum(factor * part[1] for factor, part in zip(factors, parts, strict=True))
        weights = sum(factor * part[0] for factor, part in zip(factors, parts, strict=True))
        if abs(points / weights - share) < _TINY:
            break
        share = points / weights
    return share


class _Entry(NamedTuple):
    """A package. `is_suspicious` says whether its name may imitate another's."""

    score: Score
    is_suspicious: bool

    @property
    def key(self) -> str:
        return self.score.target.key

    def parts(self, axis: Axis | None = None) -> Parts:
        return parts_of(self.score.signals, self.score.settled_by, axis)


def compare(scores: Sequence[Score], suspects: Mapping[str, str] | None = None) -> Comparison:
    """Return the verdict on all axes together, and on each axis.

    :param scores: two or more.
    :param suspects: the famous names that packages may imitate, by the keys of their targets. Such
        a package never leads and is not compared, because imitations are made to look better than
        the original.
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
    """Return the package that is ahead of all others, and the packages that are behind another."""
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
    """Return a sentence for each package that is not compared."""
    return [
        f"{each.key} is excluded, because its name may imitate {suspects[each.key]}."
        for each in entries
        if each.is_suspicious
    ]


def _reason(entries: Sequence[_Entry], leader: str | None) -> list[str]:
    scores = [each.score for each in entries if not each.is_suspicious]
    if len(scores) < 2:
        return ["Fewer than two packages remain to compare."]
    first = next((each for each in scores if each.target.key == leader), None)
    first = first or max(scores, key=lambda each: each.low)
    rival = max((each for each in scores if each is not first), key=lambda each: each.high)
    is_above = first.low > rival.high
    told = (
        f"The lowest possible score of {first.target.key}, {first.low:.1f}, is "
        f"{('above' if is_above else 'not above')} the highest possible score of "
        f"{rival.target.key}, {rival.high:.1f}"
    )
    if leader is not None:
        return [f"{told}, even with each weight 30% higher or lower."]
    return [f"{told}, but not with every weight 30% higher or lower." if is_above else f"{told}."]
