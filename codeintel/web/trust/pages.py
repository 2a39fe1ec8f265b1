"""`/trust`: how far packages can be trusted, and why, as a page that needs no script: one report,
or packages side by side."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flask import Response, request, url_for
from markupsafe import Markup

from codeintel.api.trust import Body, look
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.trust.genome import Observations
from codeintel.trust.recorded import is_recorded
from codeintel.trust.scores import POINTS
from codeintel.trust.shapes import (
    CodeGenome,
    ComparisonSnapshot,
    PackageReport,
    PackageSnapshot,
    TrustQuery,
    TrustTarget,
    Verdict,
)
from codeintel.trust.targets import parse_target
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.demo.marks import recorded_evidence, recorded_network
from codeintel.web.login.require_login import visitor
from codeintel.web.plots.bars import Bar, bars
from codeintel.web.text import inline
from codeintel.web.trust.comparison import Part, before, parts
from codeintel.web.trust.concerns import Concern, concerns
from codeintel.web.trust.forecasts import (
    ForecastView,
    Unknown,
    forecast_view,
    unknown_view,
)
from codeintel.web.trust.form import FIELD, TrustForm, asked, filled, is_about_field, is_typed
from codeintel.web.trust.network import Link, NetworkView, network_view, overview_view
from codeintel.web.trust.report import (
    Advice,
    Fact,
    MoatView,
    Outage,
    ReportView,
    advice,
    moat_view,
    outages,
    rank_of,
    report_view,
)
from codeintel.web.trust.signals import QUARTERS, AxisView, axes, axes_plot, scale, span
from codeintel.web.trust.words import day, listed

_LISTED = 200
"""Stored packages that the overview lists."""
_NAMED = 3
"""Packages that a heading names."""
_HEADINGS = {
    ErrorCode.INVALID_REQUEST: "Invalid request",
    ErrorCode.NOT_FOUND: "No such package",
    ErrorCode.UPSTREAMS_UNAVAILABLE: "The registries are unreachable",
    ErrorCode.OVERLOADED: "The service is overloaded",
    ErrorCode.RATE_LIMIT_EXCEEDED: "Too many requests",
}


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
    """Return the comparison: the verdict, followed by the reasons."""
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
    """Return the heading, with the names if they are few."""
    if len(names) > _NAMED:
        return f"{len(names)} packages side by side"
    return listed(list(names))


def _verdict(body: ComparisonSnapshot, names: tuple[str, ...], leader: str) -> str:
    if body.comparison.verdict is Verdict.CLEAR_DIFFERENCE:
        return f"{leader} is clearly ahead"
    told = before(body.packages, names)
    return f"No single leader. Clear results: {told}" if told else "No clear difference"


def _names(body: ComparisonSnapshot) -> tuple[str, ...]:
    """Return names if they are distinct, otherwise keys. Requested versions are included."""
    keys = [each.target.key for each in body.packages]
    short = [key.partition(":")[2] for key in keys]
    is_plain = len({each.target.ecosystem for each in body.packages}) == 1
    is_plain = is_plain and len({each.target.name for each in body.packages}) == len(keys)
    return tuple(short if is_plain else keys)


def _version(target: TrustTarget) -> str:
    """Return the assessed version, which is displayed below the package's name, or an empty
    text."""
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
    series_end: str
    """The last day of a recorded history, or empty if the package was looked up."""
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
        series_end=day(body.collected_at) if is_recorded(body.snapshot_id) else "",
        unforecast=tuple(unknown_view(each) for each in genome.unforecast),
        around=network_view(body, query, link),
    )


def _rank(genome: CodeGenome, target: TrustTarget) -> Fact:
    cohort = genome.cohort
    since = cohort.created_at if cohort else None
    kind = str(target.ecosystem)
    return rank_of(genome.rank, genome.percentile, genome.ranked_among, since, kind)


@blueprint.get("/trust")
def trust() -> Response:
    """Show a package, several side by side, or the network as a whole.

    The form redirects to the URL of its packages, which can be shared.
    """
    visitor()
    form = filled(request.args)
    try:
        if is_typed(request.args):
            parameters: dict[str, Any] = {**asked(form.packages)}
            address = url_for("web.trust", **parameters)
            return Response(status=303, headers={"Location": address})
        query = read_query(request, TrustQuery)
        body = look(query)
    except ServiceError as error:
        return _refused(form, error)
    template, shown = _shown(body, query)
    return page_answer(_page(template, form=form, query=query, **shown))


def _shown(body: Body, query: TrustQuery) -> tuple[str, dict[str, Any]]:
    """Return the template, and what it shows."""
    now = datetime.now(UTC)
    if isinstance(body, PackageSnapshot):
        observations = services().trust.store.observations(body.target.key)
        view = package_view(body, query, observations, now, _link)
        return "trust_package.html", {"view": view, "recorded": recorded_evidence([body])}
    if isinstance(body, ComparisonSnapshot):
        recorded = recorded_evidence(body.packages)
        return "trust_comparison.html", {"view": comparison_view(body, now), "recorded": recorded}
    store = services().trust.store
    stored = store.listed(_LISTED + 1)
    top = store.among(each.id for each in body.network.top)
    return "trust_overview.html", {
        "view": overview_view(body, stored[:_LISTED], top),
        "more": len(stored) > _LISTED,
        "recorded": recorded_network(),
    }


def _link(target: str) -> str:
    return url_for("web.trust", target=target)


def _refused(form: TrustForm, error: ServiceError) -> Response:
    """Return the form, with the message at its field if that is what is wrong, else below it."""
    if is_about_field(error) and request.args.keys() & {FIELD, "target"}:
        page = _page("trust_refused.html", form=form.refused(error))
        return page_answer(page, error.code.status)
    page = _page(
        "trust_refused.html",
        form=form,
        heading=_HEADINGS.get(error.code, "This page cannot be shown"),
        message=error.message,
        failures=_reasons(error),
        suggestion=str(error.details.get("suggestion") or ""),
        unknown=_name(error) if error.code is ErrorCode.NOT_FOUND else "",
        seconds=error.retry_after,
        stored=_stored_elsewhere(),
    )
    response = page_answer(page, error.code.status)
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _stored_elsewhere() -> list[str]:
    """Return the stored packages of other ecosystems with the requested name."""
    try:
        asked = parse_target(request.args.get("target", ""))
    except ServiceError:  # a comparison, or not a target
        return []
    return [each for each in services().trust.store.named(asked.name) if each != asked.key]


def _reasons(error: ServiceError) -> tuple[str, ...]:
    """Return the messages of failed upstreams, each once: one upstream serves several requests."""
    return tuple(dict.fromkeys(each.message for each in error.details.get("unavailable", ())))


def _name(error: ServiceError) -> str:
    """Return the name of the unknown package."""
    return str(error.details.get("target", "")).partition(":")[2]


def _page(template: str, **shown: Any) -> str:
    again = request.full_path.removesuffix("?")
    return render_page(template, inline=inline, again=again, **shown)
