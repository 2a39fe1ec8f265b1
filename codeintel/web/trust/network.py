"""The network as a whole and around a package: pictures, tables, the rules of scoring. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from msgspec import UNSET

from codeintel.base.extras import RANKS
from codeintel.base.timestamps import from_milliseconds
from codeintel.base.wording import counted
from codeintel.contracts import Axis, Target
from codeintel.trust.network import (
    MAX_DEPTH,
    EdgeKind,
    GraphEdge,
    GraphNode,
    GraphSummary,
    NetworkOverview,
    NodeKind,
    package_key,
)
from codeintel.trust.shapes import OverviewSnapshot, PackageSnapshot, PublishedWeight, TrustQuery
from codeintel.trust.store import Listed
from codeintel.trust.targets import MAX_TARGET_CHARACTERS
from codeintel.web.plots.bars import Bar, bars
from codeintel.web.plots.network import Node, Tie, network
from codeintel.web.trust.words import AXES, day, day_and_time, points

Parameters = dict[str, str | int]
Link = Callable[[str], str]
"""Map a page's target to its URL."""
DEPENDENT = -1
_ENOUGH = 0.5
"""Share of the points with evidence. A score with less says little about the package."""
_NONE: Mapping[str, Listed] = {}
_LAST = 1e9
"""Sorts after all ranks."""
_KINDS = {
    NodeKind.PACKAGE: "package",
    NodeKind.MAINTAINER: "maintainer",
    NodeKind.REPOSITORY: "repository",
}
_EDGES = {
    EdgeKind.DEPENDS_ON: "depends on",
    EdgeKind.MAINTAINED_BY: "is maintained by",
    EdgeKind.HOSTED_AT: "is hosted at",
}
_STEPS = ("zero steps", "one step", "two steps", "three steps")
_HEADINGS = {DEPENDENT: "Depends on it", 0: "This package"}
_NODES = {
    NodeKind.PACKAGE: "packages",
    NodeKind.MAINTAINER: "maintainers",
    NodeKind.REPOSITORY: "repositories",
}
_EDGE_WORDS = {
    EdgeKind.DEPENDS_ON: "dependencies",
    EdgeKind.MAINTAINED_BY: "maintainer links",
    EdgeKind.HOSTED_AT: "repository links",
}


@dataclass(frozen=True)
class NodeRow:
    """A node in the table. `target` is the target of its page, or empty."""

    label: str
    kind: str
    place: str
    score: str
    rank: str
    target: str


@dataclass(frozen=True)
class EdgeRow:
    """An edge in the table."""

    source: str
    relation: str
    target: str
    requirement: str


@dataclass(frozen=True)
class Choice:
    """A link to the same package with other parameters."""

    text: str
    parameters: Parameters
    is_current: bool = False


@dataclass(frozen=True)
class NetworkView:
    """All of it."""

    summary: str
    picture: Markup
    is_whole: bool
    nodes: tuple[NodeRow, ...]
    edges: tuple[EdgeRow, ...]
    depths: tuple[Choice, ...]
    pages: tuple[Choice, ...]
    page: str
    is_truncated: bool


def network_view(body: PackageSnapshot, query: TrustQuery, link: Link) -> NetworkView | None:
    """Return the network around a package; None if it is in none."""
    summary = body.summary
    if not summary.total:
        return None
    root = package_key(Target(body.target.ecosystem, body.target.name))
    shown = (*body.nodes, *body.dependents)
    names = _names(shown, body, root)
    return NetworkView(
        summary=_summary(summary),
        picture=_picture(body, root, names, link),
        is_whole=len(body.nodes) == summary.total,
        nodes=tuple(_node_row(each, root, names[each.id]) for each in shown),
        edges=tuple(_edge_row(each, names) for each in body.edges),
        depths=tuple(_depths(query)),
        pages=tuple(_pages(query, summary)),
        page=_page(query, summary),
        is_truncated=summary.is_truncated,
    )


def target_of(node: str, kind: NodeKind) -> str:
    """Return the target of a node's page. Only packages have one."""
    return node if kind is NodeKind.PACKAGE and len(node) <= MAX_TARGET_CHARACTERS else ""


def label_of(node: str, label: str, kind: NodeKind, *, is_mixed: bool) -> str:
    """Return a node's label. Packages include their ecosystem if there are several ecosystems."""
    return node if kind is NodeKind.PACKAGE and is_mixed else label


def _names(shown: Sequence[GraphNode], body: PackageSnapshot, root: str) -> dict[str, str]:
    """Return labels by id. A name alone may match packages of several ecosystems."""
    packages = {each.id for each in shown if each.kind is NodeKind.PACKAGE} | {root}
    is_mixed = len({each.partition(":")[0] for each in packages}) > 1
    names = {each.id: label_of(each.id, each.label, each.kind, is_mixed=is_mixed) for each in shown}
    return names | {root: label_of(root, body.target.name, NodeKind.PACKAGE, is_mixed=is_mixed)}


def _picture(body: PackageSnapshot, root: str, names: dict[str, str], link: Link) -> Markup:
    shown = (*body.nodes, *body.dependents)
    drawn = [_drawn(each, root, names[each.id], link) for each in shown]
    if all(each.id != root for each in drawn):  # it is on the first page
        drawn.append(Node(root, names[root], NodeKind.PACKAGE, 0, 0.0))
    ties = [Tie(each.source, each.target, each.kind) for each in body.edges]
    ties += [Tie(each.id, root, EdgeKind.DEPENDS_ON) for each in body.dependents]
    headings = {**{each: _steps(each).capitalize() for each in range(MAX_DEPTH + 1)}, **_HEADINGS}
    beyond = {DEPENDENT: body.summary.dependents - len(body.dependents)}
    title = f"Network around {body.target.name}"
    told = f"{_summary(body.summary)} The tables below list all nodes."
    return network("network-picture", title, told, drawn, ties, headings, NodeKind.PACKAGE, beyond)


def _drawn(node: GraphNode, root: str, name: str, link: Link) -> Node:
    is_root = node.id == root and node.depth == 0
    target = "" if is_root else target_of(node.id, node.kind)
    order = float(node.rank) if node.rank is not None else _LAST
    return Node(node.id, name, node.kind, node.depth, order, link(target) if target else "")


def _summary(summary: GraphSummary) -> str:
    repositories = "repository" if summary.repositories == 1 else "repositories"
    return (
        f"{counted(summary.packages, 'package')}, {counted(summary.maintainers, 'maintainer')} and "
        f"{summary.repositories:,} {repositories} within reach; "
        f"{counted(summary.depends_on, 'direct dependency').replace('dependencys', 'dependencies')}"
        f" and {counted(summary.dependents, 'known dependent')}."
    )


def _node_row(node: GraphNode, root: str, name: str) -> NodeRow:
    place = "depends on it" if node.depth == DEPENDENT else str(node.depth)
    return NodeRow(
        label=name,
        kind=_KINDS[node.kind],
        place="this package" if node.id == root else place,
        score="" if node.score is None else points(node.score),
        rank="" if node.rank is None else f"{node.rank:,}",
        target="" if node.id == root else target_of(node.id, node.kind),
    )


def _edge_row(edge: GraphEdge, names: dict[str, str]) -> EdgeRow:
    source, target = names.get(edge.source, edge.source), names.get(edge.target, edge.target)
    return EdgeRow(source, _EDGES[edge.kind], target, edge.requirement)


def _depths(query: TrustQuery) -> Iterator[Choice]:
    for depth in range(MAX_DEPTH + 1):
        yield Choice(_steps(depth), _parameters(query, depth=depth), depth == query.depth)


def _steps(count: int) -> str:
    return _STEPS[count] if count < len(_STEPS) else counted(count, "step")


def _pages(query: TrustQuery, summary: GraphSummary) -> Iterator[Choice]:
    if query.offset > 0:
        before = max(0, query.offset - query.limit)
        yield Choice("Previous nodes", _parameters(query, offset=before))
    after = query.offset + query.limit
    if after < summary.total:
        yield Choice("Next nodes", _parameters(query, offset=after))


def _page(query: TrustQuery, summary: GraphSummary) -> str:
    if not summary.nodes:
        return f"This page has no nodes. The network has {summary.total:,}."
    first = query.offset + 1
    return f"Nodes {first:,} to {first + summary.nodes - 1:,} of {summary.total:,}."


def _parameters(query: TrustQuery, *, depth: int | None = None, offset: int = 0) -> Parameters:
    """Return the URL's query parameters, without default values."""
    usual = TrustQuery()
    wanted = query.depth if depth is None else depth
    found: Parameters = {"target": "" if query.target is UNSET else query.target}
    numbers = (("depth", wanted, usual.depth), ("limit", query.limit, usual.limit))
    found |= {name: value for name, value, default in numbers if value != default}
    return found | {"offset": offset} if offset else found


@dataclass(frozen=True)
class Weights:
    """The signals of one axis, the heaviest first, as title, weight and reason."""

    title: str
    sum: str
    signals: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class TopRow:
    """A package with a high trust rank. `target` is the target of its page."""

    position: str
    label: str
    target: str
    part: str
    score: str
    note: str


@dataclass(frozen=True)
class StoredRow:
    """A stored package. `target` is the target of its page."""

    label: str
    target: str
    score: str
    note: str
    day: str


@dataclass(frozen=True)
class OverviewView:
    """The whole overview. `counts` are numbers with their units, or empty before the first data."""

    counts: tuple[tuple[str, str], ...]
    ranking: str
    top: tuple[TopRow, ...]
    stored: tuple[StoredRow, ...]
    cohorts: tuple[tuple[str, str, str, str], ...]
    weights_plot: Markup | None
    weights: tuple[Weights, ...]
    scorer_version: str


def overview_view(
    body: OverviewSnapshot, stored: Sequence[Listed] = (), top: Mapping[str, Listed] = _NONE
) -> OverviewView:
    """Describe the size of the network, and how scores are computed.

    :param stored: the packages to list.
    :param top: the stored packages among those with the highest ranks, by key.
    """
    sums = {axis: sum(each.weight for each in _of(body, axis)) for axis in Axis}
    return OverviewView(
        counts=tuple(_counts(body.network)),
        ranking=_ranking(body.network),
        top=tuple(
            TopRow(
                position=f"{each.position:,}",
                label=each.id,
                target=target_of(each.id, NodeKind.PACKAGE),
                part=f"{100 * each.value:.2f}%",
                score="" if each.score is None else points(each.score),
                note=_evidence(top.get(each.id)),
            )
            for each in body.network.top
        ),
        stored=tuple(
            StoredRow(
                label=each.key,
                target=target_of(each.key, NodeKind.PACKAGE),
                score=points(each.score),
                note=_evidence(each),
                day=day(from_milliseconds(each.collected_ms)),
            )
            for each in stored
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


def _evidence(found: Listed | None) -> str:
    """Return a remark if less than half of the points have evidence."""
    return "too little evidence" if found is not None and found.coverage < _ENOUGH else ""


def _of(body: OverviewSnapshot, axis: Axis) -> list[PublishedWeight]:
    return [each for each in body.signals if each.axis is axis]


def _counts(network: NetworkOverview) -> list[tuple[str, str]]:
    nodes = [(network.nodes.get(kind, 0), title) for kind, title in _NODES.items()]
    edges = [(network.edges.get(kind, 0), title) for kind, title in _EDGE_WORDS.items()]
    if not any(count for count, _ in nodes):
        return []
    return [(f"{count:,}", title) for count, title in nodes + edges]


def _ranking(network: NetworkOverview) -> str:
    facts = network.ranking
    if facts is None:
        return f"{RANKS.refusal}." if RANKS.is_missing else "Ranks have not been computed yet."
    return (
        f"Ranks were computed on {day_and_time(facts.computed_at)} from {facts.scored:,} scored "
        f"packages, in {facts.rounds:,} rounds."
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
