"""Stored reports, as compressed JSON of up to 20,000 findings, and their states.

Writing or reading a large one without a break takes a fifth of a second. So both pause in between
to let other greenlets run.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
from msgspec import UNSET
from sqlalchemy import Engine, select

from codeintel.base.greenlets import Pace, letting_others_run
from codeintel.base.timestamps import from_milliseconds
from codeintel.contracts import Severity
from codeintel.contracts.states import OPEN
from codeintel.contracts.workspaces.records import ProofState, ProofStatus, SkippedFile
from codeintel.platform.db.models import now_ms
from codeintel.platform.jobs.store import JobRow
from codeintel.workspaces.proof.shapes import (
    HotSpot,
    LanguageShare,
    Manifest,
    Report,
    ReportedFinding,
    ReportSummary,
)
from codeintel.workspaces.proof.sweeping import UNDER_WAY, dead_reason
from codeintel.workspaces.revisions import ENDED
from codeintel.workspaces.tables import ReportRow, SessionRow

_STEP_BYTES = 256 * 1024
_encode = msgspec.json.Encoder().encode
_finding = msgspec.json.Decoder(ReportedFinding).decode
Findings = tuple[ReportedFinding, ...]
SUPERSEDED = "A newer revision arrived before this one was analyzed."
WITH_VERDICT = (ProofState.PASSED, ProofState.FAILED, ProofState.INCOMPLETE)
LATER_MS = 10_000
"""Waiting time in milliseconds beyond which a report shows when it will start."""
_STATUS = select(
    ReportRow.id,
    ReportRow.revision,
    ReportRow.state,
    ReportRow.reason,
    ReportRow.started_ms,
    ReportRow.finished_ms,
    JobRow.state.label("job_state"),
    JobRow.run_after_ms,
    JobRow.progress_done,
    JobRow.progress_total,
    JobRow.progress_note,
).outerjoin(JobRow, JobRow.id == ReportRow.job_id)


class Before(msgspec.Struct, frozen=True):
    """The part of a document that the next report is compared with."""

    summary: ReportSummary
    findings: Findings


class _Outline(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A report with undecoded findings. Its fields are those of :class:`Report`."""

    summary: ReportSummary
    engine: str
    findings: tuple[msgspec.Raw, ...]
    fixed: tuple[msgspec.Raw, ...]
    languages: tuple[LanguageShare, ...]
    hot_spots: tuple[HotSpot, ...]
    secrets: tuple[SkippedFile, ...]
    unchecked: tuple[SkippedFile, ...]
    manifests: tuple[Manifest, ...]
    trust_asked: bool
    notes: tuple[str, ...] = ()


class _BeforeOutline(msgspec.Struct, frozen=True):
    summary: ReportSummary
    findings: tuple[msgspec.Raw, ...]


def encoded(report: Report) -> bytes:
    """Return a report as JSON, with pauses."""
    parts = {
        name: tuple(msgspec.Raw(_encode(each)) for each in letting_others_run(found))
        for name, found in (("findings", report.findings), ("fixed", report.fixed))
    }
    fields = {name: getattr(report, name) for name in _Outline.__struct_fields__}
    return _encode(_Outline(**{**fields, **parts}))


def packed(report: Report) -> bytes:
    """Return a report in its stored form, with pauses."""
    data, packer, pace = memoryview(encoded(report)), zlib.compressobj(), Pace()
    pieces = []
    for start in range(0, len(data), _STEP_BYTES):
        pieces.append(packer.compress(data[start : start + _STEP_BYTES]))
        pace.pause()
    pieces.append(packer.flush())
    return b"".join(pieces)


def unpacked(document: bytes) -> Report:
    """Return the report in a stored document, the inverse of :func:`packed`, with pauses."""
    outline = msgspec.json.decode(_inflated(document), type=_Outline)
    fields = {name: getattr(outline, name) for name in _Outline.__struct_fields__}
    parts = {"findings": _findings(outline.findings), "fixed": _findings(outline.fixed)}
    return Report(**{**fields, **parts})


def unpacked_before(document: bytes) -> Before:
    """Return the part of a document that the next report is compared with, with pauses."""
    outline = msgspec.json.decode(_inflated(document), type=_BeforeOutline)
    return Before(outline.summary, _findings(outline.findings))


def _findings(raw: tuple[msgspec.Raw, ...]) -> Findings:
    return tuple(_finding(each) for each in letting_others_run(raw))


def _inflated(document: bytes) -> bytes:
    inflater, pace, pieces = zlib.decompressobj(), Pace(), []
    rest = document
    while rest:
        pieces.append(inflater.decompress(rest, _STEP_BYTES))
        rest = inflater.unconsumed_tail
        pace.pause()
    return b"".join([*pieces, inflater.flush()])


class ReportReader:
    """Reads the reports of all sessions."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def newest_revision(self, session_id: str) -> int | None:
        """Return the newest revision, or None for an unknown or deleted session."""
        query = select(SessionRow.revision).where(
            SessionRow.id == session_id, SessionRow.revision != ENDED
        )
        with self._engine.connect() as connection:
            return connection.scalar(query)

    def statuses(self, session_id: str) -> dict[int, ProofStatus]:
        """Return the states of all revisions with a report, by number."""
        query = _STATUS.where(ReportRow.session_id == session_id)
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(ReportRow.revision, ReportRow.created_ms))
            return {row.revision: _status(row) for row in rows}

    def status(self, session_id: str, revision: int) -> ProofStatus:
        """Return the state of a revision, by its last report."""
        query = (
            _STATUS.where(ReportRow.session_id == session_id, ReportRow.revision == revision)
            .order_by(ReportRow.created_ms.desc())
            .limit(1)
        )
        with self._engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return ProofStatus(status=ProofState.SKIPPED, revision=revision, reason=SUPERSEDED)
        return _status(row)

    def summaries(
        self, session_id: str, *, most_verdicts: int | None = None
    ) -> list[ReportSummary]:
        """Return all ended reports, the newest first.

        :param most_verdicts: return at most this number of reports, and none without a verdict.
        """
        query = (
            select(
                ReportRow.id,
                ReportRow.session_id,
                ReportRow.revision,
                ReportRow.state,
                ReportRow.reason,
                ReportRow.summary,
                ReportRow.created_ms,
                ReportRow.started_ms,
                ReportRow.finished_ms,
            )
            .where(ReportRow.session_id == session_id, ReportRow.state.not_in(UNDER_WAY))
            .order_by(ReportRow.revision.desc(), ReportRow.created_ms.desc())
        )
        if most_verdicts is not None:
            query = query.where(ReportRow.state.in_(WITH_VERDICT)).limit(most_verdicts)
        with self._engine.connect() as connection:
            return [_summary(row) for row in connection.execute(query)]

    def report(self, session_id: str, revision: int | None) -> Report | None:
        """Return the last report on a revision, or for None the newest with a verdict.

        If none has a document, return an empty report with the reason.
        """
        found = self._stored(session_id, revision)
        if found is not None:
            return unpacked(found[1])
        return self._without_document(session_id, revision)

    def document(self, session_id: str, revision: int | None) -> tuple[int, bytes] | None:
        """Return the report as :meth:`report` does, in its stored form, with its revision."""
        found = self._stored(session_id, revision)
        if found is None:
            report = self._without_document(session_id, revision)
            found = None if report is None else (report.summary.revision, packed(report))
        return found

    def _stored(self, session_id: str, revision: int | None) -> tuple[int, bytes] | None:
        query = select(ReportRow.revision, ReportRow.document).where(
            ReportRow.session_id == session_id, ReportRow.document.is_not(None)
        )
        if revision is not None:
            query = query.where(ReportRow.revision == revision)
        query = query.order_by(
            ReportRow.state.in_(WITH_VERDICT).desc(),
            ReportRow.revision.desc(),
            ReportRow.created_ms.desc(),
        )
        with self._engine.connect() as connection:
            row = connection.execute(query.limit(1)).one_or_none()
        return None if row is None else (row.revision, row.document)

    def _without_document(self, session_id: str, revision: int | None) -> Report | None:
        for summary in self.summaries(session_id):
            if revision in {None, summary.revision}:
                return _empty(summary)
        return None

    def before(self, session_id: str, revision: int) -> Before | None:
        """Return the last report with a verdict on an earlier revision, or None."""
        query = (
            select(ReportRow.document)
            .where(
                ReportRow.session_id == session_id,
                ReportRow.revision < revision,
                ReportRow.state.in_(WITH_VERDICT),
            )
            .order_by(ReportRow.revision.desc(), ReportRow.created_ms.desc())
            .limit(1)
        )
        with self._engine.connect() as connection:
            document = connection.scalar(query)
        return None if document is None else unpacked_before(document)


def _status(row: Any) -> ProofStatus:
    state, reason = ProofState(row.state), row.reason
    if state in UNDER_WAY and row.job_state not in OPEN:  # not swept yet
        state, reason = ProofState.SKIPPED, dead_reason(row.job_state)
    is_running = state is ProofState.RUNNING
    note = row.progress_note if is_running else _waits(row) if state in UNDER_WAY else None
    progress = (row.progress_done, row.progress_total) if is_running else (None, None)
    return ProofStatus(
        status=state,
        revision=row.revision,
        report_id=row.id,
        reason=reason or UNSET,
        done=UNSET if progress[0] is None else progress[0],
        total=UNSET if progress[1] is None else progress[1],
        note=note or UNSET,
        started_at=from_milliseconds(row.started_ms) if row.started_ms else UNSET,
        finished_at=from_milliseconds(row.finished_ms) if row.finished_ms else UNSET,
    )


def _waits(row: Any) -> str | None:
    if row.run_after_ms < now_ms() + LATER_MS:
        return None
    return f"Not before {from_milliseconds(row.run_after_ms):%H:%M} UTC, unless you request it."


def _summary(row: Any) -> ReportSummary:
    if row.summary is not None:
        return msgspec.json.decode(row.summary, type=ReportSummary)
    return ReportSummary(
        id=row.id,
        session_id=row.session_id,
        revision=row.revision,
        status=ProofState(row.state),
        reason=row.reason,
        started_at=from_milliseconds(row.started_ms or row.created_ms),
        finished_at=from_milliseconds(row.finished_ms or row.created_ms),
        credits_charged=0,
        counts=dict.fromkeys(Severity, 0),
        files_analyzed=0,
    )


def _empty(summary: ReportSummary) -> Report:
    return Report(
        summary=summary,
        engine="",
        findings=(),
        fixed=(),
        languages=(),
        hot_spots=(),
        secrets=(),
        unchecked=(),
        manifests=(),
        trust_asked=False,
    )
