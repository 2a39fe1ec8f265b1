"""What the pages of a workspace have in common: whose it is, which revision, and addresses."""

from __future__ import annotations

from typing import Annotated, Any

from flask import url_for
from msgspec import Meta

from codeintel.http.endpoint import services
from codeintel.http.protection.origin import shown_origin
from codeintel.identity.auth.caller import Caller
from codeintel.workspaces.records import RevisionRecord, WorkspaceRecord

RevisionNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""In an address; 0 is the newest."""
SOURCE = "browser"
"""The kind of client of revisions that these pages make."""


def own_session(caller: Caller, workspace_id: str) -> WorkspaceRecord:
    """:raises ServiceError: `not_found`, for another account's too."""
    return services().workspaces.find(caller.account_id, workspace_id)


def chosen_revision(session: WorkspaceRecord, number: int) -> RevisionRecord:
    """A revision, the newest for 0.

    :raises ServiceError: `not_found`.
    """
    return services().workspaces.revision(session, number or None)


def origin() -> str:
    """Under which people reach the service."""
    return shown_origin()


def address(name: str, session: WorkspaceRecord, revision: int = 0, **values: Any) -> str:
    """The address of one of its pages. The newest revision stays unnamed, so that it stays the
    newest when another comes.

    :param values: parameters; empty ones are left out.
    """
    if revision and revision != session.revision:
        values["revision"] = revision
    given = {key: value for key, value in values.items() if value}
    return url_for(f"web.{name}", workspace_id=session.id, **given)
