"""The network in the database: what a package's facts say replaces what earlier ones said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, TypeVar

from sqlalchemy import Connection, bindparam, delete, select, update

from codeintel.contracts import Facts, Target
from codeintel.platform.db.inserting import insert_into
from codeintel.trust.network.kinds import EdgeKind
from codeintel.trust.network.links import Links, Node, links_of
from codeintel.trust.tables import TrustEdge, TrustNode

CHUNK = 500
"""Values in one list: databases bound the variables of a statement, SQLite at 999 once."""
T = TypeVar("T")


def record(connection: Connection, target: Target, facts: Facts, observed_ms: int) -> bool:
    """Write down the place that facts give to a package, whatever its version: one piece of work
    for the :class:`~codeintel.platform.db.writer.Writer`, to be ordered by the package's key.

    Edges that the facts do not have any more are deleted; facts that are missing, or that say that
    there is more than they list, delete nothing. Facts older than what stands there change nothing.

    :param observed_ms: when the facts were found.
    :returns: whether the facts were taken.
    :raises ValueError: for a fact that does not have the shape of its name.
    """
    return put(connection, links_of(target, facts), observed_ms)


def put(connection: Connection, links: Links, observed_ms: int, *, is_current: bool = True) -> bool:
    """As :func:`record`, of facts that have been read already.

    :param is_current: whether they are of the current version. Those of another, which anybody may
        ask for, are taken only as long as nothing else is known of the package.
    """
    newest = observed_ms if is_current else 0
    known = _claim(connection, links.package)
    if known is not None and known.observed_ms > newest:
        return False
    ids = _ids(connection, {links.package, *chain.from_iterable(links.targets.values())})
    if known is None:
        known = _claim(connection, links.package)
    if known is None or known.observed_ms > newest:  # another process was quicker
        return False
    source_id: int = known.id
    connection.execute(_OBSERVED, {"node": source_id, "at": observed_ms})
    for kind, targets in sorted(links.targets.items()):
        wanted = {ids[node.kind, node.key]: text for node, text in targets.items()}
        keeps_others = kind in links.partial
        _replace(connection, source_id, kind, wanted, observed_ms, keeps_others=keeps_others)
    return True


def chunks(values: Sequence[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    """The values in pieces of a size."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def _claim(connection: Connection, package: Node) -> Any:
    """The row of the package's node, locked until the end, if there is one. Others may go on
    making edges that lead to it."""
    return connection.execute(_ROOT, {"kind": package.kind, "key": package.key}).one_or_none()


def _ids(connection: Connection, nodes: Iterable[Node]) -> dict[tuple[str, str], int]:
    """The ids of the nodes by kind and key, after inserting those that are new."""
    ordered = sorted(nodes)  # two processes that insert in one order do not wait in a circle
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
