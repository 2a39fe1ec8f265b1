"""The workspaces of a service. What it answers is checked before it is used."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import quote
from uuid import uuid4

import msgspec
from urllib3.exceptions import HTTPError

from codeintel.client.answers import (
    answer_bytes,
    answer_object,
    api_error,
    is_event_stream,
    not_ours,
)
from codeintel.client.api import EVENTS, READ_BYTES, Client, Method
from codeintel.client.errors import ApiError, ConnectionFailed, StreamBroken
from codeintel.client.sse import EventTooLarge, SseParser
from codeintel.client.workspaces.answers import Differences, ProofReport, Pushed, Snapshot
from codeintel.client.workspaces.archive import MAX_ARCHIVE_BYTES, BadContent, unpacked
from codeintel.contracts.workspaces.records import FileEntry, ProofState, ProofStatus

SYNC = "/api/workspace/sync"
SEND_PAUSES = (0.2, 1.0, 3.0)
"""Seconds before each try to send a push again after the connection was lost."""
LONGEST_PAUSE = 30.0
ALONE = 16
"""More files than this are fetched in one archive."""
PROOF_ENDED = frozenset(
    {ProofState.PASSED, ProofState.FAILED, ProofState.INCOMPLETE, ProofState.SKIPPED}
)
_PASSING = frozenset({502, 503, 504})
T = TypeVar("T")


class WorkspaceClient(Client):
    """Calls the workspaces of one service, with a key of the scope `workspace:write`."""

    def push(self, body: bytes) -> Pushed:
        """Push a workspace, once: what is sent again after a lost connection has the same
        `Idempotency-Key`.

        :param body: JSON of a :class:`codeintel.workspaces.requests.SyncBody`.
        :raises ApiError: if the service refuses; `ConnectionFailed` if it cannot be reached.
        """
        headers = {"Idempotency-Key": str(uuid4()), "Content-Type": "application/json"}
        for pause in (*SEND_PAUSES, None):
            try:
                answer = self._answer("POST", SYNC, body, headers)
            except (ApiError, ConnectionFailed) as error:
                passing = isinstance(error, ConnectionFailed) or error.status in _PASSING
                if pause is None or not passing:
                    raise
                time.sleep(max(pause, _asked_for(error)))
            else:
                return self._shape(answer, Pushed)
        raise AssertionError  # the last try returns or raises

    def snapshot(self, session_id: str, revision: int | None = None) -> Snapshot:
        """A session with the files of a revision, the newest for None.

        :raises ApiError: also if the answer makes no sense.
        """
        query = "" if revision is None else f"?revision={revision}"
        return self._shape(self._answer("GET", f"{_at(session_id)}{query}"), Snapshot)

    def changes(self, session_id: str, since: int, revision: int) -> Differences:
        """What lies between two revisions of a session, without the bridge file."""
        query = f"since={since}&revision={revision}"
        answer = self._answer("GET", f"{_at(session_id)}/changes?{query}")
        return self._shape(answer, Differences).without_bridge()

    def contents(
        self,
        session_id: str,
        revision: int,
        files: Iterable[FileEntry],
    ) -> dict[str, bytes]:
        """The bytes of files of a revision by digest, each proven by it.

        :raises BadContent: if one was not sent, or another one was.
        """
        wanted = list({entry.sha256: entry for entry in files if entry.size}.values())
        by_digest = {hashlib.sha256(b"").hexdigest(): b""}
        if len(wanted) > ALONE:
            path = f"{_at(session_id)}/archive.zip?revision={revision}"
            by_digest |= unpacked(self._bytes(path, MAX_ARCHIVE_BYTES))
        else:
            for entry in wanted:
                path = quote(entry.path.removeprefix("/"), safe="/")
                address = f"{_at(session_id)}/files/{path}?revision={revision}"
                data = self._bytes(address, entry.size)
                by_digest[hashlib.sha256(data).hexdigest()] = data
        for entry in wanted:
            if len(by_digest.get(entry.sha256, b"")) != entry.size:
                raise BadContent(f"The service did not send {entry.path} as it had listed it.")
        return by_digest

    def proof(self, session_id: str) -> ProofStatus:
        """How the proof loop stands with the newest revision."""
        return self._shape(self._answer("GET", f"{_at(session_id)}/proof"), ProofStatus)

    def request_proof(self, session_id: str) -> ProofStatus:
        """Have the newest revision analysed now."""
        return self._shape(
            self._answer("POST", f"{_at(session_id)}/proof", b"{}", _JSON_BODY), ProofStatus
        )

    def follow_proof(self, session_id: str) -> Iterator[ProofStatus]:
        """The status now and each time that it changes, up to an end. Where the stream of events
        breaks off, another one is asked for.

        :raises StreamBroken: if none can be had any more.
        """
        status = self.proof(session_id)
        yield status
        fruitless = 0
        while status.status not in PROOF_ENDED:
            before = status
            with suppress(StreamBroken, ConnectionFailed):
                for status in self._proof_events(session_id):
                    yield status
            if status.status in PROOF_ENDED:
                return
            fruitless = fruitless + 1 if status == before else 0
            if fruitless > len(self._pauses):
                raise StreamBroken("The connection is lost; the proof loop goes on without it.")
            time.sleep(self._pauses[max(fruitless - 1, 0)])
            with suppress(ConnectionFailed):
                status = self.proof(session_id)
                yield status

    def report(self, session_id: str, revision: int) -> ProofReport:
        """What the proof loop has found in a revision."""
        return self._shape(self._answer("GET", report_path(session_id, revision)), ProofReport)

    def _proof_events(self, session_id: str) -> Iterator[ProofStatus]:
        parser = SseParser()
        address = f"{_at(session_id)}/proof/events"
        with self._asked("GET", address, EVENTS) as response:
            if not is_event_stream(response):
                raise api_error(response, self.url)
            while True:
                try:
                    chunk: bytes = response.raw.read1(READ_BYTES, decode_content=True)
                    events = parser.feed(chunk)
                except (HTTPError, EventTooLarge) as error:
                    raise StreamBroken("The connection was lost.", is_lost=True) from error
                if not chunk:
                    return
                for event in events:
                    status = self._shape(_decoded(event.data), ProofStatus)
                    yield status
                    if status.status in PROOF_ENDED:
                        return

    def _bytes(self, path: str, most: int) -> bytes:
        with self._asked("GET", path, {"Accept": "*/*"}) as response:
            return answer_bytes(response, self.url, most)

    def _answer(
        self,
        method: Method,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        sent = {"Accept": "application/json", **(headers or {})}
        with self._asked(method, path, sent, body) as response:
            return answer_object(response, self.url)

    def _shape(self, answer: Any, type_: type[T]) -> T:
        try:
            return msgspec.convert(answer, type_)
        except msgspec.ValidationError:
            raise not_ours(self.url) from None


_JSON_BODY = {"Content-Type": "application/json"}


def _asked_for(error: ApiError | ConnectionFailed) -> float:
    """Seconds that the service asks to wait, as far as a command waits for."""
    asked = error.retry_after if isinstance(error, ApiError) else None
    return min(asked or 0.0, LONGEST_PAUSE)


def report_path(session_id: str, revision: int) -> str:
    """Where the report on a revision is."""
    return f"{_at(session_id)}/report?revision={revision}"


def _at(session_id: str) -> str:
    return f"/api/workspace/{quote(session_id, safe='')}"


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
