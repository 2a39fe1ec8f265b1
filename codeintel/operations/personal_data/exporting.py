"""Export all stored data of an account as a zip file that is packed while it is sent."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Engine, Table, select, tuple_

from codeintel.base.greenlets import give_way
from codeintel.base.timestamps import from_milliseconds
from codeintel.base.version import __version__
from codeintel.identity.audit import AuditRow
from codeintel.identity.tables import IdentityRow, SessionRow, SignInLinkRow
from codeintel.platform.db.models import (
    Account,
    ApiKey,
    Balance,
    Base,
    Hold,
    IdempotencyKey,
    LedgerEntry,
    RunRow,
)
from codeintel.runs.scans.tables import ScanContentRow, ScanResultRow, ScanRow
from codeintel.workspaces.reading import Outbox
from codeintel.workspaces.tables import (
    ContentRow,
    FileResultRow,
    FileRow,
    ReportRow,
    RevisionRow,
    SessionRow as WorkspaceRow,
)

PAGE = 200
"""Rows per query."""
SECRET = frozenset({"digest"})
"""Columns with digests of tokens and keys. They would only help to guess a secret."""
_JSON = frozenset({"details", "fingerprints", "result", "skipped", "summary", "usage"})
_TIME = "_ms"


@dataclass(frozen=True)
class Kind:
    """The rows of a table. `name` is the name of their file in an export."""

    name: str
    model: type[Base]
    without: frozenset[str] = field(default=SECRET)

    @property
    def table(self) -> Table:
        """The table. All its rows have an account."""
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
    Kind("scans", ScanRow),
    Kind("requests", IdempotencyKey, frozenset()),
)


def rows(engine: Engine, table: Table, which: ColumnElement[bool]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table that meet a condition, in key order. Read a few at a time, so that
    other requests do not wait.
    """
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
    """Convert a row for export: times instead of milliseconds, parsed JSON, and no bytes."""
    shown: dict[str, Any] = {}
    for name, value in row.items():
        if name in without or isinstance(value, bytes):
            continue
        if name.endswith(_TIME):
            shown[f"{name.removesuffix(_TIME)}_at"] = (
                from_milliseconds(value) if value is not None else None
            )
        elif name in _JSON and isinstance(value, str):
            shown[name] = msgspec.json.decode(value)
        else:
            shown[name] = value
    return shown


def line(row: dict[str, Any]) -> bytes:
    """Return a row as a line of JSON."""
    return msgspec.json.encode(row) + b"\n"


README = """\
What codeintel {version} has stored of {email}, {at}.

account.json            the account
*.jsonl                 a JSON object a line: credits, keys, sign-ins, what was done, runs with
                        their results. Tokens are not stored, and what is made from them is left
                        out.
contents/<SHA-256>      everything that ever stood in a file of a workspace
workspaces/<id>/        the workspace, its revisions, which content stood where (`since` and
                        `until` are revisions), the files of the newest one, and reports
file-results/           what the analyzers have found in a content
scan-contents/          files of scans in progress
scan-results/           what scans have found in a content, which later scans reuse
"""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class Export:
    """Writes a zip file in pieces.

    :param account_id: an existing account.
    """

    def __init__(self, engine: Engine, account_id: str) -> None:
        self._engine = engine
        self._account_id = account_id
        self._outbox = Outbox()
        self._zip = zipfile.ZipFile(self._outbox, "w", zipfile.ZIP_DEFLATED, compresslevel=1)

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes of the file. Each table has its state at the time when it is read."""
        with self._zip:
            yield from self._about()
            for kind in KINDS:
                which = kind.table.c.account_id == self._account_id
                found = rows(self._engine, kind.table, which)
                yield from self._add(
                    f"{kind.name}.jsonl", (line(readable(row, kind.without)) for row in found)
                )
            yield from self._workspaces()
            yield from self._contents()
            yield from self._results()
            yield from self._scans()
        yield self._outbox.taken()

    def _about(self) -> Iterator[bytes]:
        query = select(Account.__table__).where(Account.id == self._account_id)
        with self._engine.connect() as connection:
            account = dict(connection.execute(query).mappings().one())
        at = datetime.now(UTC).isoformat(timespec="seconds")
        text = README.format(version=__version__, email=account["email"], at=at)
        yield from self._add("README.txt", [text.encode()])
        yield from self._add("account.json", [line(readable(account))])

    def _workspaces(self) -> Iterator[bytes]:
        which = WorkspaceRow.__table__.c.account_id == self._account_id
        for session in list(rows(self._engine, _table(WorkspaceRow), which)):
            folder = f"workspaces/{session['id']}"
            yield from self._add(f"{folder}/workspace.json", [line(readable(session))])
            for name, model in (("revisions", RevisionRow), ("files", FileRow)):
                table = _table(model)
                found = rows(self._engine, table, table.c.session_id == session["id"])
                yield from self._add(
                    f"{folder}/{name}.jsonl", (line(readable(row)) for row in found)
                )
            yield from self._newest(folder, session["id"])
            yield from self._reports(folder, session["id"])

    def _newest(self, folder: str, session_id: str) -> Iterator[bytes]:
        """Yield the current files under their own names."""
        table = _table(FileRow)
        which = (table.c.session_id == session_id) & table.c.until.is_(None)
        for row in rows(self._engine, table, which):
            content = self._content(row["sha256"])
            if content is not None:
                yield from self._add(f"{folder}/files/{row['path'].lstrip('/')}", [content])

    def _reports(self, folder: str, session_id: str) -> Iterator[bytes]:
        table = _table(ReportRow)
        for row in rows(self._engine, table, table.c.session_id == session_id):
            document = row.pop("document")
            path = f"{folder}/reports/{row['id']}"
            yield from self._add(f"{path}.about.json", [line(readable(row))])
            if document is not None:
                yield from self._add(f"{path}.json", [zlib.decompress(document)])

    def _contents(self) -> Iterator[bytes]:
        table = _table(ContentRow)
        for row in rows(self._engine, table, table.c.account_id == self._account_id):
            yield from self._add(f"contents/{row['sha256']}", [_unpacked(row)])

    def _results(self) -> Iterator[bytes]:
        table = _table(FileResultRow)
        for row in rows(self._engine, table, table.c.account_id == self._account_id):
            engine = _UNSAFE.sub("-", row["engine"])
            path = f"file-results/{row['sha256']}.{engine}.json"
            yield from self._add(path, [zlib.decompress(row["data"])])

    def _scans(self) -> Iterator[bytes]:
        """Yield the files of scans in progress, and the results that later scans reuse."""
        table = _table(ScanContentRow)
        for row in rows(self._engine, table, table.c.account_id == self._account_id):
            path = f"scan-contents/{row['scan_id']}/{row['sha256']}"
            yield from self._add(path, [zlib.decompress(row["data"])])
        table = _table(ScanResultRow)
        for row in rows(self._engine, table, table.c.account_id == self._account_id):
            data = zlib.decompress(row["data"])  # a file nested too deeply has an empty summary
            result = msgspec.msgpack.decode(data) if data else None
            path = f"scan-results/{row['sha256']}.{row['made_by']}.json"
            yield from self._add(path, [msgspec.json.encode(result)])

    def _content(self, sha256: str) -> bytes | None:
        query = select(ContentRow.__table__).where(
            ContentRow.account_id == self._account_id, ContentRow.sha256 == sha256
        )
        with self._engine.connect() as connection:
            row = connection.execute(query).mappings().one_or_none()
        return _unpacked(row) if row is not None else None

    def _add(self, name: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        with self._zip.open(name, "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)
                if ready := self._outbox.taken():
                    yield ready
                give_way()
        if ready := self._outbox.taken():
            yield ready


def _table(model: Any) -> Any:
    return model.__table__


def _unpacked(row: Any) -> bytes:
    data = bytes(row["data"])
    return zlib.decompress(data) if row["packed"] else data
