"""Scans in the database: their files, the contents until the run ends, and results to reuse."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, delete, func, insert, or_, select, update

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import give_way
from codeintel.base.wording import size as in_words
from codeintel.contracts import Model
from codeintel.contracts.scans.records import Cause, ExcludedFile, FoundFile
from codeintel.contracts.states import RunState
from codeintel.identity import ledger
from codeintel.identity.accounts import account_deleted, is_open
from codeintel.platform.db.models import RunRow, now_ms
from codeintel.platform.db.statements import insert_into
from codeintel.platform.db.writer import Writer
from codeintel.runs import idempotency
from codeintel.runs.idempotency import RequestKey
from codeintel.runs.scans.results import ResultKey
from codeintel.runs.scans.tables import ScanContentRow, ScanResultRow, ScanRow
from codeintel.runs.store import Repeated

EXPIRES_MS = 3600 * 1000
"""How long a scan waits for its start."""
MAX_WAITING = 10
"""Maximum number of scans of an account that have not ended."""
AT_ONCE = 500
PIECE_BYTES = 1024 * 1024
"""Bytes that are written in one transaction, because the writer lets no other greenlet run
meanwhile.
"""
PACKED_AT_ONCE = 512 * 1024
"""Bytes of a list of files that are compressed without a pause."""
MARGIN_MS = 2 * EXPIRES_MS
"""Results that expire sooner count as missing, because a scan must not lose them while it waits."""
T = TypeVar("T")


class Listing(msgspec.Struct, frozen=True):
    """The files of a scan, and those that its client excludes.

    `needed` are the positions of the files whose contents the scan needs, one for each content.
    `more_causes` and `more_skipped` count excluded files that `left_out` has no room for.
    """

    files: tuple[FoundFile, ...]
    left_out: tuple[ExcludedFile, ...] = ()
    more_causes: dict[Cause, int] = {}
    more_skipped: int = 0
    needed: tuple[int, ...] | None = None

    @property
    def needed_digests(self) -> list[str]:
        """The digests of the contents that the scan needs, in the order of the files."""
        if self.needed is None:  # requested from an earlier version of the service
            return list(dict.fromkeys(file.sha256 for file in self.files))
        return [self.files[position].sha256 for position in self.needed]


class ScanRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The row of a scan, without its files."""

    id: str
    account_id: str
    model: Model
    name: str
    source: str | None
    files: int
    created_ms: int

    @property
    def expires_ms(self) -> int:
        """When the scan is deleted if it has not started, in milliseconds since 1970."""
        return self.created_ms + EXPIRES_MS


class ScanStore:
    """The scans of all accounts.

    :param most_bytes: the maximum size of an account's contents.
    """

    def __init__(self, engine: Engine, writer: Writer, most_bytes: int) -> None:
        self._engine = engine
        self._writer = writer
        self._most_bytes = most_bytes

    def add(
        self, scan: ScanRecord, listing: Listing, key: RequestKey | None
    ) -> Repeated | ServiceError | None:
        """Store a scan with its request's key.

        Return None if it is stored. Otherwise nothing is.
        """
        packed = _packed(msgspec.json.encode(listing))

        def work(connection: Connection) -> Repeated | ServiceError | None:
            ledger.lock(connection, scan.account_id)  # before the key, as for runs
            if not is_open(connection, scan.account_id):
                return account_deleted()
            if key is not None and not idempotency.claim(connection, key, scan.id):
                return Repeated()
            mine = select(func.count()).where(ScanRow.account_id == scan.account_id)
            if (connection.scalar(mine) or 0) >= MAX_WAITING:
                if key is not None:
                    idempotency.unclaim(connection, key)
                return _too_many()
            values = msgspec.structs.asdict(scan)
            connection.execute(insert(ScanRow).values({**values, "listing": packed}))
            return None

        return self._writer.run(work, order=scan.account_id)

    def find(self, scan_id: str, account_id: str) -> ScanRecord | None:
        """Return an account's scan that has not ended, or None."""
        columns = [getattr(ScanRow, name) for name in ScanRecord.__struct_fields__]
        query = select(*columns).where(ScanRow.id == scan_id, ScanRow.account_id == account_id)
        with self._engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        return ScanRecord(**{**row._mapping, "model": Model(row.model)})

    def listing(self, scan_id: str) -> Listing:
        """Return the files of a scan. A scan that has ended has none."""
        with self._engine.connect() as connection:
            packed = connection.scalar(select(ScanRow.listing).where(ScanRow.id == scan_id))
        if packed is None:
            return Listing(())
        return msgspec.json.decode(_unpacked(packed), type=Listing)

    def replace_listing(self, scan: ScanRecord, listing: Listing) -> None:
        """Store another list of the files that the scan needs."""
        packed = _packed(msgspec.json.encode(listing))
        statement = update(ScanRow).where(ScanRow.id == scan.id).values(listing=packed)
        self._writer.run(partial(_execute, statement=statement), order=scan.account_id)

    def sent(self, scan_id: str, digests: Iterable[str]) -> set[str]:
        """Return which contents were sent."""
        found: set[str] = set()
        for some in in_parts(digests):
            query = select(ScanContentRow.sha256).where(
                ScanContentRow.scan_id == scan_id, ScanContentRow.sha256.in_(some)
            )
            with self._engine.connect() as connection:
                found.update(connection.scalars(query))
            give_way()
        return found

    def count_sent(self, scan_id: str) -> int:
        """Return the number of contents that were sent."""
        query = select(func.count()).where(ScanContentRow.scan_id == scan_id)
        with self._engine.connect() as connection:
            return connection.scalar(query) or 0

    def store(self, scan: ScanRecord, contents: Mapping[str, bytes]) -> ServiceError | None:
        """Store contents by their digests.

        Return the error if the account has sent too much, or if the scan has ended.
        """
        for piece in _pieces(contents):
            refused = self._writer.run(
                partial(self._store, scan=scan, piece=piece), order=scan.account_id
            )
            if refused is not None:
                return refused
        return None

    def _store(
        self, connection: Connection, scan: ScanRecord, piece: Sequence[tuple[str, int, bytes]]
    ) -> ServiceError | None:
        ledger.lock(connection, scan.account_id)
        if connection.scalar(select(ScanRow.id).where(ScanRow.id == scan.id)) is None:
            return ServiceError(ErrorCode.NOT_FOUND, "The scan has ended or expired.")
        mine = select(func.coalesce(func.sum(ScanContentRow.size), 0)).where(
            ScanContentRow.account_id == scan.account_id
        )
        stored, needed = int(connection.scalar(mine) or 0), sum(size for _, size, _ in piece)
        if stored + needed > self._most_bytes:
            return _too_much(self._most_bytes, stored, needed)
        rows = [
            {
                "scan_id": scan.id,
                "sha256": sha256,
                "account_id": scan.account_id,
                "size": size,
                "data": data,
            }
            for sha256, size, data in piece
        ]
        connection.execute(insert_into(connection, ScanContentRow).on_conflict_do_nothing(), rows)
        return None

    def read(self, scan_id: str, sha256: str) -> str:
        """Return a content that was sent.

        :raises ValueError: if it was not sent.
        """
        query = select(ScanContentRow.data).where(
            ScanContentRow.scan_id == scan_id, ScanContentRow.sha256 == sha256
        )
        with self._engine.connect() as connection:
            data = connection.scalar(query)
        if data is None:
            raise ValueError("its content was not sent")
        return zlib.decompress(data).decode()

    def delete(self, scan_id: str, account_id: str) -> None:
        """Delete a scan with its contents, a few in each transaction."""
        some = select(ScanContentRow.sha256).where(ScanContentRow.scan_id == scan_id).limit(AT_ONCE)
        contents = delete(ScanContentRow).where(
            ScanContentRow.scan_id == scan_id, ScanContentRow.sha256.in_(some)
        )
        while self._writer.run(partial(_execute, statement=contents), order=account_id):
            give_way()

        def end(connection: Connection) -> None:
            ledger.lock(connection, account_id)  # a content may arrive now
            connection.execute(delete(ScanContentRow).where(ScanContentRow.scan_id == scan_id))
            connection.execute(delete(ScanRow).where(ScanRow.id == scan_id))

        self._writer.run(end, order=account_id)

    def sweep(self) -> int:
        """Delete scans whose run has ended, and scans that did not start in time.

        Return their number.
        """
        old = RunRow.id.is_(None) & (ScanRow.created_ms < now_ms() - EXPIRES_MS)
        query = (
            select(ScanRow.id, ScanRow.account_id)
            .outerjoin(RunRow, RunRow.id == ScanRow.id)
            .where(or_(old, RunRow.state != RunState.RUNNING))
            .limit(AT_ONCE)
        )
        with self._engine.connect() as connection:
            found = connection.execute(query).all()
        for scan_id, account_id in found:
            self.delete(scan_id, account_id)
        return len(found)


class StoredResults:
    """The results of one account, as :class:`codeintel.runs.scans.results.ResultStore` has them.

    No account gets the results of another, because they would reveal that it has the same code.

    :param seconds: how long results are kept.
    """

    def __init__(self, engine: Engine, writer: Writer, account_id: str, seconds: float) -> None:
        self._engine = engine
        self._writer = writer
        self._account_id = account_id
        self._kept_ms = int(seconds * 1000)

    def get(self, keys: Sequence[ResultKey]) -> Mapping[ResultKey, bytes]:
        """Return the stored results."""
        return {
            ResultKey(sha256, made_by): zlib.decompress(data)
            for sha256, made_by, data in self._rows(keys, 0, ScanResultRow.data)
        }

    def put(self, results: Mapping[ResultKey, bytes]) -> None:
        """Store results. A result of another process stays."""
        for some in in_parts(results.items()):
            rows = [
                {
                    "account_id": self._account_id,
                    "sha256": key.sha256,
                    "made_by": key.made_by,
                    "data": zlib.compress(data, 1),
                    "stored_ms": now_ms(),
                }
                for key, data in some
            ]
            self._writer.run(partial(self.insert, rows=rows), order=self._account_id)

    def insert(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        """Store rows in a transaction. Rows that another process has stored stay."""
        if rows:
            statement = insert_into(connection, ScanResultRow).on_conflict_do_nothing()
            connection.execute(statement, list(rows))

    def known(self, keys: Sequence[ResultKey], *, starts: bool = False) -> set[ResultKey]:
        """Return the keys of results that are there long enough for a scan that starts late.

        :param starts: the scan starts now, so it needs them half as long.
        """
        margin_ms = min(MARGIN_MS, self._kept_ms // 2) // (2 if starts else 1)
        since_ms = max(0, now_ms() - self._kept_ms + margin_ms)
        return {
            ResultKey(sha256, made_by)
            for sha256, made_by, _ in self._rows(keys, since_ms, ScanResultRow.stored_ms)
        }

    def _rows(self, keys: Sequence[ResultKey], since_ms: int, column: Any) -> Iterator[Any]:
        by: dict[str, list[str]] = {}
        for key in keys:
            by.setdefault(key.made_by, []).append(key.sha256)
        for made_by, digests in by.items():
            for some in in_parts(digests):
                query = select(ScanResultRow.sha256, ScanResultRow.made_by, column).where(
                    ScanResultRow.account_id == self._account_id,
                    ScanResultRow.made_by == made_by,
                    ScanResultRow.sha256.in_(some),
                    ScanResultRow.stored_ms >= since_ms,
                )
                with self._engine.connect() as connection:
                    rows = connection.execute(query).all()
                yield from rows
                give_way()


def in_parts(items: Iterable[T], size: int = AT_ONCE) -> Iterator[list[T]]:
    """Yield the items in lists that fit into one statement."""
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part


def _packed(data: bytes) -> bytes:
    """Compress a long list with pauses for other greenlets."""
    packer = zlib.compressobj(1)
    parts = []
    for start in range(0, len(data), PACKED_AT_ONCE):
        parts.append(packer.compress(data[start : start + PACKED_AT_ONCE]))
        give_way()
    return b"".join((*parts, packer.flush()))


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    parts = []
    while data and not unpacker.eof:
        parts.append(unpacker.decompress(data, PACKED_AT_ONCE))
        data = unpacker.unconsumed_tail
        give_way()
    return b"".join((*parts, unpacker.flush()))


def _pieces(contents: Mapping[str, bytes]) -> Iterator[list[tuple[str, int, bytes]]]:
    """Yield digests, sizes and compressed contents, in pieces of about a megabyte."""
    piece: list[tuple[str, int, bytes]] = []
    size = 0
    for sha256, data in contents.items():
        packed = zlib.compress(data, 1)
        piece.append((sha256, len(data), packed))
        size += len(packed)
        if size >= PIECE_BYTES or len(piece) >= AT_ONCE:
            yield piece
            piece, size = [], 0
        give_way()
    if piece:
        yield piece


def _execute(connection: Connection, statement: Any) -> int:
    return connection.execute(statement).rowcount


def _too_many() -> ServiceError:
    return ServiceError(
        ErrorCode.STORAGE_LIMIT_EXCEEDED,
        f"The account has {MAX_WAITING} scans that have not ended. Wait for one to end. Scans that "
        "did not start are deleted after an hour.",
        details={"limit": MAX_WAITING},
    )


def _too_much(limit: int, stored: int, needed: int) -> ServiceError:
    return ServiceError(
        ErrorCode.STORAGE_LIMIT_EXCEEDED,
        f"The contents of an account's scans may have {in_words(limit)} together. Wait until "
        "another scan ends, or scan fewer files.",
        details={"limit": limit, "stored": stored, "needed": needed},
    )
