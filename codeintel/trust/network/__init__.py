"""The trust network: packages, their maintainers, their repositories and their dependencies.

`store` stores what a package's facts say, and `reading` returns a package's neighborhood. `ranking`
computes how much trust flows to each package, in a child process. So no module that a server
imports needs matrices.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from codeintel.base.timestamps import Moment
from codeintel.contracts import Target


class NodeKind(StrEnum):
    """The kind of thing that a node represents."""

    PACKAGE = "package"
    MAINTAINER = "maintainer"
    REPOSITORY = "repository"


class EdgeKind(StrEnum):
    """The relation of a package to a node."""

    DEPENDS_ON = "depends_on"
    MAINTAINED_BY = "maintained_by"
    HOSTED_AT = "hosted_at"


def package_key(target: Target) -> str:
    """Return the key of a package's node, such as `npm:react`. A node represents all versions."""
    return Target(target.ecosystem, target.name).key


def node_name(kind: str, key: str) -> str:
    """Return the name of a node among nodes of all kinds.

    A package has its key. Others have their kind as a prefix, such as
    `maintainer:npm:sindresorhus`, because names of different kinds may be equal.
    """
    return key if kind == NodeKind.PACKAGE else f"{kind}:{key}"


MAX_DEPTH = 3
MAX_LIMIT = 500
Count = Annotated[int, Meta(ge=0)]


class NetworkTrust(msgspec.Struct, frozen=True, rename="camel"):
    """The share of all trust that reaches a package."""

    value: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description=("The package's share. The shares of all ranked packages add up to 1."),
        ),
    ]
    position: Annotated[
        int, Meta(ge=1, description=("1 is the highest. Equal values share a position."))
    ]
    of: Annotated[int, Meta(ge=1, description="Number of ranked packages.")]
    percentile: Annotated[
        float, Meta(ge=0, le=100, description="Percentage of ranked packages with a lower value.")
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
        Meta(description="Whether its own facts, and so its dependencies, are known."),
    ]
    score: (
        Annotated[float, Meta(ge=0, le=100, description="The score, for a scored package.")] | None
    ) = None
    rank: (
        Annotated[int, Meta(ge=1, description="Position by network trust; 1 is the highest.")]
        | None
    ) = None


class GraphEdge(msgspec.Struct, frozen=True, rename="camel"):
    """`source` depends on, is maintained by, or is hosted at `target`."""

    source: str
    target: str
    kind: EdgeKind
    requirement: Annotated[
        str, Meta(description=("The version requirement of a dependency, or empty."))
    ]


class GraphSummary(msgspec.Struct, frozen=True, rename="camel"):
    """Sizes. `nodes` and `edges` count this page, the others all pages together."""

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
    max_depth: Annotated[
        int, Meta(ge=0, le=MAX_DEPTH, description=("The depth of the furthest node."))
    ]
    is_truncated: Annotated[
        bool, Meta(description="Whether the walk reached a limit, so that nodes may be missing.")
    ]


class Neighbourhood(msgspec.Struct, frozen=True, rename="camel"):
    """The neighborhood of a package.

    An edge is on the page of the later of its nodes. So each edge is on exactly one page, and never
    leads to a later page.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    dependents: Annotated[
        tuple[GraphNode, ...],
        Meta(description="The first known direct dependents of the package."),
    ]
    summary: GraphSummary


class RankedPackage(msgspec.Struct, frozen=True, rename="camel"):
    """A package with much network trust."""

    id: str
    label: str
    value: float
    position: int
    score: float | None


class RankingFacts(msgspec.Struct, frozen=True, rename="camel"):
    """Facts about the computation of ranks.

    `scored` packages have their own score, and trust starts with them in proportion to it.
    `residual` is the change in the last round.
    """

    computed_at: Moment
    packages: Count
    dependencies: Count
    scored: Count
    damping: float
    rounds: Count
    residual: float


class NetworkOverview(msgspec.Struct, frozen=True, rename="camel"):
    """The network as a whole, at the time of the newest ranking, or now if the network was
    never ranked.
    """

    nodes: Annotated[dict[NodeKind, int], Meta(description="Number by kind.")]
    edges: Annotated[dict[EdgeKind, int], Meta(description="Number by kind.")]
    top: tuple[RankedPackage, ...]
    ranking: RankingFacts | None
