"""A package's report, ready for its template. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from codeintel.trust.scoring.genome import Observations
from codeintel.trust.shapes import CodeGenome, PackageSnapshot, TrustQuery, TrustTarget
from codeintel.web.trust.network import Link, NetworkView, network_view
from codeintel.web.trust.report import (
    Advice,
    Fact,
    MoatView,
    ReportView,
    advice,
    moat_view,
    rank_of,
    report_view,
)
from codeintel.web.trust.sections.concerns import Concern, concerns
from codeintel.web.trust.sections.forecasts import (
    ForecastView,
    Unknown,
    forecast_view,
    unknown_view,
)
from codeintel.web.trust.sections.signals import AxisView, axes, axes_plot, scale


@dataclass(frozen=True)
class PackageView:
    """All of a package's page."""

    report: ReportView
    scale: Markup
    axes_plot: Markup | None
    axes: tuple[AxisView, ...]
    before: tuple[Concern, ...]
    rank: Fact
    advice: tuple[Advice, ...]
    moat: tuple[MoatView, ...]
    forecasts: tuple[ForecastView, ...]
    unforecast: tuple[Unknown, ...]
    around: NetworkView | None


def package_view(
    body: PackageSnapshot,
    query: TrustQuery,
    observations: Observations,
    now: datetime,
    link: Link,
) -> PackageView:
    """
    :param observations: the package's counts, by metric.
    """
    genome = body.code_genome
    titles = {each.id: each.title for each in body.signals}
    return PackageView(
        report=report_view(body, now),
        scale=scale(body),
        axes_plot=axes_plot(body.axes),
        axes=axes(body),
        before=concerns(body),
        rank=_rank(genome, body.target),
        advice=tuple(advice(each, titles) for each in genome.recommendations),
        moat=tuple(moat_view(each) for each in genome.moat_signals),
        forecasts=tuple(forecast_view(each, observations) for each in genome.forecasts),
        unforecast=tuple(unknown_view(each) for each in genome.unforecast),
        around=network_view(body, query, link),
    )


def _rank(genome: CodeGenome, target: TrustTarget) -> Fact:
    cohort = genome.cohort
    since = cohort.created_at if cohort else None
    kind = str(target.ecosystem)
    return rank_of(genome.rank, genome.percentile, genome.ranked_among, since, kind)
