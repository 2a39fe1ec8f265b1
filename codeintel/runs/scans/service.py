"""Scans as a service: requested, filled with contents, started once, and followed."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from sqlalchemy import Engine

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import letting_others_run
from codeintel.base.timestamps import from_milliseconds
from codeintel.base.wording import counted
from codeintel.contracts import Engine as AnalysisEngine
from codeintel.contracts.languages import canonical_language
from codeintel.contracts.scans.records import MAX_SCAN_BYTES, FoundFile
from codeintel.contracts.scans.requests import ScanRequest, ScanTicket
from codeintel.contracts.states import RunSource
from codeintel.identity.auth.caller import Caller
from codeintel.identity.ledger import Price, read_balance, repository_price
from codeintel.platform.config import Settings
from codeintel.platform.db.models import new_id, now_ms
from codeintel.platform.db.writer import Writer
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.events.log import RunLog
from codeintel.runs.idempotency import RequestKey
from codeintel.runs.listing import RunOrigin
from codeintel.runs.planning import Tools
from codeintel.runs.queries import RunReader
from codeintel.runs.run import Run
from codeintel.runs.scans.plan import ScanPlan, ScanTask
from codeintel.runs.scans.scanner import NoEngineError, Scanner
from codeintel.runs.scans.storage import Listing, ScanRecord, ScanStore, StoredResults
from codeintel.runs.service import RunService, insufficient
from codeintel.runs.store import Repeated

ROUTE = "scan start"
"""The route of the key that lets one process start a scan."""
EXPECTED_SCANS = 4
"""Scans whose expected contents stay in memory, the latest ones."""
LEAST = 2
"""Credits for a scan that did not end but has sent results."""


class _Expected(NamedTuple):
    """The contents of a scan: the sizes of all by their digests, and the needed ones."""

    sizes: dict[str, int]
    needed: frozenset[str]


class Scans:
    """The scans of a service."""

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        settings: Settings,
        registry: Registry,
        pool: AnalyzerPool,
        runs: RunService,
        reader: RunReader,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._settings = settings
        self._registry = registry
        self._pool = pool
        self._runs = runs
        self._reader = reader
        self._store = ScanStore(engine, writer, settings.scan_bytes)
        self._expected: dict[str, _Expected] = {}

    def request(
        self, caller: Caller, body: ScanRequest, key: RequestKey | None, origin: RunOrigin
    ) -> ScanTicket | Repeated:
        """Store a scan, and return which contents are missing.

        :raises ServiceError: `invalid_request`, `insufficient_credits`, `overloaded` or
            `storage_limit_exceeded`, without any effect.
        """
        listing = Listing(_checked(body.files), body.left_out, body.more_causes, body.more_skipped)
        self._check_balance(caller, repository_price(len(listing.files)))
        record = ScanRecord(
            id=new_id("run"),
            account_id=caller.account_id,
            model=body.model,
            name=origin.file,
            source=origin.source,
            files=len(listing.files),
            created_ms=now_ms(),
        )
        listing = msgspec.structs.replace(listing, needed=self._needed(record, listing))
        ticket = _ticket(record, listing.needed_digests)
        refused = self._store.add(record, listing, key)
        if isinstance(refused, ServiceError):
            raise refused
        return refused or ticket

    def requested(self, caller: Caller, key: RequestKey) -> ScanTicket | None:
        """Return the scan that a request has stored when it was first sent, or None.

        :raises ServiceError: `idempotency_conflict` if the key was used with a different body.
        """
        scan_id = self._reader.under(key)
        if scan_id is None:
            return None
        record = self._store.find(scan_id, caller.account_id)
        if record is None or self._runs.records.find(scan_id) is not None:
            run = self._reader.find(caller, scan_id)  # it has started: nothing is missing
            return ScanTicket(
                run_id=run.id,
                missing=(),
                price=run.price,
                expires_at=from_milliseconds(run.created_ms),
            )
        needed = self._store.listing(scan_id).needed_digests
        sent = self._store.sent(scan_id, needed)
        return _ticket(record, [each for each in needed if each not in sent])

    def send(self, caller: Caller, scan_id: str, texts: Sequence[str]) -> int:
        """Store contents, and return the number of contents that are still missing.

        Contents that the scan does not need, because their results are stored, are not stored.

        :raises ServiceError: `not_found`; `invalid_request` for a content of no file of the scan,
            or of another size than its file; `storage_limit_exceeded`.
        """
        record = self._find(caller, scan_id)
        sizes, needed = self._expected_of(scan_id)
        contents: dict[str, bytes] = {}
        for number, text in enumerate(letting_others_run(texts)):
            data = text.encode()
            digest = hashlib.sha256(data).hexdigest()
            if digest not in sizes:
                raise _unknown_content(number)
            if len(data) != sizes[digest]:
                raise _other_size(number, len(data), sizes[digest])
            contents[digest] = data
        if not needed.issuperset(contents):  # a start at another process may have found more
            del self._expected[scan_id]
            _, needed = self._expected_of(scan_id)
        contents = {digest: data for digest, data in contents.items() if digest in needed}
        sent = self._store.sent(scan_id, contents)
        new = {digest: data for digest, data in contents.items() if digest not in sent}
        refused = self._store.store(record, new)
        if refused is not None:
            raise refused
        return max(0, len(needed) - self._store.count_sent(scan_id))

    def _expected_of(self, scan_id: str) -> _Expected:
        """Return the contents of a scan. Those of a few recent scans stay in memory.

        They hardly change, so requests need not decode the list of files each time.
        """
        expected = self._expected.pop(scan_id, None)
        if expected is None:
            listing = self._store.listing(scan_id)
            sizes = {file.sha256: file.size for file in letting_others_run(listing.files)}
            expected = _Expected(sizes, frozenset(listing.needed_digests))
        self._expected[scan_id] = expected
        while len(self._expected) > EXPECTED_SCANS:
            del self._expected[next(iter(self._expected))]
        return expected

    def start(self, caller: Caller, scan_id: str, after: int) -> RunLog:
        """Start the run of a scan, unless it has started, and return its log.

        :param after: the number of the last event that the reader has.
        :raises ServiceError: `not_found`, `contents_missing`, `insufficient_credits`, `overloaded`,
            `draining`, or as :meth:`codeintel.runs.queries.RunReader.events`.
        """
        started = self._runs.records.find(scan_id)
        if started is None or started.account_id != caller.account_id:
            record = self._find(caller, scan_id)
            self._expected.pop(scan_id, None)
            with self._runs.admission():
                plan = self._plan(caller, record)
                run = self._started(plan, record) if plan is not None else None
            if run is not None:
                return run.log
        return self._reader.events(self._reader.find(caller, scan_id), after)

    def _started(self, plan: ScanPlan, record: ScanRecord) -> Run | None:
        """Start a run. Return None if another process has started it."""
        source = RunSource(record.source) if record.source else None
        origin = RunOrigin(source=source, file=record.name)
        return self._runs.start(plan, _start_key(record), origin=origin)

    def drop(self, caller: Caller, scan_id: str) -> None:
        """Delete a scan that has not started, with its contents.

        :raises ServiceError: `not_found`.
        """
        record = self._find(caller, scan_id)
        self._expected.pop(scan_id, None)
        if self._runs.records.find(scan_id) is None:
            self._store.delete(record.id, record.account_id)

    def sweep(self) -> int:
        """Delete what ended and expired scans have left. Return their number."""
        return self._store.sweep()

    def _plan(self, caller: Caller, record: ScanRecord) -> ScanPlan | None:
        """Return the plan of a scan, or None if it was started or deleted meanwhile.

        :raises ServiceError: `contents_missing` or `overloaded`.
        """
        scanner = self._scanner(record.account_id)
        price = repository_price(record.files)
        listing = self._store.listing(record.id)
        if not listing.files:
            return None
        self._check_results(record, listing)
        return ScanPlan(
            id=record.id,
            caller=caller,
            engine=_engine(scanner, record),
            task=ScanTask(record.model, listing),
            price=Price(price, min(LEAST, price)),
            tools=Tools(self._pool, (), (), ()),
            scanner=scanner,
            read=partial(self._store.read, record.id),
            discard=partial(self._store.delete, record.id, record.account_id),
            limit=self._settings.scan_timeout,
            is_read_elsewhere=partial(self._is_read_elsewhere, record.id),
        )

    def _is_read_elsewhere(self, run_id: str) -> bool:
        shared = self._runs.shared
        return shared is not None and shared.is_read_elsewhere(run_id)

    def _scanner(self, account_id: str) -> Scanner:
        return Scanner(
            self._registry,
            self._pool,
            self._results(account_id),
            seconds=self._settings.run_timeout,
            excerpts=False,
        )

    def _results(self, account_id: str) -> StoredResults:
        return StoredResults(self._engine, self._writer, account_id, self._settings.scan_results)

    def _check_results(self, record: ScanRecord, listing: Listing) -> None:
        """Reject a start if results that the scan would reuse are gone since its request.

        Pushes delete results of old contents, and a new version of the service has other ones.

        :raises ServiceError: `contents_missing`, or `overloaded`.
        """
        more = self._needed(record, listing, asked=frozenset(listing.needed_digests))
        if not more:
            return
        needed = (*(listing.needed or ()), *more)
        self._store.replace_listing(record, msgspec.structs.replace(listing, needed=needed))
        raise _missing([listing.files[position].sha256 for position in more])

    def _needed(
        self, record: ScanRecord, listing: Listing, asked: Collection[str] | None = None
    ) -> tuple[int, ...]:
        """Return the positions of files without a stored result, one for each content.

        :param asked: contents that were requested before a start. They do not count.
        """
        places = [
            (position, file)
            for position, file in enumerate(letting_others_run(listing.files))
            if asked is None or file.sha256 not in asked
        ]
        try:
            files = letting_others_run(file for _, file in places)
            keys = self._scanner(record.account_id).keys(files, record.model)
        except NoEngineError as error:
            raise ServiceError(ErrorCode.OVERLOADED, str(error)) from None
        distinct = list(dict.fromkeys(key for some in letting_others_run(keys) for key in some))
        known = self._results(record.account_id).known(distinct, starts=asked is not None)
        first: dict[str, int] = {}
        for (position, file), some in zip(places, letting_others_run(keys), strict=True):
            if not known.issuperset(some):
                first.setdefault(file.sha256, position)
        return tuple(first.values())

    def _find(self, caller: Caller, scan_id: str) -> ScanRecord:
        record = self._store.find(scan_id, caller.account_id)
        if record is None or record.expires_ms < now_ms():
            raise _not_found()
        return record

    def _check_balance(self, caller: Caller, price: int) -> None:
        """Reject a scan that its account cannot pay, before it sends contents."""
        if caller.unlimited:
            return
        with self._engine.connect() as connection:
            balance = read_balance(connection, caller.account_id)
        if balance.available < price:
            raise insufficient(price, balance)


def _ticket(record: ScanRecord, missing: Sequence[str]) -> ScanTicket:
    return ScanTicket(
        run_id=record.id,
        missing=tuple(missing),
        price=repository_price(record.files),
        expires_at=from_milliseconds(record.expires_ms),
    )


def _engine(scanner: Scanner, record: ScanRecord) -> AnalysisEngine:
    try:
        return scanner.engine(record.model)
    except NoEngineError as error:
        raise ServiceError(ErrorCode.OVERLOADED, str(error)) from None


def _checked(files: Sequence[FoundFile]) -> tuple[FoundFile, ...]:
    """Return the files with canonical languages.

    :raises ServiceError: `invalid_request` for an invalid path, a path that is given twice, two
        sizes of one content, or too many bytes.
    """
    paths: set[str] = set()
    sizes: dict[str, int] = {}
    checked = []
    for number, file in enumerate(letting_others_run(files)):
        if not _is_relative(file.path) or file.path in paths:
            raise _invalid(number, "path", "must be relative, without `.` and `..`, and unique")
        if sizes.setdefault(file.sha256, file.size) != file.size:
            raise _invalid(number, "size", "differs from another file with the same content")
        paths.add(file.path)
        language = canonical_language(file.language) if file.language else None
        checked.append(msgspec.structs.replace(file, language=language))
    if sum(sizes.values()) > MAX_SCAN_BYTES:
        raise ServiceError(
            ErrorCode.INVALID_REQUEST,
            f"The files of a scan may have {MAX_SCAN_BYTES:,} bytes. Scan them in parts.",
            details={"path": "files", "limit": MAX_SCAN_BYTES},
        )
    return tuple(checked)


def _is_relative(path: str) -> bool:
    return "\0" not in path and {"", ".", ".."}.isdisjoint(path.split("/"))


def _invalid(number: int, name: str, what: str) -> ServiceError:
    return ServiceError(
        ErrorCode.INVALID_REQUEST,
        f"The {name} of a file is invalid: it {what}.",
        details={"path": f"files[{number}].{name}"},
    )


def _not_found() -> ServiceError:
    return ServiceError(ErrorCode.NOT_FOUND, "No such scan waits. It has ended or expired.")


def _missing(digests: list[str]) -> ServiceError:
    return ServiceError(
        ErrorCode.CONTENTS_MISSING,
        f"Results of {counted(len(digests), 'content')} are gone since the request. Send the "
        "contents, then start again.",
        details={"missing": digests},
    )


def _other_size(number: int, size: int, listed: int) -> ServiceError:
    return ServiceError(
        ErrorCode.INVALID_REQUEST,
        f"The content has {size:,} bytes, but its file was requested with {listed:,}.",
        details={"path": f"contents[{number}]", "size": size, "listed": listed},
    )


def _unknown_content(number: int) -> ServiceError:
    return ServiceError(
        ErrorCode.INVALID_REQUEST,
        "No file of the scan has this content. It may have changed since the request.",
        details={"path": f"contents[{number}]"},
    )


def _start_key(record: ScanRecord) -> RequestKey:
    digest = hashlib.sha256(record.id.encode()).hexdigest()
    return RequestKey(record.account_id, ROUTE, digest, digest)
