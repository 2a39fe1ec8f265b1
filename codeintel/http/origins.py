"""The program behind a request that starts a run, and the name of the file that it sends."""

from __future__ import annotations

import re
from urllib.parse import unquote

import msgspec
from flask import request

from codeintel.contracts.states import RunSource
from codeintel.http.operation import Header
from codeintel.identity.auth.caller import Caller, Proof
from codeintel.runs.listing import MAX_FILE_CHARACTERS, RunOrigin

FILE = Header(
    "X-Codeintel-File",
    "The file's name or path, percent-encoded UTF-8, which the list of runs shows. "
    f"Control characters become spaces, and the last {MAX_FILE_CHARACTERS} characters are kept.",
    {"type": "string"},
)
SOURCE = "X-Codeintel-Source"
"""Sent by the scripts of pages: `browser` or `editor`."""
WORKSPACE = "X-Codeintel-Workspace"
"""Sent by the scripts of the editor: the ID of the workspace that the file belongs to."""
_AGENT = "codeintel/"
_WORKSPACE_ID = re.compile(r"wsp_[0-9a-f]{24}")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd]+")


def run_origin(caller: Caller) -> RunOrigin:
    """Classify the request by its headers, its credential and its user agent."""
    workspace = request.headers.get(WORKSPACE, "")
    named = named_origin(caller, unquote(request.headers.get(FILE.name, "")))
    return msgspec.structs.replace(
        named, workspace_id=workspace if _WORKSPACE_ID.fullmatch(workspace) else ""
    )


def named_origin(caller: Caller, name: str) -> RunOrigin:
    """Classify the request as :func:`run_origin` does, with a name from its body."""
    named = _CONTROLS.sub(" ", name).strip()
    return RunOrigin(source=_source(caller), file=named[-MAX_FILE_CHARACTERS:])


def _source(caller: Caller) -> RunSource:
    told = request.headers.get(SOURCE, "")
    if told in list(RunSource) and told != RunSource.DEMO:
        return RunSource(told)
    if caller.proof is Proof.SESSION:
        return RunSource.BROWSER
    return RunSource.CLI if request.user_agent.string.startswith(_AGENT) else RunSource.API
