"""Whether one package is ahead of another whatever the exact weights are. Pure.

The published weights are judgements. A lead that turns into a tie when a weight is a little
larger or smaller says something about the weights, not about the packages. So a lead counts only
if it holds for every choice of weights within 30% of the published ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from codeintel.contracts import Axis
from codeintel.trust.scores import Signal, Status

WEIGHT_SHIFT = 0.3
"""How far each weight may be off, as a share of itself."""
_ROUNDS = 64
"""More than the iteration ever needs: each round moves at least one signal."""
_TINY = 1e-9


class Part(NamedTuple):
    """One signal's weight, and the points that it gives at least and at most."""

    weight: float
    low: float
    high: float


Parts = Mapping[str, Part]
"""Of the signals that apply, by their ids."""


def parts_of(
    signals: Iterable[Signal], settled_by: str | None, axis: Axis | None = None
) -> dict[str, Part]:
    """The parts of a score, or of one of its axes. A settled score has nothing that is open."""
    found = {}
    for each in signals:
        if each.status is Status.NOT_APPLICABLE or axis not in {None, each.axis}:
            continue
        open_points = each.weight if each.status is Status.MISSING else each.unproven
        high = each.contribution + (0.0 if settled_by else open_points)
        found[each.id] = Part(each.weight, each.contribution, high)
    return found


def is_ahead(first: Parts, second: Parts) -> bool:
    """Whether the least that the first can have is above the most that the second can have, with
    each weight up to 30% larger or smaller, the same way for both. Nothing is ahead of, or behind,
    a package to which no signal applies."""
    if not first or not second:
        return False
    if first.keys() == second.keys():
        # Both are divided by the same sum of weights, so the sign of the difference decides. It
        # is linear in each weight: its least value is at the ends of their ranges.
        gaps = (part.low - second[name].high for name, part in first.items())
        return sum(gap * (1 - WEIGHT_SHIFT if gap > 0 else 1 + WEIGHT_SHIFT) for gap in gaps) > (
            _TINY
        )
    # Different signals apply, so the sums of weights differ too. Each side at its own worst is
    # at least as strict as both under the same weights.
    least = _extreme([(part.weight, part.low) for part in first.values()], is_least=True)
    most = _extreme([(part.weight, part.high) for part in second.values()], is_least=False)
    return least - most > _TINY


def _extreme(parts: list[tuple[float, float]], *, is_least: bool) -> float:
    """The least or greatest share of points that the weights allow.

    A quotient of two linear functions: Dinkelbach's method (Management Science 13(7), 1967) moves
    each weight to the end of its range that helps, until the quotient stays.

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
