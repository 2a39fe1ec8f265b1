"""Turn snapshots into API responses: the score with related data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from sqlalchemy import Engine

from codeintel.contracts import Facts, SourceProblem, Target
from codeintel.trust.cohorts import Cohort, Cohorts
from codeintel.trust.comparing import compare
from codeintel.trust.forecasting import Forecasts
from codeintel.trust.genome import GROWTH_DAYS, moat_signals, recommendations
from codeintel.trust.names import Suspicion, suspicion
from codeintel.trust.network import GraphSummary, Neighbourhood, package_key
from codeintel.trust.network.ranks import in_whole_seconds, overview, rank_of
from codeintel.trust.network.reading import neighbourhood
from codeintel.trust.scores import Failure
from codeintel.trust.service import Snapshot, Trust
from codeintel.trust.shapes import (
    MOST_ADVISORIES as MOST_ADVISORIES,
    CodeGenome,
    ComparedGenome,
    ComparisonSnapshot,
    OverviewSnapshot,
    PackageReport,
    PackageSnapshot,
    Popularity,
    TrustQuery,
    TrustTarget,
    advisories,
    published,
)
from codeintel.trust.store import DEPENDENTS, MOST, TrustStore
from codeintel.trust.targets import purl_of

TOP = 20
"""Number of packages in the overview."""
_NOWHERE = Neighbourhood((), (), (), GraphSummary(0, 0, 0, 0, 0, 0, 0, 0, 0, False))
"""The neighborhood of a package whose links could not be stored."""


@dataclass(frozen=True)
class Reports:
    """Creates the responses."""

    engine: Engine
    trust: Trust
    store: TrustStore
    cohorts: Cohorts
    forecasts: Forecasts

    def package(self, snapshot: Snapshot, query: TrustQuery) -> PackageSnapshot:
        """Return one package with its part of the network."""
        key = package_key(snapshot.target)
        with self.engine.connect() as connection:
            around = neighbourhood(
                connection, key, depth=query.depth, limit=query.limit, offset=query.offset
            )
        around = around or _NOWHERE
        report = self._report(snapshot)
        return PackageSnapshot(
            **msgspec.structs.asdict(report),
            nodes=around.nodes,
            edges=around.edges,
            dependents=around.dependents,
            summary=around.summary,
            code_genome=self._genome(snapshot),
        )

    def comparison(self, snapshots: Sequence[Snapshot]) -> ComparisonSnapshot:
        """Return several packages side by side."""
        genomes = {each.target.key: self._genome(each) for each in snapshots}
        parts = list(genomes.values())
        return ComparisonSnapshot(
            packages=tuple(self._report(each) for each in snapshots),
            comparison=compare([each.score for each in snapshots], _suspects(snapshots)),
            code_genome=ComparedGenome(
                rank={key: each.rank for key, each in genomes.items()},
                percentile={key: each.percentile for key, each in genomes.items()},
                cohort={key: each.cohort for key, each in genomes.items()},
                forecasts=tuple(one for each in parts for one in each.forecasts),
                unforecast=tuple(one for each in parts for one in each.unforecast),
                recommendations=tuple(one for each in parts for one in each.recommendations),
                moat_signals=tuple(one for each in parts for one in each.moat_signals),
                ranked_among={key: each.ranked_among for key, each in genomes.items()},
            ),
        )

    def overview(self) -> OverviewSnapshot:
        """Return the network as a whole."""
        with self.engine.connect() as connection:
            network = overview(connection, limit=TOP)
        newest: dict[str, Cohort] = {}
        for cohort in self.cohorts.all():
            newest.setdefault(cohort.ecosystem, cohort)
        return OverviewSnapshot(
            network=network,
            cohorts=tuple(newest.values()),
            scorer_version=self.trust.scorer_version,
            signals=tuple(published(scorer) for scorer in self.trust.scorers),
        )

    def _report(self, snapshot: Snapshot) -> PackageReport:
        score, facts = snapshot.score, _facts(snapshot)
        with self.engine.connect() as connection:
            network_trust = rank_of(connection, package_key(snapshot.target))
        return PackageReport(
            target=target_view(snapshot.target, facts),
            snapshot_id=snapshot.id,
            score=score.score,
            low=score.low,
            high=score.high,
            coverage=score.coverage,
            axes=score.axes,
            signals=score.signals,
            scorer_version=score.scorer_version,
            inputs_hash=score.inputs_hash,
            collected_at=in_whole_seconds(snapshot.collected_ms),
            is_stale=bool(snapshot.outage or snapshot.inputs.stale),
            unavailable=_distinct(snapshot.outage or snapshot.inputs.failures),
            suspicion=_suspicion(snapshot.target),
            popularity=popularity(facts),
            network_trust=network_trust,
            settled_by=score.settled_by,
            advisories=advisories(facts),
        )

    def _genome(self, snapshot: Snapshot) -> CodeGenome:
        target, score = snapshot.target, snapshot.score
        cohort = self.cohorts.newest(target.ecosystem)
        if cohort is not None and cohort.scorer_version != score.scorer_version:
            cohort = None  # of other rules: a rank in it would compare incomparable scores
        place = self.cohorts.place(cohort, target.key, score.score) if cohort else None
        forecasts, unforecast = self.forecasts.of(target.key)
        counts = self.store.counts_apart(target.key, DEPENDENTS, GROWTH_DAYS)
        return CodeGenome(
            rank=place.rank if place else None,
            percentile=place.percentile if place else None,
            cohort=cohort,
            forecasts=forecasts,
            unforecast=unforecast,
            recommendations=recommendations(score, self.trust.scorers, snapshot.inputs),
            moat_signals=moat_signals(snapshot.inputs, {DEPENDENTS: counts}),
            ranked_among=place.among if place else None,
        )


def target_view(target: Target, facts: Facts) -> TrustTarget:
    """Return the package, with the version that was judged."""
    version = target.version or facts.value("version")
    return TrustTarget(
        key=target.key,
        ecosystem=target.ecosystem,
        name=target.name,
        version=version if isinstance(version, str) else None,
        purl=purl_of(target),
    )


def popularity(facts: Facts) -> Popularity:
    """Return how widely a package is used, as far as known."""
    downloads = _part(facts, "downloads")
    dependents = _part(facts, "dependents")
    period = downloads.get("period")
    return Popularity(
        downloads=_count(downloads.get("count")),
        downloads_period=period if isinstance(period, str) else UNSET,
        dependent_packages=_count(dependents.get("packages")),
        dependent_repositories=_count(dependents.get("repositories")),
        stars=_count(facts.value("stars")),
        forks=_count(facts.value("forks")),
    )


def _distinct(failures: Iterable[Failure]) -> tuple[Failure, ...]:
    """Return each failure once, by the first source that reports it.

    Collectors of one upstream fail together.
    """
    found: dict[tuple[SourceProblem, str], Failure] = {}
    for each in failures:
        found.setdefault((each.code, each.message), each)
    return tuple(found.values())


def _suspects(snapshots: Iterable[Snapshot]) -> dict[str, str]:
    """Return the names that packages may imitate, by the keys of their targets."""
    found = {each.target.key: _suspicion(each.target) for each in snapshots}
    return {key: each.target for key, each in found.items() if each is not None}


def _suspicion(target: Target) -> Suspicion | None:
    found = suspicion(target.ecosystem, target.name)
    return found if found is not None and found.suspicious else None


def _facts(snapshot: Snapshot) -> Facts:
    return Facts({fact.name: fact for fact in snapshot.inputs.facts})


def _part(facts: Facts, name: str) -> dict[str, Any]:
    found = facts.value(name)
    return found if isinstance(found, dict) else {}


def _count(value: Any) -> int | UnsetType:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST
    return value if is_count else UNSET


def age_seconds(collected_at: datetime) -> int:
    """Return the seconds since a snapshot."""
    return max(0, int((datetime.now(UTC) - collected_at).total_seconds()))
