"""Rankings as the database has them."""

from __future__ import annotations

from sqlalchemy import Engine, func, select

from codeintel.trust.tables import TrustRank, TrustRanking

STAR = {"a": ["hub"], "b": ["hub"], "c": ["hub"]}
SECONDS = 60


def rankings(engine: Engine) -> list[tuple[str, bool, int]]:
    """Return all rankings: ids, whether complete, and the number of their ranks."""
    with engine.connect() as connection:
        counts: dict[str, int] = {
            row[0]: row[1]
            for row in connection.execute(
                select(TrustRank.ranking_id, func.count()).group_by(TrustRank.ranking_id)
            )
        }
        rows = connection.execute(select(TrustRanking.id, TrustRanking.is_complete)).all()
    assert counts.keys() <= {row.id for row in rows}
    return sorted((row.id, row.is_complete, counts.get(row.id, 0)) for row in rows)
