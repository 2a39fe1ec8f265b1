"""Which of several packages are ahead for sure, and which are behind, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from codeintel.contracts import Axis
from codeintel.trust.shapes import AxisComparison, Comparison, PackageReport
from codeintel.web.trust_words import listed

_NAMED = 2
"""Groups of packages that a sentence names."""


class Span(NamedTuple):
    """Between what a package can have at least and at most."""

    low: float
    high: float


class Standing(StrEnum):
    """Where a package stands for sure: above all others, below at least one of them, or neither."""

    LEADS = "leads"
    BEHIND = "behind"
    OPEN = ""


def overall(reports: Sequence[PackageReport]) -> list[Span]:
    """Of the scores."""
    return [Span(each.low, each.high) for each in reports]


def on_axis(reports: Sequence[PackageReport], axis: Axis) -> list[Span]:
    """Shares of the axis' weight, which differs where signals do not apply to all; from 0 to 1
    where nothing can be known."""
    found = []
    for report in reports:
        own = next((each for each in report.axes if each.axis is axis and each.weight), None)
        found.append(Span(own.score / own.weight, own.high / own.weight) if own else Span(0.0, 1.0))
    return found


def standings(
    reports: Sequence[PackageReport], compared: Comparison | AxisComparison
) -> list[Standing]:
    """Of each package, in their order."""
    keys = [each.target.key for each in reports]
    return [
        Standing.LEADS
        if key == compared.leader
        else Standing.BEHIND
        if key in compared.behind
        else Standing.OPEN
        for key in keys
    ]


def before(spans: Sequence[Span], names: Sequence[str]) -> str:
    """What is clear though no package leads, such as "left and pkg3 before kit"; empty if nothing
    is."""
    most = max(each.low for each in spans)
    first = [(name, each) for name, each in zip(names, spans, strict=True) if each.high >= most]
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, own in zip(names, spans, strict=True):
        ahead = tuple(other for other, each in first if own.high < each.low)
        if own.high < most:
            groups.setdefault(ahead, []).append(name)
    if len(groups) > _NAMED:
        count = sum(map(len, groups.values()))
        return f"{count} of {len(names)} packages clearly behind others"
    told = [f"{listed(list(ahead))} before {listed(own)}" for ahead, own in groups.items()]
    return "; ".join(told)
