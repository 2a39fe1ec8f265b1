"""Addresses of a session: pages for people, and the bridge file for clients."""

from __future__ import annotations

import msgspec

from codeintel.base.timestamps import Moment
from codeintel.base.version import API_VERSION
from codeintel.contracts.workspaces.records import ProofStatus
from codeintel.contracts.workspaces.remotes import editor_uri
from codeintel.workspaces.records import RevisionRecord, WorkspaceRecord


class Bridge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What stands in `/.codeintel/local-ide-bridge.json`: how an editor finds its session again."""

    api_version: str
    session_id: str
    revision: int
    name: str
    synced_at: Moment
    environment_url: str
    editor_uri: str
    reports_url: str
    api_url: str
    proof_loop: ProofStatus


class Links:
    """The addresses of sessions.

    :param origin: under which clients reach the service, without a slash at the end.
    """

    def __init__(self, origin: str) -> None:
        self._origin = origin.rstrip("/")

    def environment(self, session_id: str) -> str:
        """The online editing environment."""
        return f"{self._origin}/workspace/{session_id}"

    def reports(self, session_id: str) -> str:
        """The page of its reports."""
        return f"{self._origin}/workspace/{session_id}/reports"

    def api(self, session_id: str) -> str:
        """The session in the API."""
        return f"{self._origin}/api/workspace/{session_id}"

    def editor(self, session: WorkspaceRecord) -> str:
        """A link that opens its remote in the editor that it came from, or the environment."""
        return editor_uri(session.remote_url, session.source, self.environment(session.id))

    def bridge(
        self, session: WorkspaceRecord, revision: RevisionRecord, proof: ProofStatus
    ) -> Bridge:
        """The bridge file of one of its revisions."""
        return Bridge(
            api_version=API_VERSION,
            session_id=session.id,
            revision=revision.number,
            name=session.name,
            synced_at=revision.created_at,
            environment_url=self.environment(session.id),
            editor_uri=self.editor(session),
            reports_url=self.reports(session.id),
            api_url=self.api(session.id),
            proof_loop=proof,
        )


def bridge_text(bridge: Bridge) -> str:
    """The file as it is written to disk."""
    return msgspec.json.format(msgspec.json.encode(bridge), indent=2).decode() + "\n"
