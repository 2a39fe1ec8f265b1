"""Scan a repository with a service: send what it lacks, and read the results as they arrive."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote
from uuid import uuid4

import msgspec
from msgspec import UNSET

from codeintel.client.answers import (
    ApiError,
    ConnectionFailed,
    StreamBroken,
    answer_data,
    api_error,
    not_ours,
)
from codeintel.client.api import Client
from codeintel.contracts import Model
from codeintel.contracts.scans.records import (
    CrossFileResult,
    ExcludedFile,
    FileResult,
    FoundFile,
    ScanResult,
    ScanSummary,
    by_importance,
)
from codeintel.contracts.scans.requests import (
    MAX_LEFT_OUT,
    MAX_NAME_CHARACTERS,
    ScanContents,
    ScanRequest,
    ScanTicket,
    StoredContents,
)

SCANS = "/api/v1/scans"
SENT_BYTES = 4 * 1024 * 1024
"""The size of a request with contents. A single content may be larger."""
SENT_AT_ONCE = 1_000
SEND_PAUSES = (0.2, 1.0, 3.0, 10.0)
"""Seconds before each attempt to repeat a request that found no service."""
LONGEST_PAUSE = 30.0
MAX_STARTS = 4
"""A start is rejected if the service has lost results meanwhile. Then their contents are sent."""
_PASSING = frozenset({502, 503, 504})
_JSON = {"Accept": "application/json", "Content-Type": "application/json"}
Read = Callable[[FoundFile], str]
"""Returns the content of a file. It raises OSError or ValueError if that is impossible."""
T = TypeVar("T")


class ScanProgress(msgspec.Struct, frozen=True):
    """A step of a scan. `done` and `total` count files, or contents while they are sent."""

    message: str
    done: int
    total: int


class ScanEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a scan. `state` is `completed`, `incomplete`, `failed` or `cancelled`.

    `reason` is a stable word and `message` a sentence; both are empty for a completed scan.
    """

    run_id: str
    state: str
    reason: str = ""
    message: str = ""
    credits_charged: int = 0


ScanItem = ScanProgress | FileResult | CrossFileResult | ScanSummary | ScanEnd


class ScanOptions(NamedTuple):
    """The options of a scan. `name` is for the list of runs, and `left_out` for the summary."""

    model: Model = Model.FLASH
    name: str = ""
    left_out: Sequence[ExcludedFile] = ()


_USUAL = ScanOptions()


class ScanClient(Client):
    """Scans repositories with a service."""

    def scan(
        self, files: Sequence[FoundFile], read: Read, options: ScanOptions = _USUAL
    ) -> Generator[ScanItem, None, None]:
        """Scan files, and yield progress and results as they arrive. The end is last.

        Lost connections are resumed. If you close the iterator, the service cancels the scan. A
        file that cannot be read has a result with a cause.

        :raises ApiError: if the service refuses.
        :raises ConnectionFailed: if it cannot be reached.
        :raises StreamBroken: if the stream ends before the scan does.
        """
        ticket = self.request_scan(files, options)
        run_id, missing = ticket.run_id, ticket.missing
        for attempt in range(MAX_STARTS):
            try:
                yield from self._send_missing(run_id, missing, files, read)
            except BaseException:
                with suppress(ApiError, ConnectionFailed):
                    self.drop_scan(run_id)
                raise
            try:
                yield from self.follow_scan(run_id)
            except ApiError as error:
                missing = _missing(error)
                if not missing or attempt == MAX_STARTS - 1:
                    raise
            else:
                return

    def request_scan(self, files: Sequence[FoundFile], options: ScanOptions = _USUAL) -> ScanTicket:
        """Announce a scan, and return which contents are missing. Nothing is charged yet.

        :raises ApiError: if the service refuses.
        :raises ConnectionFailed: if it cannot be reached.
        """
        left_out = by_importance(options.left_out)
        more = Counter(each.cause for each in left_out[MAX_LEFT_OUT:])
        body = ScanRequest(
            files=tuple(files),
            model=options.model,
            name=options.name[-MAX_NAME_CHARACTERS:],
            left_out=tuple(left_out[:MAX_LEFT_OUT]),
            more_causes={cause: number for cause, number in more.items() if cause is not UNSET},
            more_skipped=more[UNSET],
        )
        return self._insist(SCANS, body, ScanTicket, {"Idempotency-Key": str(uuid4())})

    def send_contents(self, run_id: str, texts: Iterable[str]) -> int:
        """Send contents of a scan, and return how many are missing."""
        body = ScanContents(contents=tuple(texts))
        return self._insist(f"{_at(run_id)}/contents", body, StoredContents).missing

    def drop_scan(self, run_id: str) -> None:
        """Delete a scan that has not started."""
        with self._asked("DELETE", _at(run_id)) as response:
            if response.status_code != 204:
                raise api_error(response, self.url)

    def follow_scan(self, run_id: str) -> Generator[ScanItem, None, None]:
        """Start a scan, or follow one that has started, and yield its results to its end."""
        for event in self._events_of_scan(run_id):
            yield from self._items(event)

    def _events_of_scan(self, run_id: str) -> Iterator[dict[str, Any]]:
        """Yield the events. A start that got no answer is repeated, because it is done once."""
        for pause in (*SEND_PAUSES, None):
            begun = False
            try:
                for event in self._followed("GET", f"{_at(run_id)}/stream"):
                    begun = True
                    yield event
            except (ApiError, ConnectionFailed, StreamBroken) as error:
                if begun or pause is None or not _is_passing(error):
                    raise
                time.sleep(max(pause, _asked_for(error)))
            else:
                return

    def _send_missing(
        self, run_id: str, missing: Sequence[str], files: Sequence[FoundFile], read: Read
    ) -> Iterator[ScanProgress]:
        by_digest: dict[str, FoundFile] = {}
        for file in files:
            by_digest.setdefault(file.sha256, file)
        total, done = len(missing), 0
        batch: list[str] = []
        size = 0
        for digest in missing:
            done += 1
            text = _text(by_digest.get(digest), read)
            if text is None:
                continue  # the service says so in the file's result
            if batch and (size + 2 * len(text) > SENT_BYTES or len(batch) >= SENT_AT_ONCE):
                self.send_contents(run_id, batch)
                yield ScanProgress("Sending files", done - 1, total)
                batch, size = [], 0
            batch.append(text)
            size += 2 * len(text)  # escapes in JSON may double it
        if batch:
            self.send_contents(run_id, batch)
        if total:
            yield ScanProgress("Sending files", total, total)

    def _items(self, event: dict[str, Any]) -> Iterator[ScanItem]:
        """Yield what an event says. Other events are ignored."""
        kind = event["type"]
        if kind == "progress" and isinstance(event.get("done"), int):
            yield self._shaped(event, ScanProgress)
        elif kind == "files":
            yield from self._shaped(event.get("files"), tuple[FileResult, ...])
        elif kind == "cross_file":
            yield self._shaped(event.get("crossFile"), CrossFileResult)
        elif kind == "result":
            yield self._shaped(event.get("result"), ScanResult).summary
        elif kind.startswith("run.") and kind != "run.created":
            yield ScanEnd(
                run_id=str(event.get("runId", "")),
                state=kind.removeprefix("run."),
                reason=str(event.get("reason", "")),
                message=str(event.get("message", "")),
                credits_charged=self._shaped(event.get("creditsCharged", 0), int),
            )

    def _insist(
        self,
        path: str,
        body: msgspec.Struct,
        type_: type[T],
        headers: dict[str, str] | None = None,
    ) -> T:
        """Send a request that may be repeated, and return its answer."""
        data = msgspec.json.encode(body)
        for pause in (*SEND_PAUSES, None):
            try:
                with self._asked("POST", path, _JSON | (headers or {}), data) as response:
                    answer: T = self._shaped(answer_data(response, self.url), type_)
                    return answer
            except (ApiError, ConnectionFailed) as error:
                if pause is None or not _is_passing(error):
                    raise
                time.sleep(max(pause, _asked_for(error)))
        raise AssertionError("the last attempt returns or raises")

    def _shaped(self, answer: Any, type_: Any) -> Any:
        try:
            return msgspec.convert(answer, type_)
        except msgspec.ValidationError:
            raise not_ours(self.url) from None


def _text(file: FoundFile | None, read: Read) -> str | None:
    if file is None:
        return None
    try:
        return read(file)
    except (OSError, ValueError):
        return None


def _missing(error: ApiError) -> tuple[str, ...]:
    """Return the contents that a rejected start asks for, or none for other errors."""
    missing = error.details.get("missing") if error.code == "contents_missing" else None
    return tuple(map(str, missing)) if isinstance(missing, list) else ()


def _is_passing(error: Exception) -> bool:
    """Return whether another attempt may succeed."""
    if isinstance(error, ApiError):
        return error.status in _PASSING
    return isinstance(error, ConnectionFailed) or (
        isinstance(error, StreamBroken) and error.is_lost
    )


def _asked_for(error: Exception) -> float:
    """Return the number of seconds to wait that the service sent, up to a limit."""
    asked = error.retry_after if isinstance(error, ApiError) else None
    return min(float(asked or 0), LONGEST_PAUSE)


def _at(run_id: str) -> str:
    return f"{SCANS}/{quote(run_id, safe='')}"
