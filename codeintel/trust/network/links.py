"""What the facts of a package say of its place in the network. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec

from codeintel.base.errors import ServiceError
from codeintel.contracts import Facts, Target
from codeintel.trust.network.kinds import EdgeKind, NodeKind, package_key
from codeintel.trust.targets import parse_target

MAX_LINKS = 2000
"""Of a package and a kind; what is above it is left out."""
_KEY_CHARACTERS = 400
_LABEL_CHARACTERS = 300
_REQUIREMENT_CHARACTERS = 200
T = TypeVar("T")


class Node(NamedTuple):
    """A node to be."""

    kind: NodeKind
    key: str
    label: str


class Links(NamedTuple):
    """Where a package leads, as far as it is known.

    :param targets: by kind, the nodes with the requirements (which only dependencies have). A kind
        that nothing is known of is missing, which differs from one that is empty.
    :param partial: the kinds of which there may be more than what is listed.
    """

    package: Node
    targets: Mapping[EdgeKind, Mapping[Node, str]]
    partial: frozenset[EdgeKind]


class _Dependency(msgspec.Struct):
    name: str
    requirement: str | None = None


class _Dependencies(msgspec.Struct, rename="camel"):
    direct: list[_Dependency]
    is_complete: bool = True


class _Maintainer(msgspec.Struct):
    id: str
    name: str | None = None


def links_of(target: Target, facts: Facts) -> Links:
    """The links that the facts `dependencies` (its direct ones), `maintainers` and `repository`
    tell. Names that the ecosystem does not allow are left out, and so is a package's dependency on
    itself.

    :raises ValueError: for a fact that does not have the shape of its name.
    """
    package = Node(NodeKind.PACKAGE, package_key(target), target.name)
    targets: dict[EdgeKind, dict[Node, str]] = {}
    partial = set()
    dependencies = _read(facts, "dependencies", _Dependencies)
    if dependencies is not None:
        others = (each for each in _packages(target, dependencies.direct) if each[0] != package)
        targets[EdgeKind.DEPENDS_ON] = _first(others)
        if not dependencies.is_complete:
            partial.add(EdgeKind.DEPENDS_ON)
    maintainers = _read(facts, "maintainers", list[_Maintainer])
    if maintainers is not None:
        targets[EdgeKind.MAINTAINED_BY] = _first(
            (node, "") for each in maintainers for node in _maintainer(target, each)
        )
    repository = _read(facts, "repository", str)
    if repository is not None:
        targets[EdgeKind.HOSTED_AT] = _first((node, "") for node in _repository(repository))
    return Links(package, targets, frozenset(partial))


def _read(facts: Facts, name: str, shape: type[T]) -> T | None:
    value: Any = facts.value(name)
    if value is None:
        return None
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise ValueError(f"the fact `{name}` does not have its shape: {error}") from None


def _packages(target: Target, direct: Iterable[_Dependency]) -> Iterator[tuple[Node, str]]:
    for each in direct:
        try:
            found = parse_target(f"{target.ecosystem}:{each.name}")
        except ServiceError:  # such as an address instead of a name: no package of the ecosystem
            continue
        node = Node(NodeKind.PACKAGE, package_key(found), found.name)
        yield node, _shown(each.requirement or "", _REQUIREMENT_CHARACTERS)


def _maintainer(target: Target, maintainer: _Maintainer) -> Iterator[Node]:
    key = f"{target.ecosystem}:{maintainer.id}"
    if maintainer.id and _is_key(key):
        label = _shown(maintainer.name or "", _LABEL_CHARACTERS) or maintainer.id
        yield Node(NodeKind.MAINTAINER, key, label[:_LABEL_CHARACTERS])


def _repository(repository: str) -> Iterator[Node]:
    # The hosts of public code do not tell upper and lower case apart.
    if repository and _is_key(repository):
        label = repository.partition("/")[2] or repository
        yield Node(NodeKind.REPOSITORY, repository.lower(), label[:_LABEL_CHARACTERS])


def _first(found: Iterable[tuple[Node, str]]) -> dict[Node, str]:
    """The first of those with one key, up to the limit."""
    by_key: dict[str, tuple[Node, str]] = {}
    for node, requirement in found:
        by_key.setdefault(node.key, (node, requirement))
    return dict(islice(by_key.values(), MAX_LINKS))


def _is_key(text: str) -> bool:
    return len(text) <= _KEY_CHARACTERS and text.isprintable()


def _shown(text: str, limit: int) -> str:
    """A text without what neither people nor databases can read, NUL above all."""
    return "".join(filter(str.isprintable, text))[:limit].strip()
