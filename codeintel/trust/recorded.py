"""The rows of recorded evidence, which the demo stores until real lookups replace them.

The ids of its snapshots have a reserved prefix. So recorded evidence can be recognized, and is
deleted without touching what was really collected.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, or_, select, update

from codeintel.trust.network import NodeKind
from codeintel.trust.tables import (
    TrustEdge,
    TrustForecasts,
    TrustNode,
    TrustObservation,
    TrustPackage,
    TrustRank,
    TrustRanking,
    TrustSnapshot,
)

RECORDED_PREFIX = "demo_"


def is_recorded(snapshot_id: str) -> bool:
    """Return whether a snapshot has recorded evidence."""
    return snapshot_id.startswith(RECORDED_PREFIX)


def recorded_on(connection: Connection) -> datetime | None:
    """Return the day of the newest recorded snapshot, or None without any."""
    newest = connection.scalar(
        select(func.max(TrustSnapshot.collected_ms)).where(_is_recorded(TrustSnapshot.id))
    )
    return datetime.fromtimestamp(newest / 1_000, UTC) if newest is not None else None


def has_collected(connection: Connection) -> bool:
    """Return whether the network has a package that was really collected."""
    real = select(TrustPackage.key).where(~_is_recorded(TrustPackage.snapshot_id))
    return connection.execute(real.limit(1)).first() is not None


def forget(connection: Connection, key: str) -> None:
    """Delete the recorded evidence about a package, for a lookup that replaces it.

    :param key: without a version, because all versions share one history.
    """
    mine = (TrustSnapshot.package == key, _is_recorded(TrustSnapshot.id))
    if connection.execute(delete(TrustSnapshot).where(*mine)).rowcount:
        _forget_rest(connection, [key])


def forget_all(connection: Connection) -> bool:
    """Delete all recorded evidence. Return whether there was any."""
    recorded = _is_recorded(TrustSnapshot.id)
    keys = list(connection.scalars(select(TrustSnapshot.package).where(recorded)))
    if not keys:
        return False
    connection.execute(delete(TrustSnapshot).where(recorded))
    _forget_rest(connection, keys)
    _forget_nodes(connection)
    return True


def _is_recorded(snapshot_id: Any) -> ColumnElement[bool]:
    found: ColumnElement[bool] = snapshot_id.startswith(RECORDED_PREFIX, autoescape=True)
    return found


def _forget_rest(connection: Connection, keys: Iterable[str]) -> None:
    """Delete the rest of what is stored about packages. All of it is recorded."""
    keys = list(keys)
    for model in (TrustObservation, TrustForecasts):
        connection.execute(delete(model).where(model.package.in_(keys)))
    connection.execute(delete(TrustPackage).where(TrustPackage.key.in_(keys)))
    mine = (TrustNode.kind == NodeKind.PACKAGE, TrustNode.key.in_(keys))
    nodes = select(TrustNode.id).where(*mine)
    connection.execute(delete(TrustEdge).where(TrustEdge.source_id.in_(nodes)))
    connection.execute(update(TrustNode).where(*mine).values(observed_ms=0))


def _forget_nodes(connection: Connection) -> None:
    """Delete the nodes without any evidence, and the rankings that include them."""
    key = TrustPackage.ecosystem + ":" + TrustPackage.name
    is_used = or_(
        exists().where(TrustEdge.source_id == TrustNode.id),
        exists().where(TrustEdge.target_id == TrustNode.id),
        exists().where(TrustNode.kind == NodeKind.PACKAGE, key == TrustNode.key),
    )
    lost = select(TrustNode.id).where(TrustNode.observed_ms == 0, ~is_used)
    connection.execute(delete(TrustRank))
    connection.execute(delete(TrustRanking))
    connection.execute(delete(TrustNode).where(TrustNode.id.in_(lost)))
