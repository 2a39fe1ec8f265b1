"""The network in the database. A package's new facts replace earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, update

from codeintel.base.errors import ServiceError
from codeintel.contracts import Facts, Target
from codeintel.platform.db.statements import insert_into
from codeintel.trust.network import EdgeKind, NodeKind, package_key
from codeintel.trust.tables import TrustEdge, TrustNode
from codeintel.trust.targets import parse_target

MAX_LINKS = 2000
"""Maximum number of links of a package and a kind. Further links are omitted."""
_KEY_CHARACTERS = 400
_LABEL_CHARACTERS = 300
_REQUIREMENT_CHARACTERS = 200


class Node(NamedTuple):
    """A node to be stored."""

    kind: NodeKind
    key: str
    label: str


class Links(NamedTuple):
    """The known links of a package.

    :param targets: by kind, the nodes with the requirements (which only dependencies have). An
        unknown kind is missing, which differs from an empty one.
    :param partial: the kinds that may have more links than those listed.
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
    """Return the links in the facts `dependencies` (direct ones), `maintainers` and `repository`.

    Names that the ecosystem does not allow are skipped, and so is a package's dependency on itself.

    :raises ValueError: for a fact of the wrong type.
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
        except (
            ServiceError
        ):  # for example, an address instead of a name: not a package of the ecosystem
            continue
        node = Node(NodeKind.PACKAGE, package_key(found), found.name)
        yield node, _shown(each.requirement or "", _REQUIREMENT_CHARACTERS)


def _maintainer(target: Target, maintainer: _Maintainer) -> Iterator[Node]:
    key = f"{target.ecosystem}:{maintainer.id}"
    if maintainer.id and _is_key(key):
        label = _shown(maintainer.name or "", _LABEL_CHARACTERS) or maintainer.id
        yield Node(NodeKind.MAINTAINER, key, label[:_LABEL_CHARACTERS])


def _repository(repository: str) -> Iterator[Node]:
    # The hosts of public code ignore case.
    if repository and _is_key(repository):
        label = repository.partition("/")[2] or repository
        yield Node(NodeKind.REPOSITORY, repository.lower(), label[:_LABEL_CHARACTERS])


def _first(found: Iterable[tuple[Node, str]]) -> dict[Node, str]:
    """Return the first node of each key, up to the limit."""
    by_key: dict[str, tuple[Node, str]] = {}
    for node, requirement in found:
        by_key.setdefault(node.key, (node, requirement))
    return dict(islice(by_key.values(), MAX_LINKS))


def _is_key(text: str) -> bool:
    return len(text) <= _KEY_CHARACTERS and text.isprintable()


def _shown(text: str, limit: int) -> str:
    """Return a text without unprintable characters, especially NUL."""
    return "".join(filter(str.isprintable, text))[:limit].strip()


CHUNK = 500
"""Values in one list. Databases limit the variables of a statement; SQLite's limit was once 999."""
T = TypeVar("T")


def record(connection: Connection, target: Target, facts: Facts, observed_ms: int) -> bool:
    """Store the links of a package, for any version.

    This is a piece of work for the :class:`~codeintel.platform.db.writer.Writer`, to be ordered by
    the package's key. Edges that are missing in the new facts are deleted. A missing fact, or one
    with an incomplete list, deletes nothing. Facts that are older than the stored ones change
    nothing.

    :param observed_ms: when the facts were found.
    :returns: whether the facts were stored.
    :raises ValueError: for a fact of the wrong type.
    """
    return put(connection, links_of(target, facts), observed_ms)


def put(connection: Connection, links: Links, observed_ms: int, *, is_current: bool = True) -> bool:
    """Store links as :func:`record` does, from facts that have been read already.

    :param is_current: whether the facts are about the current version. Facts about other versions,
        which anyone may request, are only stored if nothing else is known about the package.
    """
    newest = observed_ms if is_current else 0
    known = _claim(connection, links.package)
    if known is not None and known.observed_ms > newest:
        return False
    ids = _ids(connection, {links.package, *chain.from_iterable(links.targets.values())})
    if known is None:
        known = _claim(connection, links.package)
    if known is None or known.observed_ms > newest:  # another process was faster
        return False
    source_id: int = known.id
    connection.execute(_OBSERVED, {"node": source_id, "at": observed_ms})
    for kind, targets in sorted(links.targets.items()):
        wanted = {ids[node.kind, node.key]: text for node, text in targets.items()}
        keeps_others = kind in links.partial
        _replace(connection, source_id, kind, wanted, observed_ms, keeps_others=keeps_others)
    return True


def chunks(values: Sequence[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    """Yield the values in pieces of a size."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def _claim(connection: Connection, package: Node) -> Any:
    """Return the row of the package's node, locked until the commit, or None.

    Others may continue to insert edges that lead to the node.
    """
    return connection.execute(_ROOT, {"kind": package.kind, "key": package.key}).one_or_none()


def _ids(connection: Connection, nodes: Iterable[Node]) -> dict[tuple[str, str], int]:
    """Return the ids of the nodes by kind and key, after inserting new ones."""
    ordered = sorted(nodes)  # two processes that insert in the same order cannot deadlock
    insert = insert_into(connection, TrustNode)
    connection.execute(
        insert.on_conflict_do_nothing(index_elements=["kind", "key"]),
        [{**node._asdict(), "observed_ms": 0} for node in ordered],
    )
    labels = {(node.kind, node.key): node.label for node in ordered}
    ids: dict[tuple[str, str], int] = {}
    renamed = []
    for kind in sorted({node.kind for node in ordered}):
        keys = [node.key for node in ordered if node.kind == kind]
        for some in chunks(keys):
            for row in connection.execute(_FIND, {"kind": kind, "keys": some}):
                ids[kind, row.key] = row.id
                if row.label != labels[kind, row.key]:
                    renamed.append({"node": row.id, "label": labels[kind, row.key]})
    if renamed:
        connection.execute(_RENAME, sorted(renamed, key=itemgetter("node")))
    return ids


def _replace(
    connection: Connection,
    source_id: int,
    kind: EdgeKind,
    wanted: Mapping[int, str],
    observed_ms: int,
    *,
    keeps_others: bool,
) -> None:
    edges = {"source": source_id, "sort": kind}
    known = {row.target_id: row.requirement for row in connection.execute(_EDGES, edges)}
    new = [
        {
            "source_id": source_id,
            "target_id": target_id,
            "kind": kind,
            "requirement": requirement,
            "observed_ms": observed_ms,
        }
        for target_id, requirement in sorted(wanted.items())
        if known.get(target_id) != requirement
    ]
    if new:
        insert = insert_into(connection, TrustEdge)
        changed = {"requirement": insert.excluded.requirement}
        key = ["source_id", "target_id", "kind"]
        connection.execute(insert.on_conflict_do_update(index_elements=key, set_=changed), new)
    gone = [] if keeps_others else sorted(known.keys() - wanted.keys())
    for some in chunks(gone):
        connection.execute(_FORGET, {**edges, "targets": some})
    for some in chunks(sorted(wanted)):
        connection.execute(_SEEN, {**edges, "targets": some, "at": observed_ms})


_ROOT = (
    select(TrustNode.id, TrustNode.observed_ms)
    .where(TrustNode.kind == bindparam("kind"), TrustNode.key == bindparam("key"))
    .with_for_update(key_share=True)
)
_FIND = select(TrustNode.id, TrustNode.key, TrustNode.label).where(
    TrustNode.kind == bindparam("kind"), TrustNode.key.in_(bindparam("keys", expanding=True))
)
_NODE = TrustNode.id == bindparam("node")
_OBSERVED = update(TrustNode).where(_NODE).values(observed_ms=bindparam("at"))
_RENAME = update(TrustNode).where(_NODE).values(label=bindparam("label"))
_EDGES = select(TrustEdge.target_id, TrustEdge.requirement).where(
    TrustEdge.source_id == bindparam("source"), TrustEdge.kind == bindparam("sort")
)
_SOME_EDGES = (
    TrustEdge.source_id == bindparam("source"),
    TrustEdge.kind == bindparam("sort"),
    TrustEdge.target_id.in_(bindparam("targets", expanding=True)),
)
_FORGET = delete(TrustEdge).where(*_SOME_EDGES)
_SEEN = update(TrustEdge).where(*_SOME_EDGES).values(observed_ms=bindparam("at"))
