"""Call the workspace endpoints of a service, and check its answers."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any, TypeVar
from urllib.parse import quote
from uuid import uuid4

import msgspec
from msgspec import UNSET, Meta, UnsetType
from urllib3.exceptions import HTTPError

from codeintel.client.answers import (
    ApiError,
    ConnectionFailed,
    StreamBroken,
    answer_bytes,
    answer_object,
    api_error,
    is_event_stream,
    not_ours,
)
from codeintel.client.api import EVENTS, READ_BYTES, Client, Method
from codeintel.client.sse import EventTooLarge, SseParser
from codeintel.client.workspaces.disk import MAX_ARCHIVE_BYTES, BadContent, unpacked
from codeintel.contracts.workspaces.paths import BRIDGE_PATH, path_problems
from codeintel.contracts.workspaces.records import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    FileEntry,
    ProofState,
    ProofStatus,
    SkippedFile,
)

SessionId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
Revision = Annotated[int, Meta(ge=1, le=2**53)]
SYNC = "/api/workspace/sync"
SEND_PAUSES = (0.2, 1.0, 3.0)
"""Seconds before each attempt to repeat a push after the connection was lost."""
LONGEST_PAUSE = 30.0
ALONE = 16
"""More files than this are downloaded as an archive."""
PROOF_ENDED = frozenset(
    {ProofState.PASSED, ProofState.FAILED, ProofState.INCOMPLETE, ProofState.SKIPPED}
)
_PASSING = frozenset({502, 503, 504})
T = TypeVar("T")
_JSON_BODY = {"Content-Type": "application/json"}


class Counts(msgspec.Struct, frozen=True):
    """The outcome of a push: the number of stored and unchanged files, and the skipped files."""

    stored: int
    unchanged: int
    skipped: tuple[SkippedFile, ...] = ()


class Pushed(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The answer to a push. `bridge` is the content of the bridge file, in any form."""

    session_id: SessionId
    revision: Revision
    environment_url: str
    editor_uri: str
    reports_url: str
    proof_loop: ProofStatus
    bridge: dict[str, Any]
    files: Counts


class ReportedFinding(msgspec.Struct, frozen=True):
    """A finding with its file. `comparison` with the previous report is unset in a first report."""

    path: str
    finding: dict[str, Any]
    comparison: str | UnsetType = UNSET


class ProofSummary(msgspec.Struct, frozen=True):
    """The changes since the report on the revision `against`. Null in a first report."""

    new: int | None = None
    fixed: int | None = None
    same: int | None = None
    against: int | None = None


class ProofReport(msgspec.Struct, frozen=True):
    """The report on a revision."""

    summary: ProofSummary
    findings: tuple[ReportedFinding, ...]


class Session(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session."""

    session_id: SessionId
    name: str
    local_root_name: str
    branch_name: str
    remote_url: str
    revision: Revision
    environment_url: str
    editor_uri: str
    reports_url: str


class Differences(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between two revisions."""

    changed: list[FileEntry]
    deleted: list[str]

    def without_bridge(self) -> Differences:
        """Return the differences without the bridge file, which changes in each revision."""
        return Differences(
            changed=[entry for entry in self.changed if entry.path != BRIDGE_PATH],
            deleted=[path for path in self.deleted if path != BRIDGE_PATH],
        )


class RevisionNumber(msgspec.Struct, frozen=True):
    """The number of the revision."""

    number: Revision


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session at one of its revisions."""

    session: Session
    revision: RevisionNumber
    proof_loop: ProofStatus
    bridge: dict[str, Any]
    files: list[FileEntry]

    def by_path(self) -> dict[str, FileEntry]:
        """Return the files by path, without the bridge file.

        :raises ValueError: if a workspace cannot have these files. The text names the file and the
            reason.
        """
        files = {entry.path: entry for entry in self.files if entry.path != BRIDGE_PATH}
        for problem in path_problems(files):
            raise ValueError(f"it lists {problem.path} ({problem.reason})")
        if len(files) > MAX_FILES or sum(e.size for e in files.values()) > MAX_TOTAL_BYTES:
            raise ValueError("it lists more than a workspace may have")
        for entry in files.values():
            if not 0 <= entry.size <= MAX_FILE_BYTES:
                raise ValueError(f"it lists {entry.path} with {entry.size:,} bytes")
        return files

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 digests by path, without the bridge file."""
        return {entry.path: entry.sha256 for entry in self.files if entry.path != BRIDGE_PATH}

    def as_pushed(self) -> Pushed:
        """Return the answer that a push of these files would get."""
        session = self.session
        return Pushed(
            session_id=session.session_id,
            revision=self.revision.number,
            environment_url=session.environment_url,
            editor_uri=session.editor_uri,
            reports_url=session.reports_url,
            proof_loop=self.proof_loop,
            bridge=self.bridge,
            files=Counts(0, len(self.digests())),
        )


class WorkspaceClient(Client):
    """Calls the workspaces of one service, with a key of the scope `workspace:write`."""

    def push(self, body: bytes) -> Pushed:
        """Push a workspace once. After a lost connection, the request is repeated with the same
        `Idempotency-Key`.

        :param body: JSON of a :class:`codeintel.workspaces.requests.SyncBody`.
        :raises ApiError: if the service refuses. `ConnectionFailed` if it cannot be reached.
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
        raise AssertionError  # the last attempt returns or raises

    def snapshot(self, session_id: str, revision: int | None = None) -> Snapshot:
        """Return a session with the files of a revision, by default the newest.

        :raises ApiError: also for an invalid answer.
        """
        query = "" if revision is None else f"?revision={revision}"
        return self._shape(self._answer("GET", f"{_at(session_id)}{query}"), Snapshot)

    def changes(self, session_id: str, since: int, revision: int) -> Differences:
        """Return the differences between two revisions of a session, without the bridge file."""
        query = f"since={since}&revision={revision}"
        answer = self._answer("GET", f"{_at(session_id)}/changes?{query}")
        return self._shape(answer, Differences).without_bridge()

    def contents(
        self,
        session_id: str,
        revision: int,
        files: Iterable[FileEntry],
    ) -> dict[str, bytes]:
        """Return the contents of files of a revision by digest, and check each digest.

        :raises BadContent: if a content is missing or does not match.
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
        """Return the state of the proof loop for the newest revision."""
        return self._shape(self._answer("GET", f"{_at(session_id)}/proof"), ProofStatus)

    def request_proof(self, session_id: str) -> ProofStatus:
        """Start an analysis of the newest revision."""
        return self._shape(
            self._answer("POST", f"{_at(session_id)}/proof", b"{}", _JSON_BODY), ProofStatus
        )

    def follow_proof(self, session_id: str) -> Iterator[ProofStatus]:
        """Yield the current status and each change, until the proof ends. Reconnect if the stream
        of events breaks off.

        :raises StreamBroken: if the service accepts no further stream.
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
        """Return the report of the proof loop on a revision."""
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


def _asked_for(error: ApiError | ConnectionFailed) -> float:
    """Return the number of seconds to wait that the service sent, up to a command's limit."""
    asked = error.retry_after if isinstance(error, ApiError) else None
    return min(asked or 0.0, LONGEST_PAUSE)


def report_path(session_id: str, revision: int) -> str:
    """Return the path of the report on a revision."""
    return f"{_at(session_id)}/report?revision={revision}"


def _at(session_id: str) -> str:
    return f"/api/workspace/{quote(session_id, safe='')}"


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
