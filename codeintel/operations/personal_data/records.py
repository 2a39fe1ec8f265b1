"""The rows that are of one account, as their owner may read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Engine, Table, select, tuple_

from codeintel.base.timestamps import moment
from codeintel.identity.audit.tables import AuditRow
from codeintel.identity.tables import IdentityRow, SessionRow, SignInLinkRow
from codeintel.platform.db.models import (
    ApiKey,
    Balance,
    Base,
    Hold,
    IdempotencyKey,
    LedgerEntry,
    RunRow,
)

PAGE = 200
"""Rows that are read at once."""
SECRET = frozenset({"digest"})
"""What is made from a token or a key: of no use to anybody, but for guessing."""
_JSON = frozenset({"details", "fingerprints", "result", "skipped", "summary", "usage"})
_TIME = "_ms"


@dataclass(frozen=True)
class Kind:
    """Rows of one table. `name` is that of their file in an export."""

    name: str
    model: type[Base]
    without: frozenset[str] = field(default=SECRET)

    @property
    def table(self) -> Table:
        """Their table, all of whose rows have an account."""
        table = self.model.__table__
        assert isinstance(table, Table)  # noqa: S101 - for the type checker
        return table


KINDS = (
    Kind("balance", Balance),
    Kind("identities", IdentityRow),
    Kind("api-keys", ApiKey),
    Kind("browser-sessions", SessionRow),
    Kind("sign-in-links", SignInLinkRow),
    Kind("ledger", LedgerEntry),
    Kind("holds", Hold),
    Kind("activity", AuditRow),
    Kind("runs", RunRow),
    Kind("requests", IdempotencyKey, frozenset()),
)


def rows(engine: Engine, table: Table, which: ColumnElement[bool]) -> Iterator[dict[str, Any]]:
    """The rows of a table for which a condition holds, in the order of their keys; read some at a
    time, so that nobody waits."""
    key = list(table.primary_key.columns)
    place: Sequence[Any] | None = None
    while True:
        query = select(table).where(which).order_by(*key).limit(PAGE)
        if place is not None:
            query = query.where(tuple_(*key) > tuple_(*place))
        with engine.connect() as connection:
            found = connection.execute(query).mappings().all()
        yield from map(dict, found)
        if len(found) < PAGE:
            return
        place = [found[-1][column.name] for column in key]


def readable(row: dict[str, Any], without: frozenset[str] = SECRET) -> dict[str, Any]:
    """A row with times instead of milliseconds, and what is JSON as such; bytes are left out."""
    shown: dict[str, Any] = {}
    for name, value in row.items():
        if name in without or isinstance(value, bytes):
            continue
        if name.endswith(_TIME):
            shown[f"{name.removesuffix(_TIME)}_at"] = moment(value) if value is not None else None
        elif name in _JSON and isinstance(value, str):
            shown[name] = msgspec.json.decode(value)
        else:
            shown[name] = value
    return shown


def line(row: dict[str, Any]) -> bytes:
    """A row as a line of JSON."""
    return msgspec.json.encode(row) + b"\n"
