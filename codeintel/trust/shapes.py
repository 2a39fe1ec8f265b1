"""The responses of the trust network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.base.timestamps import Moment
from codeintel.contracts import Axis, Ecosystem, Facts, Scorer
from codeintel.contracts.trust import advisory_rows
from codeintel.trust.cohorts import Cohort
from codeintel.trust.forecasts import Forecast, NoForecast
from codeintel.trust.names.shapes import Suspicion
from codeintel.trust.network import (
    MAX_DEPTH,
    MAX_LIMIT,
    GraphEdge,
    GraphNode,
    GraphSummary,
    NetworkOverview,
    NetworkTrust,
)
from codeintel.trust.scores import AxisScore, Failure, Signal
from codeintel.trust.targets import MAX_TARGET_CHARACTERS, TARGET_PATTERN

MOST_ADVISORIES = 50


class Advisory(msgspec.Struct, frozen=True, rename="camel"):
    """A known vulnerability of the judged version.

    `fixed` lists the versions with a fix, if known. Unknown fields are null or empty.
    """

    id: Annotated[str, Meta(min_length=1, max_length=100)]
    aliases: tuple[Annotated[str, Meta(max_length=100)], ...] = ()
    severity: Annotated[float, Meta(ge=0, le=10, description="CVSS base score.")] | None = None
    level: Annotated[str, Meta(max_length=40)] | None = None
    summary: Annotated[str, Meta(max_length=1_000)] = ""
    url: Annotated[str, Meta(pattern="^https?://", max_length=500)] | None = None
    published: Annotated[str, Meta(max_length=40)] | None = None
    fixed: tuple[Annotated[str, Meta(max_length=200)], ...] = ()


def advisories(facts: Facts) -> tuple[Advisory, ...]:
    """Return the known vulnerabilities of the judged version, in the fact's order.

    The fact may be a plugin's, so invalid entries are skipped.
    """
    rows = advisory_rows(facts)
    return tuple(islice(_advisories(rows), MOST_ADVISORIES))


def _advisories(rows: list[Any]) -> Iterator[Advisory]:
    for row in rows:
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(row, Advisory)


Points = Annotated[float, Meta(ge=0, le=100)]
Share = Annotated[float, Meta(ge=0, le=1)]


class TrustKind(StrEnum):
    """The kind of a query."""

    PACKAGE = "package"
    COMPARISON = "comparison"


class TrustQuery(msgspec.Struct, frozen=True):
    """A query. Without `kind` and `target`, it returns the network as a whole."""

    kind: Annotated[
        TrustKind,
        Meta(
            description=("The kind of query. The default is `package` if only `target` is given.")
        ),
    ] | (UnsetType) = UNSET
    target: (
        Annotated[
            str,
            Meta(
                max_length=12 * MAX_TARGET_CHARACTERS,
                description="A package: a name (npm's), `pypi:name` and the like, or a package URL;"
                " for a comparison 2 to 10 of them, as `package:react..vs..package:pypi:flask`.",
                examples=["npm:react"],
                extra_json_schema={"pattern": TARGET_PATTERN},
            ),
        ]
        | UnsetType
    ) = UNSET
    depth: Annotated[
        int, Meta(ge=0, le=MAX_DEPTH, description="Steps from the package into the network.")
    ] = 1
    limit: Annotated[
        int, Meta(ge=1, le=MAX_LIMIT, description=("Maximum number of nodes on a page."))
    ] = 100
    offset: Annotated[
        int, Meta(ge=0, le=10_000, description="Number of nodes on earlier pages.")
    ] = 0


class TrustTarget(msgspec.Struct, frozen=True, rename="camel"):
    """A package. `version` is the judged version, or null if it is unknown."""

    key: str
    ecosystem: Ecosystem
    name: str
    version: str | None
    purl: str


class Popularity(msgspec.Struct, frozen=True, rename="camel"):
    """How widely the package is used.

    This is never part of the score. Unknown values are omitted.
    """

    downloads: int | UnsetType = UNSET
    downloads_period: Annotated[str, Meta(description="`last-month`, or `total`.")] | UnsetType = (
        UNSET
    )
    dependent_packages: int | UnsetType = UNSET
    dependent_repositories: int | UnsetType = UNSET
    stars: int | UnsetType = UNSET
    forks: int | UnsetType = UNSET


class Gain(StrEnum):
    """A way to raise a score: an improvement, or evidence that is missing now."""

    IMPROVE = "improve"
    SHOW = "show"


class Recommendation(msgspec.Struct, frozen=True, rename="camel"):
    """A way to raise the score, with the maximum gain."""

    target: str
    signal: str
    kind: Gain
    gain: Points
    advice: str


class MoatSignal(msgspec.Struct, frozen=True, rename="camel"):
    """A reason why a package is hard to replace. Without a value, `note` says why."""

    target: str
    id: str
    title: str
    value: str | int | float | None
    unit: str
    evidence_url: str | None
    observed_at: str | None
    note: str = ""


class PackageForecast(Forecast, frozen=True, kw_only=True):
    """A forecast of one of the package's metrics."""

    target: str


class Unforecast(NoForecast, frozen=True, kw_only=True):
    """A metric without a forecast, and the reason."""

    target: str


class CodeGenome(msgspec.Struct, frozen=True, rename="camel"):
    """Benchmark intelligence: the package in a frozen cohort, its forecasts, and
    recommendations.
    """

    rank: Annotated[int, Meta(ge=1, description="1 is the best; null without a cohort.")] | None
    percentile: (
        Annotated[
            float, Meta(ge=0, le=100, description=("Percentage of the cohort with a lower score."))
        ]
        | None
    )
    cohort: Cohort | None
    forecasts: tuple[PackageForecast, ...]
    unforecast: tuple[Unforecast, ...]
    recommendations: tuple[Recommendation, ...]
    moat_signals: tuple[MoatSignal, ...]
    ranked_among: (
        Annotated[
            int,
            Meta(ge=1, description="Packages that `rank` counts: the cohort's, with this one."),
        ]
        | None
    ) = None


class PackageReport(msgspec.Struct, frozen=True, rename="camel"):
    """A package's score with its reasons.

    `score` is what evidence proves. `low` and `high` assume the worst and the best for missing
    evidence.
    """

    target: TrustTarget
    snapshot_id: str
    score: Points
    low: Points
    high: Points
    coverage: Annotated[Share, Meta(description="Share of the points with evidence.")]
    axes: tuple[AxisScore, ...]
    signals: tuple[Signal, ...]
    scorer_version: str
    inputs_hash: Annotated[str, Meta(description="SHA-256 of all inputs of the score.")]
    collected_at: Moment
    is_stale: Annotated[
        bool, Meta(description="Whether the snapshot is outdated. `unavailable` has the reasons.")
    ]
    unavailable: tuple[Failure, ...]
    suspicion: Annotated[
        Suspicion | None, Meta(description="The famous name that its name may imitate.")
    ]
    popularity: Popularity
    network_trust: NetworkTrust | None
    age_seconds: Annotated[int, Meta(ge=0, description="Since `collectedAt`.")] = 0
    settled_by: Annotated[
        str | None,
        Meta(description="The signal that decides alone, such as known malware, or null."),
    ] = None
    advisories: Annotated[
        tuple[Advisory, ...],
        Meta(
            description=(
                "Known vulnerabilities of the judged version, the worst first, at most 50."
            )
        ),
    ] = ()


class PackageSnapshot(PackageReport, frozen=True, tag="package", tag_field="kind", kw_only=True):
    """A package with its neighborhood."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    dependents: tuple[GraphNode, ...]
    summary: GraphSummary
    code_genome: CodeGenome


class Verdict(StrEnum):
    """The verdict of a comparison."""

    CLEAR_DIFFERENCE = "clear_difference"
    NO_CLEAR_DIFFERENCE = "no_clear_difference"


class AxisComparison(msgspec.Struct, frozen=True, rename="camel"):
    """A comparison on one axis: its verdict, the leader if that is clear, and the packages
    that are clearly behind another.
    """

    axis: Axis
    verdict: Verdict
    leader: str | None
    behind: tuple[str, ...] = ()


class Comparison(msgspec.Struct, frozen=True, rename="camel"):
    """The more trustworthy package, if the evidence is clear.

    The leader's lowest possible score is above every other's highest, even with each weight 30%
    higher or lower. Packages whose names may imitate famous ones are not compared.
    """

    verdict: Verdict
    leader: str | None
    reason: str
    axes: tuple[AxisComparison, ...]
    behind: Annotated[
        tuple[str, ...],
        Meta(description="Packages that are clearly behind another one."),
    ] = ()
    left_out: Annotated[
        tuple[str, ...],
        Meta(
            description=(
                "Packages that are not compared, because their names may imitate famous ones."
            )
        ),
    ] = ()


class ComparedGenome(msgspec.Struct, frozen=True, rename="camel"):
    """The genomes of all packages, by the keys of their targets."""

    rank: dict[str, int | None]
    percentile: dict[str, float | None]
    cohort: dict[str, Cohort | None]
    forecasts: tuple[PackageForecast, ...]
    unforecast: tuple[Unforecast, ...]
    recommendations: tuple[Recommendation, ...]
    moat_signals: tuple[MoatSignal, ...]
    ranked_among: dict[str, int | None] = {}


class ComparisonSnapshot(
    msgspec.Struct, frozen=True, rename="camel", tag="comparison", tag_field="kind"
):
    """Two to ten packages side by side, in the order of the query."""

    packages: tuple[PackageReport, ...]
    comparison: Comparison
    code_genome: ComparedGenome


class PublishedWeight(msgspec.Struct, frozen=True, rename="camel"):
    """A signal with its weight and the reason for it."""

    id: str
    axis: Axis
    title: str
    weight: float
    reason: str


class OverviewSnapshot(
    msgspec.Struct, frozen=True, rename="camel", tag="overview", tag_field="kind"
):
    """The network as a whole, and the signals of scores."""

    network: NetworkOverview
    cohorts: tuple[Cohort, ...]
    scorer_version: str
    signals: tuple[PublishedWeight, ...]


def published(scorer: Scorer) -> PublishedWeight:
    """Return a scorer's weight."""
    return PublishedWeight(scorer.name, scorer.axis, scorer.title, scorer.weight, scorer.reason)
