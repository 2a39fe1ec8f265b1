"""The code of a run, which is not stored: from the workspace that has it, or from the user.

If a workspace has the file of the run, unchanged, the page shows the code. For any other run, the
browser asks for the file and compares it without an upload (`frontend/src/code.js`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import url_for

from codeintel.base.errors import ServiceError
from codeintel.contracts import Finding, Usage
from codeintel.contracts.analysis import MAX_CODE_CHARACTERS
from codeintel.engine.sarif.excerpts import shown_lines
from codeintel.http.endpoint import services
from codeintel.runs.store import RunRecord
from codeintel.web.findings.frames import Code
from codeintel.web.findings.views import Context, Rule
from codeintel.web.run_list.rows import run_title
from codeintel.web.workspaces.sessions import address
from codeintel.workspaces.records import WorkspaceRecord


@dataclass(frozen=True)
class WorkspaceCode:
    """The file of a run in its workspace. `editor` is the address of the newest version. `lines` is
    None if neither the newest version nor that of the run's time is the code of the run."""

    editor: str
    lines: Code | None = None
    session: WorkspaceRecord | None = None
    revision: int = 0
    path: str = ""

    @property
    def is_newest(self) -> bool:
        """Return whether the code is still that of the newest revision."""
        return self.session is not None and self.session.revision == self.revision

    def context(self, titles: Mapping[Rule, str], *, can_choose: bool = True) -> Context:
        """Return what findings are shown with: the code, or the data for the browser to add it.

        :param can_choose: whether the browser can get the code.
        """
        session, lines = self.session, self.lines
        if session is None or lines is None:
            return Context(titles, carries=can_choose)
        return Context(
            titles,
            lambda _path: lines,
            lambda _path, line: address(
                "workspace", session, self.revision, path=self.path, line=line
            ),
        )


NO_WORKSPACE = WorkspaceCode("")


def workspace_code(record: RunRecord, findings: Sequence[Finding]) -> WorkspaceCode:
    """Return the file of a run in its workspace.

    :param findings: those of the run. Secrets among them are masked in the code.
    """
    if record.workspace_id is None or not record.file:
        return NO_WORKSPACE
    try:
        session = services().workspaces.find(record.account_id, record.workspace_id)
    except ServiceError:
        return NO_WORKSPACE
    editor = ""
    for number, path, text in _versions(session, record):
        editor = editor or address("workspace", session, number, path=path)
        if services().runs.digests.matches(record.id, record.code_digest, text):
            code = Code(*shown_lines(text, findings))
            return WorkspaceCode(editor, code, session, number, path)
    return WorkspaceCode(editor)


def _versions(session: WorkspaceRecord, record: RunRecord) -> Iterator[tuple[int, str, str]]:
    """Yield revision, path and text of the file: the newest version, and that of the run's time."""
    for number in _revisions(session, record):
        for path in _paths(session, record.file or ""):
            try:
                data = services().workspaces.read(session, number, path)
            except ServiceError:
                continue
            yield number, path, data.decode("utf-8-sig", "replace")


def _revisions(session: WorkspaceRecord, record: RunRecord) -> Iterator[int]:
    yield session.revision
    then = services().workspaces.revision_at(session, record.created_ms)
    if then is not None and then != session.revision:
        yield then


def _paths(session: WorkspaceRecord, file: str) -> Iterator[str]:
    """Yield the paths that a file may have. The editor sends the workspace's name before it."""
    if file.startswith(f"{session.name}/"):
        yield file.removeprefix(session.name)
    yield f"/{file}"


def choosing(record: RunRecord) -> dict[str, Any]:
    """Return what the browser needs to recognize the file of a run. Only its owner gets the key."""
    usage = msgspec.json.decode(record.usage, type=Usage) if record.usage is not None else None
    return {
        "run": record.id,
        "name": run_title(record),
        "key": services().runs.digests.key(record.id).hex(),
        "digest": record.code_digest or "",
        "characters": usage.input_characters if usage is not None else 0,
        "most": MAX_CODE_CHARACTERS,
        "rules": url_for("web.finding_titles"),
    }
