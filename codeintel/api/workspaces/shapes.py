"""What the API answers about workspaces."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from codeintel.base.timestamps import Moment
from codeintel.contracts.workspaces.records import FileEntry, ProofStatus, SkippedFile
from codeintel.workspaces.links import Bridge, Links
from codeintel.workspaces.records import RevisionRecord, Stored, WorkspaceRecord


class FileCounts(msgspec.Struct, frozen=True):
    """What became of the files: `stored` are new or changed, `unchanged` were there before,
    `skipped` were left out, by the client or because they hold secrets."""

    stored: int
    unchanged: int
    skipped: tuple[SkippedFile, ...]


class SyncAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A stored workspace. `environment_url` is its online editor, `editor_uri` opens its remote in
    a local one, `bridge` is the content of `/.codeintel/local-ide-bridge.json`."""

    session_id: str
    revision: int
    environment_url: str
    editor_uri: str
    reports_url: str
    proof_loop: ProofStatus
    bridge: Bridge
    files: FileCounts


class SessionView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session: one workspace of the account, with its newest revision."""

    session_id: str
    name: str
    source: str
    local_root_name: str
    branch_name: str
    remote_url: str
    revision: int
    trust_dependencies: bool
    created_at: Moment
    synced_at: Moment
    environment_url: str
    editor_uri: str
    reports_url: str


class SessionList(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The account's sessions, the one synced last first, and what they store, in bytes."""

    sessions: list[SessionView]
    stored_bytes: int
    limit_bytes: int


class SessionAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session at one revision, with its files by path, the bridge file too."""

    session: SessionView
    revision: RevisionRecord
    proof_loop: ProofStatus
    bridge: Bridge
    files: list[FileEntry]


class RevisionView(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A revision in the history; `proof_loop` where it was to be analysed."""

    revision: RevisionRecord
    proof_loop: ProofStatus | UnsetType = UNSET


class RevisionList(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """All revisions of a session, the newest first."""

    session_id: str
    revisions: list[RevisionView]


def session_view(session: WorkspaceRecord, links: Links) -> SessionView:
    """A session as the API shows it."""
    return SessionView(
        session_id=session.id,
        name=session.name,
        source=session.source,
        local_root_name=session.local_root_name,
        branch_name=session.branch_name,
        remote_url=session.remote_url,
        revision=session.revision,
        trust_dependencies=session.trust_dependencies,
        created_at=session.created_at,
        synced_at=session.synced_at,
        environment_url=links.environment(session.id),
        editor_uri=links.editor(session),
        reports_url=links.reports(session.id),
    )


def sync_answer(stored: Stored, links: Links, proof: ProofStatus) -> SyncAnswer:
    """What a push or an edit is answered."""
    session = stored.session
    return SyncAnswer(
        session_id=session.id,
        revision=stored.revision.number,
        environment_url=links.environment(session.id),
        editor_uri=links.editor(session),
        reports_url=links.reports(session.id),
        proof_loop=proof,
        bridge=links.bridge(session, stored.revision, proof),
        files=FileCounts(stored.stored, stored.unchanged, stored.revision.skipped),
    )
