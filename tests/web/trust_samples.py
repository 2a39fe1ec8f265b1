"""Reports on made-up packages, for tests of the pages that show them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
from genome_samples import COHORT, HASH, NOW, genome

from codeintel.contracts import Axis, Ecosystem, SourceProblem, Target
from codeintel.trust.comparing import compare
from codeintel.trust.names.shapes import Edit, EditKind, Suspicion
from codeintel.trust.network import (
    EdgeKind,
    GraphEdge,
    GraphNode,
    GraphSummary,
    NetworkOverview,
    NetworkTrust,
    NodeKind,
    RankedPackage,
    RankingFacts,
)
from codeintel.trust.scores import AxisScore, Failure, Score, Signal, Status
from codeintel.trust.shapes import (
    Advisory,
    ComparedGenome,
    ComparisonSnapshot,
    OverviewSnapshot,
    PackageReport,
    PackageSnapshot,
    Popularity,
    PublishedWeight,
    TrustTarget,
)

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=y>&amp;{{ 7 * 7 }}"


def signal(id_: str, axis: Axis, weight: float, part: float | None, **more: Any) -> Signal:
    """Return a signal with this part of its points, or a missing one."""
    known: dict[str, Any] = {
        "status": Status.MISSING if part is None else Status.MEASURED,
        "value": None if part is None else 3,
        "unit": "" if part is None else "people",
        "evidence_url": None if part is None else f"https://evidence.test/{id_}",
        "observed_at": None if part is None else "2026-11-22T07:00:00Z",
        "note": "No source reports this for the package." if part is None else "",
    }
    fields = known | more
    return Signal(
        id=id_,
        axis=axis,
        title=fields.pop("title", id_.replace("-", " ").capitalize()),
        score=part,
        weight=weight,
        contribution=0.0 if part is None else weight * part,
        unproven=fields.pop("unproven", 0.0),
        **fields,
    )


SIGNALS = (
    signal(
        "known-advisories",
        Axis.SECURITY,
        30.0,
        0.75,
        value=1,
        unit="advisories",
        note="GHSA-1 (7.5)",
    ),
    signal("code-review", Axis.SECURITY, 10.0, None),
    signal("latest-release", Axis.MAINTENANCE, 25.0, 1.0, value=1234567.0, unit="days"),
    signal("archived", Axis.MAINTENANCE, 0.0, None, status=Status.NOT_APPLICABLE, note="No such."),
    signal(
        "attestations",
        Axis.PROVENANCE,
        20.0,
        0.0,
        value=False,
        unit="",
        evidence_url="javascript:alert(1)",
    ),
    signal(
        "publishers",
        Axis.COMMUNITY,
        9.5,
        0.5,
        status=Status.STALE,
        observed_at="2026-11-20T07:00:00Z",
    ),
    signal("own-name", Axis.NAMING, 5.5, None),
)


def report_parts(name: str, **more: Any) -> dict[str, Any]:
    """Return the parts of a report on a package. `more` replaces some."""
    signals = more.pop("signals", SIGNALS)
    score = sum(each.contribution for each in signals)
    missing = sum(each.weight for each in signals if each.score is None)
    ecosystem = more.pop("ecosystem", Ecosystem.NPM)
    key = Target(ecosystem, name).key
    target = TrustTarget(key, ecosystem, name, "1.2.6", f"pkg:{ecosystem}/{name}")
    axes = []
    for axis in Axis:
        own = [each for each in signals if each.axis is axis]
        points = sum(each.contribution for each in own)
        gap = sum(each.weight for each in own if each.score is None)
        axes.append(AxisScore(axis, points, points + gap, sum(each.weight for each in own)))
    return {
        "target": target,
        "snapshot_id": f"snap_{name}",
        "score": score,
        "low": score,
        "high": score + missing,
        "coverage": 1 - missing / 100,
        "axes": tuple(axes),
        "signals": signals,
        "scorer_version": "1-3f2b8c0d9e1a",
        "inputs_hash": HASH,
        "collected_at": NOW - timedelta(hours=3, minutes=20),
        "is_stale": False,
        "unavailable": (),
        "suspicion": None,
        "popularity": Popularity(2_500_000, "last-month", 1_200, stars=4_821),
        "network_trust": NetworkTrust(0.0012, 14, 2_010, 99.3, NOW),
        **more,
    }


FAILURE = Failure("osv", SourceProblem.TIMEOUT, "It did not answer within `5` seconds.")
ADVISORIES = (
    Advisory(
        "GHSA-1",
        ("CVE-2026-1", "CVE-2026-2"),
        7.5,
        "high",
        "A `crafted` name leads outside.",
        "https://advisories.test/GHSA-1",
        "2026-05-03T00:00:00Z",
        ("1.2.7", "2.0.1"),
    ),
    Advisory("GHSA-2"),
)
SUSPICION = Suspicion(
    "raect",
    "react",
    Edit(EditKind.TRANSPOSITION, "the letters `ea` are swapped"),
    0.97,
    suspicious=True,
    is_famous=True,
)


def graph(
    count: int = 3, dependents: int = 2, name: str = "kit"
) -> tuple[tuple[GraphNode, ...], tuple[GraphEdge, ...], tuple[GraphNode, ...]]:
    """Return a package with so many dependencies, two maintainers and a repository."""
    root = f"npm:{name}"
    nodes = [GraphNode(root, NodeKind.PACKAGE, name, 0, is_collected=True, score=62.5, rank=14)]
    edges = []
    for place in range(count):
        id_ = f"npm:part-{place}"
        nodes.append(
            GraphNode(id_, NodeKind.PACKAGE, id_[4:], 1, is_collected=False, rank=place + 20)
        )
        edges.append(GraphEdge(root, id_, EdgeKind.DEPENDS_ON, "^1.0"))
    for person in ("ada", "grace"):
        id_ = f"maintainer:npm:{person}"
        nodes.append(GraphNode(id_, NodeKind.MAINTAINER, person, 1, is_collected=False))
        edges.append(GraphEdge(root, id_, EdgeKind.MAINTAINED_BY, ""))
    id_ = "repository:github.com/example-org/kit"
    label = "github.com/example-org/kit"
    nodes.append(GraphNode(id_, NodeKind.REPOSITORY, label, 1, is_collected=False))
    edges.append(GraphEdge(root, id_, EdgeKind.HOSTED_AT, ""))
    users = tuple(
        GraphNode(f"npm:user-{place}", NodeKind.PACKAGE, f"user-{place}", -1, is_collected=True)
        for place in range(dependents)
    )
    return tuple(nodes), tuple(edges), users


def package(name: str = "kit", **more: Any) -> PackageSnapshot:
    """Return a snapshot; `more` replaces parts of it."""
    nodes, edges, dependents = more.pop("graph", None) or graph(name=name)
    summary = GraphSummary(
        len(nodes), len(edges), len(nodes), 4, 2, 1, 3, len(dependents), 1, is_truncated=False
    )
    fields = {
        "nodes": nodes,
        "edges": edges,
        "dependents": dependents,
        "summary": summary,
        "code_genome": genome(f"npm:{name}"),
        **more,
    }
    return PackageSnapshot(**report_parts(name, **fields))


def comparison(*reports: PackageReport) -> ComparisonSnapshot:
    """Return a comparison of these reports, with the genome of each."""
    scores = [
        Score(
            Target(each.target.ecosystem, each.target.name),
            "2026-11-22T10:00:00Z",
            each.scorer_version,
            each.inputs_hash,
            each.score,
            each.low,
            each.high,
            each.coverage,
            each.axes,
            each.signals,
        )
        for each in reports
    ]
    genomes = {each.target.key: genome(each.target.key) for each in reports}
    names = ("forecasts", "unforecast", "recommendations", "moat_signals")
    return ComparisonSnapshot(
        packages=reports,
        comparison=compare(
            scores,
            {each.target.key: each.suspicion.target for each in reports if each.suspicion},
        ),
        code_genome=ComparedGenome(
            rank={key: each.rank for key, each in genomes.items()},
            ranked_among={key: each.ranked_among for key, each in genomes.items()},
            percentile={key: each.percentile for key, each in genomes.items()},
            cohort={key: each.cohort for key, each in genomes.items()},
            **{
                name: tuple(one for each in genomes.values() for one in getattr(each, name))
                for name in names
            },
        ),
    )


def report(name: str, **more: Any) -> PackageReport:
    """Return a package of a comparison."""
    return PackageReport(**report_parts(name, **more))


def overview(**more: Any) -> OverviewSnapshot:
    """Return a small network."""
    network = NetworkOverview(
        nodes={NodeKind.PACKAGE: 2_010, NodeKind.MAINTAINER: 301, NodeKind.REPOSITORY: 1_200},
        edges={EdgeKind.DEPENDS_ON: 12_345},
        top=(
            RankedPackage("npm:react", "react", 0.0345, 1, 81.25),
            RankedPackage("npm:left", "left", 0.01, 2, None),
        ),
        ranking=RankingFacts(NOW, 2_010, 12_345, 40, 0.85, 22, 1e-9),
    )
    fields: dict[str, Any] = {
        "network": network,
        "cohorts": (COHORT,),
        "scorer_version": "1-3f2b8c0d9e1a",
        "signals": tuple(
            PublishedWeight(each.id, each.axis, each.title, each.weight, "It is `so`.")
            for each in SIGNALS
            if each.weight
        ),
        **more,
    }
    return OverviewSnapshot(**fields)


def changed(body: Any, **more: Any) -> Any:
    """Return the object with other parts."""
    return msgspec.structs.replace(body, **more)
