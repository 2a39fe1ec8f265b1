"""Which of several packages are ahead for sure, and which are behind, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from codeintel.contracts import Axis
from codeintel.trust.comparing import is_ahead, parts_of
from codeintel.trust.shapes import AxisComparison, Comparison, PackageReport
from codeintel.web.trust.words import listed

_NAMED = 2
"""Groups of packages that a sentence names."""


class Standing(StrEnum):
    """Where a package stands for sure: above all others, below at least one of them, or neither."""

    LEADS = "leads"
    BEHIND = "behind"
    OPEN = ""


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


def before(reports: Sequence[PackageReport], names: Sequence[str], axis: Axis | None = None) -> str:
    """What is clear though no package leads, such as "left and pkg3 before kit"; empty if nothing
    is. Packages whose names may imitate others are not compared."""
    parts = {
        name: parts_of(report.signals, report.settled_by, axis)
        for name, report in zip(names, reports, strict=True)
        if report.suspicion is None
    }
    ahead = {
        name: tuple(other for other in parts if is_ahead(parts[other], own))
        for name, own in parts.items()
    }
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, others in ahead.items():
        if first := tuple(other for other in others if not ahead[other]):
            groups.setdefault(first, []).append(name)
    if len(groups) > _NAMED:
        count = sum(map(len, groups.values()))
        return f"{count} of {len(names)} packages clearly behind others"
    told = [f"{listed(list(first))} before {listed(own)}" for first, own in groups.items()]
    return "; ".join(told)
