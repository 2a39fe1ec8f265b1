"""Views that the pages of a single package and of several packages share. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec import UNSET

from codeintel.base.wording import age
from codeintel.trust.names.shapes import Suspicion
from codeintel.trust.shapes import (
    Gain,
    MoatSignal,
    PackageReport,
    Popularity,
    Recommendation,
    TrustTarget,
)
from codeintel.web.trust.concerns import Flaws, Settled, flaws, settled
from codeintel.web.trust.signals import told_score
from codeintel.web.trust.words import (
    amount,
    day,
    day_and_time,
    listed,
    page_of,
    percentage,
    points,
    told_day,
)

_PERIODS = {"last-month": "downloads in the last month", "total": "total downloads"}
_GAINS = {Gain.IMPROVE: "by improving", Gain.SHOW: "by providing evidence of"}


@dataclass(frozen=True)
class Outage:
    """A failed upstream. `packages` names the affected packages, or is empty if all are."""

    message: str
    packages: str = ""


def outages(reports: Sequence[PackageReport], names: Sequence[str]) -> tuple[Outage, ...]:
    """Group failures by upstream and error, in order.

    :param names: the names of the packages, in the order of `reports`.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for name, report in zip(names, reports, strict=True):
        for failure in dict.fromkeys((each.source, each.message) for each in report.unavailable):
            found.setdefault(failure, []).append(name)
    return tuple(
        Outage(message, "" if len(own) == len(reports) else f"of {listed(own)}")
        for (_, message), own in found.items()
    )


@dataclass(frozen=True)
class Warned:
    """A name that looks like an imitation. `target` is the target of its page."""

    name: str
    target: str
    like: str
    edit: str
    certainty: str
    is_famous: bool


@dataclass(frozen=True)
class Fact:
    """A number with its unit, and a note."""

    title: str
    value: str
    note: str


@dataclass(frozen=True)
class Advice:
    """A change that would raise the score."""

    signal: str
    gain: str
    how: str
    text: str


@dataclass(frozen=True)
class MoatView:
    """A moat: a reason why the package is hard to replace. `value` is empty if unknown."""

    id: str
    title: str
    value: str
    note: str
    since: str
    url: str


@dataclass(frozen=True)
class ReportView:
    """The view of a package, for one and for several."""

    target: TrustTarget
    ask: str
    """The target of the package's page."""
    score: str
    sentence: str
    coverage: str
    age: str
    collected: datetime
    collected_at: str
    is_stale: bool
    unavailable: tuple[Outage, ...]
    settled: Settled | None
    flaws: Flaws | None
    warned: Warned | None
    network: Fact
    popularity: tuple[Fact, ...]
    snapshot_id: str
    scorer_version: str
    inputs_hash: str


def report_view(report: PackageReport, now: datetime) -> ReportView:
    """Return a package's score and related facts."""
    return ReportView(
        target=report.target,
        ask=ask_of(report.target),
        score=points(report.score),
        sentence=told_score(report),
        coverage=percentage(report.coverage),
        age=age(max(0.0, (now - report.collected_at).total_seconds())),
        collected=report.collected_at,
        collected_at=day_and_time(report.collected_at),
        is_stale=report.is_stale,
        unavailable=outages([report], [report.target.name]),
        settled=settled(report),
        flaws=flaws(report.advisories),
        warned=_warned(report.suspicion, report.target),
        network=_network_trust(report),
        popularity=tuple(_popularity(report.popularity)),
        snapshot_id=report.snapshot_id,
        scorer_version=report.scorer_version,
        inputs_hash=report.inputs_hash,
    )


def ask_of(target: TrustTarget) -> str:
    """Return the target of a package's own page: a package URL if a version is set, because a
    key has no version."""
    plain = f"{target.ecosystem}:{target.name}"
    return plain if target.key == plain else target.purl


def rank_of(
    rank: int | None, percentile: float | None, among: int | None, since: datetime | None, kind: str
) -> Fact:
    """Return the rank in a cohort, or why the package has none.

    :param among: the number of ranked packages, including this one.
    """
    title = f"Rank among {kind} packages"
    if rank is None or percentile is None or among is None or since is None:
        return Fact(title, "none", f"No {kind} cohort exists for these scoring rules yet.")
    part = f"{points(percentile)}% of" if percentile > 0 else "no package of"
    told = f"Higher than {part} the cohort of {day(since)}."
    return Fact(title, f"{rank:,} of {among:,}", told)


def advice(found: Recommendation, titles: dict[str, str]) -> Advice:
    """
    :param titles: of the signals, by id.
    """
    signal = titles.get(found.signal, found.signal)
    return Advice(signal, points(found.gain), _GAINS[found.kind], found.advice)


def moat_view(found: MoatSignal) -> MoatView:
    """Return the view of a moat."""
    value = amount(found.value, found.unit)
    since = told_day(found.observed_at)
    return MoatView(found.id, found.title, value, found.note, since, page_of(found.evidence_url))


def _warned(found: Suspicion | None, target: TrustTarget) -> Warned | None:
    if found is None:
        return None
    return Warned(
        name=target.name,
        target=f"{target.ecosystem}:{found.target}",
        like=found.target,
        edit=found.edit.detail,
        certainty=percentage(found.probability),
        is_famous=found.is_famous,
    )


def _network_trust(report: PackageReport) -> Fact:
    found, title = report.network_trust, "Network trust"
    if found is None:
        return Fact(
            title, "unranked", "Ranks have not been computed since the package was collected."
        )
    part = f"{points(found.percentile)}% of all ranked packages"
    part = part if found.percentile > 0 else "any other ranked package"
    note = f"{'More' if found.percentile > 0 else 'No more'} trust flows to it than to {part}."
    return Fact(title, f"{found.position:,} of {found.of:,}", note)


def _popularity(found: Popularity) -> Iterator[Fact]:
    period = "" if found.downloads_period is UNSET else found.downloads_period
    named = (
        (found.downloads, _PERIODS.get(period, "downloads")),
        (found.dependent_packages, "dependent packages"),
        (found.dependent_repositories, "dependent repositories"),
        (found.stars, "stars"),
        (found.forks, "forks"),
    )
    for count, title in named:
        if count is not UNSET:
            yield Fact(title, f"{count:,}", "")
