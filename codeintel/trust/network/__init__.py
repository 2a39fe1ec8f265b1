"""The trust network: packages, who maintains them, where they lie, and what depends on what.

`store` writes down what a package's facts say of it, `reading` shows a package's surroundings, and
`ranking` works out how much trust flows to each package, in a child process: nothing that a server
imports has matrices in it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from codeintel.base.timestamps import Moment
from codeintel.contracts import Target


class NodeKind(StrEnum):
    """What a node stands for."""

    PACKAGE = "package"
    MAINTAINER = "maintainer"
    REPOSITORY = "repository"


class EdgeKind(StrEnum):
    """What a package has to do with a node."""

    DEPENDS_ON = "depends_on"
    MAINTAINED_BY = "maintained_by"
    HOSTED_AT = "hosted_at"


def package_key(target: Target) -> str:
    """The key of a package's node, such as `npm:react`: a node stands for all versions."""
    return Target(target.ecosystem, target.name).key


def node_name(kind: str, key: str) -> str:
    """What a node is called among nodes of all kinds: a package by its key, others with their kind
    before it, such as `maintainer:npm:sindresorhus`, since names of kinds may be the same."""
    return key if kind == NodeKind.PACKAGE else f"{kind}:{key}"


MAX_DEPTH = 3
MAX_LIMIT = 500
Count = Annotated[int, Meta(ge=0)]


class NetworkTrust(msgspec.Struct, frozen=True, rename="camel"):
    """How much of all trust reaches a package."""

    value: Annotated[
        float, Meta(ge=0, le=1, description="Its part: those of all ranked packages add up to 1.")
    ]
    position: Annotated[int, Meta(ge=1, description="1 is the highest; equal ones share one.")]
    of: Annotated[int, Meta(ge=1, description="How many packages are ranked.")]
    percentile: Annotated[
        float, Meta(ge=0, le=100, description="How many of 100 ranked packages are lower.")
    ]
    computed_at: Moment


class GraphNode(msgspec.Struct, frozen=True, rename="camel"):
    """A package, a maintainer or a repository."""

    id: Annotated[
        str,
        Meta(
            description="Such as `npm:react`, `maintainer:npm:sindresorhus` or "
            "`repository:github.com/pallets/flask`."
        ),
    ]
    kind: NodeKind
    label: str
    depth: Annotated[int, Meta(ge=-1, description="Steps from the package; -1 for a dependent.")]
    is_collected: Annotated[
        bool,
        Meta(description="Whether its own facts are known, and so what it depends on."),
    ]
    score: Annotated[float, Meta(ge=0, le=100, description="Of a scored package.")] | None = None
    rank: (
        Annotated[int, Meta(ge=1, description="Position by network trust; 1 is the highest.")]
        | None
    ) = None


class GraphEdge(msgspec.Struct, frozen=True, rename="camel"):
    """`source` depends on, is maintained by, or lies in `target`."""

    source: str
    target: str
    kind: EdgeKind
    requirement: Annotated[str, Meta(description="Of a dependency; empty if it has none.")]


class GraphSummary(msgspec.Struct, frozen=True, rename="camel"):
    """Sizes: `nodes` and `edges` are those of the page, the rest of all pages together."""

    nodes: Count
    edges: Count
    total: Annotated[int, Meta(ge=1, description="Nodes on all pages.")]
    packages: Count
    maintainers: Count
    repositories: Count
    depends_on: Annotated[int, Meta(ge=0, description="Direct dependencies of the package.")]
    dependents: Annotated[
        int,
        Meta(ge=0, description="Known packages that depend on it directly; counted to 100,000."),
    ]
    max_depth: Annotated[int, Meta(ge=0, le=MAX_DEPTH, description="The furthest node's.")]
    is_truncated: Annotated[
        bool, Meta(description="Whether there is more than what was walked along.")
    ]


class Neighbourhood(msgspec.Struct, frozen=True, rename="camel"):
    """What is around a package. An edge is on the page of the later of its nodes: the pages one
    after the other have each edge once, and none that leads to a later page."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    dependents: Annotated[
        tuple[GraphNode, ...],
        Meta(description="The first that were seen of what depends on the package directly."),
    ]
    summary: GraphSummary


class RankedPackage(msgspec.Struct, frozen=True, rename="camel"):
    """A package among those that most trust reaches."""

    id: str
    label: str
    value: float
    position: int
    score: float | None


class RankingFacts(msgspec.Struct, frozen=True, rename="camel"):
    """How the ranks were worked out. `scored` packages have a score of their own, in proportion to
    which trust begins with them; `residual` is what the last round still changed."""

    computed_at: Moment
    packages: Count
    dependencies: Count
    scored: Count
    damping: float
    rounds: Count
    residual: float


class NetworkOverview(msgspec.Struct, frozen=True, rename="camel"):
    """The network as a whole: as it was when the ranks were worked out, if they ever were, else as
    it is."""

    nodes: Annotated[dict[NodeKind, int], Meta(description="How many, by kind.")]
    edges: Annotated[dict[EdgeKind, int], Meta(description="How many, by kind.")]
    top: tuple[RankedPackage, ...]
    ranking: RankingFacts | None
