"""Short helpers for packages' facts in tests of the trust network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from sqlalchemy import Connection, Engine, select

from codeintel.contracts import Ecosystem, Fact, Facts, Target
from codeintel.platform.db.writer import Writer
from codeintel.trust.network.store import record
from codeintel.trust.tables import TrustEdge, TrustNode, TrustPackage

AT = 1_700_000_000_000


def facts_of(values: Mapping[str, Any]) -> Facts:
    """Return facts by their values."""
    return Facts(
        {
            name: Fact(name, value, "test", "", "2026-11-22T10:00:00Z")
            for name, value in values.items()
        }
    )


def depending(*names: str, is_complete: bool = True) -> dict[str, Any]:
    """Return the fact of direct dependencies: names, with requirements after a blank."""
    parts = [each.partition(" ") for each in names]
    direct = [{"name": name, "version": "1", "requirement": text} for name, _, text in parts]
    edges: list[Any] = []
    return {
        "dependencies": {
            "direct": direct,
            "edges": edges,
            "count": len(direct),
            "isComplete": is_complete,
        }
    }


def maintained(*logins: str) -> dict[str, Any]:
    """Return the fact of maintainers."""
    return {"maintainers": [{"id": each, "name": each.title(), "url": ""} for each in logins]}


def npm(name: str, version: str = "") -> Target:
    """Return a package of npm."""
    return Target(Ecosystem.NPM, name, version)


def put(writer: Writer, name: str, *values: Mapping[str, Any], at: int = AT) -> bool:
    """Record facts of a package of npm."""
    merged = {key: value for each in values for key, value in each.items()}
    return writer.run(partial(record, target=npm(name), facts=facts_of(merged), observed_ms=at))


def build(writer: Writer, graph: Mapping[str, Iterable[str]]) -> None:
    """Record packages by what they depend on."""

    def work(connection: Connection) -> None:
        for name, targets in graph.items():
            record(connection, npm(name), facts_of(depending(*targets)), AT)

    writer.run(work)


def score(writer: Writer, **scores: float) -> None:
    """Give packages of npm a score."""

    def work(connection: Connection) -> None:
        for name, value in scores.items():
            connection.execute(
                TrustPackage.__table__.insert().values(  # type: ignore[attr-defined]
                    key=f"npm:{name}",
                    ecosystem="npm",
                    name=name,
                    version="",
                    snapshot_id="none",
                    score=value,
                    created_ms=AT,
                    refreshed_ms=AT,
                )
            )

    writer.run(work)


def edges_of(engine: Engine) -> dict[tuple[str, str, str], str]:
    """Return all requirements by source, target and kind."""
    with engine.connect() as connection:
        names = {
            row.id: f"{row.kind[0]}|{row.key}"
            for row in connection.execute(select(TrustNode.__table__))
        }
        return {
            (names[row.source_id], names[row.target_id], row.kind): row.requirement
            for row in connection.execute(select(TrustEdge.__table__))
        }


def dump(engine: Engine) -> list[Any]:
    """Return all rows of the network."""
    with engine.connect() as connection:
        return [
            sorted(map(tuple, connection.execute(select(table.__table__))))
            for table in (TrustNode, TrustEdge)
        ]
