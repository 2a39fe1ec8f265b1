"""Whether one of several packages is more trustworthy, as far as what is known can tell. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from codeintel.contracts import Axis
from codeintel.trust.scores import Score
from codeintel.trust.shapes import AxisComparison, Comparison, Verdict


class _Span(NamedTuple):
    key: str
    low: float
    high: float


def compare(scores: Sequence[Score]) -> Comparison:
    """The verdict on all axes together, and on each.

    :param scores: two or more.
    """
    spans = [_Span(each.target.key, each.low, each.high) for each in scores]
    leader = _leader(spans)
    return Comparison(
        verdict=_verdict(leader),
        leader=leader,
        reason=_reason(spans, leader),
        axes=tuple(_axis(axis, scores) for axis in Axis),
        behind=_behind(spans),
    )


def _axis(axis: Axis, scores: Sequence[Score]) -> AxisComparison:
    """By the share of the axis' weight, which differs where signals do not apply to all."""
    spans = []
    for each in scores:
        own = next(part for part in each.axes if part.axis is axis)
        if own.weight:
            spans.append(_Span(each.target.key, own.score / own.weight, own.high / own.weight))
        else:  # nothing is known, and nothing can be
            spans.append(_Span(each.target.key, 0.0, 1.0))
    leader = _leader(spans)
    return AxisComparison(axis, _verdict(leader), leader, _behind(spans))


def _leader(spans: Sequence[_Span]) -> str | None:
    """Whose lowest is above every other's highest."""
    first = max(spans, key=lambda each: each.low)
    others = (each.high for each in spans if each is not first)
    return first.key if all(high < first.low for high in others) else None


def _behind(spans: Sequence[_Span]) -> tuple[str, ...]:
    """Those whose highest is below another's lowest: they are not the best, whoever is."""
    first = max(each.low for each in spans)
    return tuple(each.key for each in spans if each.high < first)


def _verdict(leader: str | None) -> Verdict:
    return Verdict.CLEAR_DIFFERENCE if leader is not None else Verdict.NO_CLEAR_DIFFERENCE


def _reason(spans: Sequence[_Span], leader: str | None) -> str:
    first = max(spans, key=lambda each: each.low)
    rival = max((each for each in spans if each is not first), key=lambda each: each.high)
    word = "above" if leader is not None else "not above"
    return (
        f"The least that {first.key} can have, {first.low:.1f}, is {word} the most that "
        f"{rival.key} can have, {rival.high:.1f}."
    )
