"""The network as a whole and the rules of scoring, ready for the template. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from codeintel.base.extras import RANKS
from codeintel.contracts import Axis
from codeintel.trust.network.shapes import EdgeKind, NetworkOverview, NodeKind
from codeintel.trust.shapes import OverviewSnapshot, PublishedWeight
from codeintel.web.plots.bars import Bar, bars
from codeintel.web.trust.network import target_of
from codeintel.web.trust.words import AXES, day, moment, points

_NODES = {
    NodeKind.PACKAGE: "packages",
    NodeKind.MAINTAINER: "maintainers",
    NodeKind.REPOSITORY: "repositories",
}
_EDGES = {
    EdgeKind.DEPENDS_ON: "dependencies",
    EdgeKind.MAINTAINED_BY: "links to maintainers",
    EdgeKind.HOSTED_AT: "links to repositories",
}


@dataclass(frozen=True)
class Weights:
    """The signals of one axis, the heaviest first, as title, weight and reason."""

    title: str
    sum: str
    signals: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class TopRow:
    """A package that much trust reaches; `target` is what its page is asked for."""

    position: str
    label: str
    target: str
    part: str
    score: str


@dataclass(frozen=True)
class OverviewView:
    """All of it. `counts` are numbers with what they are of; empty where nothing is known yet."""

    counts: tuple[tuple[str, str], ...]
    ranking: str
    top: tuple[TopRow, ...]
    cohorts: tuple[tuple[str, str, str, str], ...]
    weights_plot: Markup | None
    weights: tuple[Weights, ...]
    scorer_version: str


def overview_view(body: OverviewSnapshot) -> OverviewView:
    """What there is of the network, and how scores are made."""
    sums = {axis: sum(each.weight for each in _of(body, axis)) for axis in Axis}
    return OverviewView(
        counts=tuple(_counts(body.network)),
        ranking=_ranking(body.network),
        top=tuple(
            TopRow(
                position=f"{each.position:,}",
                label=each.id,
                target=target_of(each.id, NodeKind.PACKAGE),
                part=f"{100 * each.value:.3g}%",
                score="" if each.score is None else points(each.score),
            )
            for each in body.network.top
        ),
        cohorts=tuple(
            (str(each.ecosystem), f"{each.size:,}", day(each.created_at), each.scorer_version)
            for each in body.cohorts
        ),
        weights_plot=_plot(sums),
        weights=tuple(
            Weights(
                title=AXES[axis],
                sum=points(sums[axis]),
                signals=tuple(
                    (each.title, points(each.weight), each.reason)
                    for each in sorted(_of(body, axis), key=lambda each: -each.weight)
                ),
            )
            for axis in Axis
            if sums[axis]
        ),
        scorer_version=body.scorer_version,
    )


def _of(body: OverviewSnapshot, axis: Axis) -> list[PublishedWeight]:
    return [each for each in body.signals if each.axis is axis]


def _counts(network: NetworkOverview) -> list[tuple[str, str]]:
    nodes = [(network.nodes.get(kind, 0), title) for kind, title in _NODES.items()]
    edges = [(network.edges.get(kind, 0), title) for kind, title in _EDGES.items()]
    if not any(count for count, _ in nodes):
        return []
    return [(f"{count:,}", title) for count, title in nodes + edges]


def _ranking(network: NetworkOverview) -> str:
    facts = network.ranking
    if facts is None:
        return f"{RANKS.refusal}." if RANKS.is_missing else "Ranks have not been worked out yet."
    return (
        f"Ranks worked out on {moment(facts.computed_at)}, from {facts.scored:,} packages with a "
        f"score of their own, in {facts.rounds:,} rounds."
    )


def _plot(sums: dict[Axis, float]) -> Markup | None:
    rows = [
        Bar(AXES[axis], points(weight), weight, weight, weight)
        for axis, weight in sums.items()
        if weight
    ]
    if not rows:
        return None
    told = "; ".join(f"{row.label} {row.note}" for row in rows)
    most = max(row.whole for row in rows)
    return bars("weights-bars", "Weight of each axis", f"{told}.", rows, most)
