"""The tables of a comparison: a line for each thing, a cell for each package, and which are ahead
for sure. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from codeintel.contracts import Axis
from codeintel.trust.comparing import is_ahead, parts_of
from codeintel.trust.scores import Signal
from codeintel.trust.shapes import (
    AxisComparison,
    Comparison,
    ComparisonSnapshot,
    PackageReport,
    Verdict,
)
from codeintel.web.trust.forecasts import title_of, value_and_band
from codeintel.web.trust.report import Fact, ReportView, moat_view, rank_of
from codeintel.web.trust.signals import signal_view, span
from codeintel.web.trust.words import AXES, listed, points

_NAMED = 2
"""Groups of packages that a sentence names."""
_NOTHING = "unknown"


class Standing(StrEnum):
    """The certain position of a package: above all others, below at least one of them, or
    neither."""

    LEADS = "leads"
    BEHIND = "behind"
    OPEN = ""


def standings(
    reports: Sequence[PackageReport], compared: Comparison | AxisComparison
) -> list[Standing]:
    """Return the standing of each package, in order."""
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
    """Describe a partial order if no package leads, such as "left and pkg3 before kit".

    Returns an empty text if no order is certain. Packages whose names may imitate others are not
    compared.
    """
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
        return f"{count} of {len(names)} packages are clearly behind others"
    told = [f"{listed(list(first))} ahead of {listed(own)}" for first, own in groups.items()]
    return "; ".join(told)


@dataclass(frozen=True)
class Cell:
    """The cell of a row for one package, and the package's certain standing."""

    value: str
    note: str = ""
    standing: Standing = Standing.OPEN
    url: str = ""


@dataclass(frozen=True)
class Line:
    """A row of a table: a cell for each package, in their order."""

    title: str
    note: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Part:
    """A table with its rows."""

    id: str
    title: str
    caption: str
    lines: tuple[Line, ...]


def parts(
    body: ComparisonSnapshot, packages: tuple[ReportView, ...], names: tuple[str, ...]
) -> Iterator[Part]:
    """Yield all tables, in the order of the page. A table may have no rows."""
    glance = tuple(_glance(body, packages))
    yield Part("glance", "At a glance", "Scores, ranks and usage.", glance)
    caption = "Points by axis. Clear leads and clear gaps are marked."
    yield Part("axes", "Axes", caption, tuple(_axes(body, names)))
    caption = "The values of the signals, and their points."
    yield Part("signals", "Signals", caption, tuple(_signals(body.packages)))
    caption = "Values with their 80% bands."
    yield Part("forecasts", "Forecasts", caption, tuple(_forecasts(body)))
    caption = "Facts that make a package hard to replace. They are not part of the score."
    yield Part("moat", "Moat", caption, tuple(_moat(body)))


def _glance(body: ComparisonSnapshot, packages: tuple[ReportView, ...]) -> Iterator[Line]:
    places = standings(body.packages, body.comparison)
    yield Line(
        "Trust score",
        "of 100",
        tuple(
            Cell(points(each.score), f"{span(each.low, each.high)} possible", standing)
            for each, standing in zip(body.packages, places, strict=True)
        ),
    )
    yield Line("Coverage", "of the weight", tuple(Cell(each.coverage) for each in packages))
    ranks = [_rank(body, each) for each in body.packages]
    yield Line("Rank in the cohort", "", tuple(Cell(each.value, each.note) for each in ranks))
    networks = [each.network for each in packages]
    yield Line("Network trust", "", tuple(Cell(each.value, each.note) for each in networks))
    yield Line(
        "Popularity",
        "not part of the score",
        tuple(
            Cell("; ".join(f"{one.value} {one.title}" for one in each.popularity) or _NOTHING)
            for each in packages
        ),
    )
    yield Line("Collected", "", tuple(Cell(each.age, each.collected_at) for each in packages))


def _rank(body: ComparisonSnapshot, report: PackageReport) -> Fact:
    genome, key = body.code_genome, report.target.key
    cohort = genome.cohort.get(key)
    since, among = cohort.created_at if cohort else None, genome.ranked_among.get(key)
    kind = str(report.target.ecosystem)
    return rank_of(genome.rank.get(key), genome.percentile.get(key), among, since, kind)


def _axes(body: ComparisonSnapshot, names: tuple[str, ...]) -> Iterator[Line]:
    for compared in body.comparison.axes:
        places = standings(body.packages, compared)
        cells = tuple(
            _axis_cell(each, compared.axis, standing)
            for each, standing in zip(body.packages, places, strict=True)
        )
        is_clear = compared.verdict is Verdict.CLEAR_DIFFERENCE
        told = "" if is_clear else before(body.packages, names, compared.axis)
        note = "" if is_clear else told or "no clear difference"
        yield Line(AXES[compared.axis], note, cells)


def _axis_cell(report: PackageReport, axis: Axis, standing: Standing) -> Cell:
    own = next((each for each in report.axes if each.axis is axis), None)
    if own is None or not own.weight:
        return Cell("does not apply")
    unknown = own.high - own.score
    note = f"{points(unknown)} unknown" if unknown > 0 else ""
    return Cell(f"{points(own.score)} of {points(own.weight)}", note, standing)


def _signals(packages: tuple[PackageReport, ...]) -> Iterator[Line]:
    """Yield the signals, those with the highest weight of each axis first."""
    found: dict[str, Signal] = {}
    for report in packages:
        for signal in report.signals:
            known = found.get(signal.id)
            if known is None or signal.weight > known.weight:
                found[signal.id] = signal
    by_package = [{each.id: each for each in report.signals} for report in packages]
    order = list(Axis)
    for first in sorted(found.values(), key=lambda each: (order.index(each.axis), -each.weight)):
        own = [signals.get(first.id) for signals in by_package]
        yield Line(first.title, AXES[first.axis], tuple(_signal_cell(each) for each in own))


def _signal_cell(signal: Signal | None) -> Cell:
    if signal is None:
        return Cell(_NOTHING)
    view = signal_view(signal)
    if not view.found:
        return Cell(view.state, f"0 of {view.weight} points" if signal.weight else "")
    note = f"{view.earned} of {view.weight} points"
    if view.status == "stale":
        note += f"; stale, of {view.since}"
    return Cell(view.found, note, url=view.url)


def _forecasts(body: ComparisonSnapshot) -> Iterator[Line]:
    genome = body.code_genome
    found = {(each.target, each.metric): each for each in genome.forecasts}
    reasons = {(each.target, each.metric): each.reason for each in genome.unforecast}
    metrics = dict.fromkeys(metric for _, metric in (*found, *reasons))
    for metric in metrics:
        cells = []
        for each in body.packages:
            forecast = found.get((each.target.key, metric))
            if forecast is None:
                cells.append(Cell("none", reasons.get((each.target.key, metric), "")))
                continue
            value, band = value_and_band(forecast)
            cells.append(Cell(value, f"{band}, in {forecast.horizon_days:,} days"))
        yield Line(title_of(metric), "", tuple(cells))


def _moat(body: ComparisonSnapshot) -> Iterator[Line]:
    found = {(each.target, each.id): each for each in body.code_genome.moat_signals}
    titles = {each.id: each.title for each in body.code_genome.moat_signals}
    for id_, title in titles.items():
        cells = []
        for each in body.packages:
            signal = found.get((each.target.key, id_))
            view = moat_view(signal) if signal is not None else None
            known = view is not None and view.value
            cells.append(
                Cell(view.value, view.note, url=view.url) if view and known else Cell(_NOTHING)
            )
        yield Line(title, "", tuple(cells))
