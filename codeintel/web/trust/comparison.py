"""Packages side by side, ready for the template. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from codeintel.trust.scores import POINTS
from codeintel.trust.shapes import ComparisonSnapshot, PackageReport, TrustTarget, Verdict
from codeintel.web.plots.bars import Bar, bars
from codeintel.web.trust.lines import Part, parts
from codeintel.web.trust.report import Advice, ReportView, advice, report_view
from codeintel.web.trust.sections.outages import Outage, outages
from codeintel.web.trust.sections.signals import QUARTERS, span
from codeintel.web.trust.sections.standing import before
from codeintel.web.trust.words import listed

_NAMED = 3
"""Packages that a heading names."""


@dataclass(frozen=True)
class ComparisonView:
    """All of the page. `names`, `versions` and `advice` are in the order of `packages`."""

    title: str
    names: tuple[str, ...]
    versions: tuple[str, ...]
    verdict: str
    reason: str
    scale: Markup
    is_stale: bool
    unavailable: tuple[Outage, ...]
    packages: tuple[ReportView, ...]
    parts: tuple[Part, ...]
    advice: tuple[tuple[Advice, ...], ...]


def comparison_view(body: ComparisonSnapshot, now: datetime) -> ComparisonView:
    """The verdict first, then what it rests on."""
    names = _names(body)
    keys = [each.target.key for each in body.packages]
    by_key = dict(zip(keys, names, strict=True))
    leader = by_key.get(body.comparison.leader or "", "")
    packages = tuple(report_view(each, now) for each in body.packages)
    return ComparisonView(
        title=_title(names),
        names=names,
        versions=tuple(_version(each.target) for each in body.packages),
        verdict=_verdict(body, names, leader),
        reason=body.comparison.reason,
        scale=_scale(body, names),
        is_stale=any(each.is_stale for each in body.packages),
        unavailable=outages(body.packages, names),
        packages=packages,
        parts=tuple(part for part in parts(body, packages, names) if part.lines),
        advice=tuple(_advice(body, each) for each in body.packages),
    )


def _title(names: tuple[str, ...]) -> str:
    """A heading has room for a few."""
    if len(names) > _NAMED:
        return f"{len(names)} packages side by side"
    return listed(list(names))


def _verdict(body: ComparisonSnapshot, names: tuple[str, ...], leader: str) -> str:
    if body.comparison.verdict is Verdict.CLEAR_DIFFERENCE:
        return f"{leader} is clearly ahead"
    told = before(body.packages, names)
    return f"No single leader, but this is clear: {told}" if told else "No clear difference"


def _names(body: ComparisonSnapshot) -> tuple[str, ...]:
    """Names alone where they tell packages apart, else their keys; with the version where one was
    asked for."""
    keys = [each.target.key for each in body.packages]
    short = [key.partition(":")[2] for key in keys]
    is_plain = len({each.target.ecosystem for each in body.packages}) == 1
    is_plain = is_plain and len({each.target.name for each in body.packages}) == len(keys)
    return tuple(short if is_plain else keys)


def _version(target: TrustTarget) -> str:
    """That was judged, below the package's name; empty where nobody tells it."""
    return f"{target.ecosystem}, version {target.version}" if target.version else ""


def _scale(body: ComparisonSnapshot, names: tuple[str, ...]) -> Markup:
    rows = [
        Bar(name, span(each.low, each.high), each.score, each.high, POINTS)
        for name, each in zip(names, body.packages, strict=True)
    ]
    told = "; ".join(f"{row.label} {row.note}" for row in rows)
    return bars("scores", "Trust scores on one scale", f"{told}.", rows, POINTS, QUARTERS)


def _advice(body: ComparisonSnapshot, report: PackageReport) -> tuple[Advice, ...]:
    titles = {each.id: each.title for each in report.signals}
    own = [each for each in body.code_genome.recommendations if each.target == report.target.key]
    return tuple(advice(each, titles) for each in own)
