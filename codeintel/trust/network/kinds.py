"""What the network consists of, and how its parts are named."""

from __future__ import annotations

from enum import StrEnum

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
