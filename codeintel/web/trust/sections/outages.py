"""Upstreams that did not tell what was asked, each once. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codeintel.trust.shapes import PackageReport
from codeintel.web.trust.words import listed


@dataclass(frozen=True)
class Outage:
    """What one did not tell; `packages` names those that miss it, empty if all do."""

    message: str
    packages: str = ""


def outages(reports: Sequence[PackageReport], names: Sequence[str]) -> tuple[Outage, ...]:
    """By upstream and what was wrong, in their order.

    :param names: of the packages, in the order of `reports`.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for name, report in zip(names, reports, strict=True):
        for failure in dict.fromkeys((each.source, each.message) for each in report.unavailable):
            found.setdefault(failure, []).append(name)
    return tuple(
        Outage(message, "" if len(own) == len(reports) else f"of {listed(own)}")
        for (_, message), own in found.items()
    )
