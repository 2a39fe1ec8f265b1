"""What the trust network answers."""

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
    """A known flaw of the judged version. `fixed` are versions that have a fix, none where none is
    known. What nobody tells is null or empty."""

    id: Annotated[str, Meta(min_length=1, max_length=100)]
    aliases: tuple[Annotated[str, Meta(max_length=100)], ...] = ()
    severity: Annotated[float, Meta(ge=0, le=10, description="CVSS base score.")] | None = None
    level: Annotated[str, Meta(max_length=40)] | None = None
    summary: Annotated[str, Meta(max_length=1_000)] = ""
    url: Annotated[str, Meta(pattern="^https?://", max_length=500)] | None = None
    published: Annotated[str, Meta(max_length=40)] | None = None
    fixed: tuple[Annotated[str, Meta(max_length=200)], ...] = ()


def advisories(facts: Facts) -> tuple[Advisory, ...]:
    """Known flaws of the judged version, in the fact's order. The fact may be a plugin's: entries
    of another shape are left out."""
    rows = advisory_rows(facts)
    return tuple(islice(_advisories(rows), MOST_ADVISORIES))


def _advisories(rows: list[Any]) -> Iterator[Advisory]:
    for row in rows:
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(row, Advisory)


Points = Annotated[float, Meta(ge=0, le=100)]
Share = Annotated[float, Meta(ge=0, le=1)]


class TrustKind(StrEnum):
    """What is asked for."""

    PACKAGE = "package"
    COMPARISON = "comparison"


class TrustQuery(msgspec.Struct, frozen=True):
    """What to look at; without `kind` and `target` the network as a whole."""

    kind: Annotated[TrustKind, Meta(description="`package` where only `target` is given.")] | (
        UnsetType
    ) = UNSET
    target: (
        Annotated[
            str,
            Meta(
                max_length=12 * MAX_TARGET_CHARACTERS,
                description="A package: a name (npm's), `pypi:name` and the like, or a package URL;"
                " for a comparison 2 to 10 of them, as `package:react..vs..package:pypi:flask`.",
                extra_json_schema={"pattern": TARGET_PATTERN},
            ),
        ]
        | UnsetType
    ) = UNSET
    depth: Annotated[
        int, Meta(ge=0, le=MAX_DEPTH, description="Steps from the package into the network.")
    ] = 1
    limit: Annotated[int, Meta(ge=1, le=MAX_LIMIT, description="Most nodes of a page.")] = 100
    offset: Annotated[int, Meta(ge=0, le=10_000, description="Nodes on the pages before.")] = 0


class TrustTarget(msgspec.Struct, frozen=True, rename="camel"):
    """A package. `version` is the one that was judged, null where nobody tells it."""

    key: str
    ecosystem: Ecosystem
    name: str
    version: str | None
    purl: str


class Popularity(msgspec.Struct, frozen=True, rename="camel"):
    """How widely it is used: beside the score and never in it. What nobody tells is left out."""

    downloads: int | UnsetType = UNSET
    downloads_period: Annotated[str, Meta(description="`last-month`, or `total`.")] | UnsetType = (
        UNSET
    )
    dependent_packages: int | UnsetType = UNSET
    dependent_repositories: int | UnsetType = UNSET
    stars: int | UnsetType = UNSET
    forks: int | UnsetType = UNSET


class Gain(StrEnum):
    """What would raise a score: doing better, or evidence where there is none."""

    IMPROVE = "improve"
    SHOW = "show"


class Recommendation(msgspec.Struct, frozen=True, rename="camel"):
    """What would raise the score, and by how much at most."""

    target: str
    signal: str
    kind: Gain
    gain: Points
    advice: str


class MoatSignal(msgspec.Struct, frozen=True, rename="camel"):
    """What makes a package hard to replace. Without a value `note` says why there is none."""

    target: str
    id: str
    title: str
    value: str | int | float | None
    unit: str
    evidence_url: str | None
    observed_at: str | None
    note: str = ""


class PackageForecast(Forecast, frozen=True, kw_only=True):
    """A forecast of one of the package's figures."""

    target: str


class Unforecast(NoForecast, frozen=True, kw_only=True):
    """A figure without a forecast, and why."""

    target: str


class CodeGenome(msgspec.Struct, frozen=True, rename="camel"):
    """Benchmark intelligence: the package against a frozen cohort, its future, what would help."""

    rank: Annotated[int, Meta(ge=1, description="1 is the best; null without a cohort.")] | None
    percentile: (
        Annotated[float, Meta(ge=0, le=100, description="Share of the cohort that is lower.")]
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
    """A package's score with its reasons. `score` is what evidence proves; `low` and `high` put
    what is missing at its worst and best."""

    target: TrustTarget
    snapshot_id: str
    score: Points
    low: Points
    high: Points
    coverage: Annotated[Share, Meta(description="Part of the weight with evidence.")]
    axes: tuple[AxisScore, ...]
    signals: tuple[Signal, ...]
    scorer_version: str
    inputs_hash: Annotated[str, Meta(description="SHA-256 of all that the score depends on.")]
    collected_at: Moment
    is_stale: Annotated[
        bool, Meta(description="Whether it is older than it should be: see `unavailable`.")
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
        Meta(description="The signal that decides alone, such as known malware; else null."),
    ] = None
    advisories: Annotated[
        tuple[Advisory, ...],
        Meta(description="Known flaws of the judged version, the worst first, at most 50."),
    ] = ()


class PackageSnapshot(PackageReport, frozen=True, tag="package", tag_field="kind", kw_only=True):
    """One package, with what is around it."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    dependents: tuple[GraphNode, ...]
    summary: GraphSummary
    code_genome: CodeGenome


class Verdict(StrEnum):
    """What a comparison comes to."""

    CLEAR_DIFFERENCE = "clear_difference"
    NO_CLEAR_DIFFERENCE = "no_clear_difference"


class AxisComparison(msgspec.Struct, frozen=True, rename="camel"):
    """One axis: its verdict, the package in the lead where that is clear, and those that are
    clearly behind another."""

    axis: Axis
    verdict: Verdict
    leader: str | None
    behind: tuple[str, ...] = ()


class Comparison(msgspec.Struct, frozen=True, rename="camel"):
    """Which package is more trustworthy, if the evidence can tell: the leader's lowest possible
    score is above every other's highest, also with each weight 30% higher or lower. Packages whose
    names may imitate famous ones are not compared."""

    verdict: Verdict
    leader: str | None
    reason: str
    axes: tuple[AxisComparison, ...]
    behind: Annotated[
        tuple[str, ...],
        Meta(description="Packages that another one is clearly ahead of."),
    ] = ()
    left_out: Annotated[
        tuple[str, ...],
        Meta(description="Packages that are not compared: their names may imitate famous ones."),
    ] = ()


class ComparedGenome(msgspec.Struct, frozen=True, rename="camel"):
    """The packages' genomes together, by the keys of their targets."""

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
    """Two to ten packages side by side, in the order in which they were named."""

    packages: tuple[PackageReport, ...]
    comparison: Comparison
    code_genome: ComparedGenome


class PublishedWeight(msgspec.Struct, frozen=True, rename="camel"):
    """A signal with its weight, and why it has it."""

    id: str
    axis: Axis
    title: str
    weight: float
    reason: str


class OverviewSnapshot(
    msgspec.Struct, frozen=True, rename="camel", tag="overview", tag_field="kind"
):
    """The network as a whole, and how scores are made."""

    network: NetworkOverview
    cohorts: tuple[Cohort, ...]
    scorer_version: str
    signals: tuple[PublishedWeight, ...]


def published(scorer: Scorer) -> PublishedWeight:
    """A scorer's weight."""
    return PublishedWeight(scorer.name, scorer.axis, scorer.title, scorer.weight, scorer.reason)
