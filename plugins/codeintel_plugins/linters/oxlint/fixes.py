"""The fixes for findings of oxlint: its reports have none, so its language server is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from codeintel.contracts import Applicability, Edit, Fix, Range
from codeintel_plugins.linters.oxlint.process import (
    CONFIGURATION,
    ENVIRONMENT,
    LanguageServer,
    oxlint_binary,
)
from codeintel_plugins.linters.oxlint.rules import SAFE_FIXES, rule_of_code
from codeintel_plugins.toolkit.positions import ToolSource, ends
from codeintel_plugins.toolkit.processes import ToolFailed

# Each of its threads takes its stack from the memory that a worker process may have: with as many
# threads and as much stack as it likes, one in some hundred calls found no room and hung.
_ENVIRONMENT = {
    **ENVIRONMENT,
    "TOKIO_WORKER_THREADS": "1",
    "RUST_MIN_STACK": str(128 * 1024 * 1024),
}
# At these the server may begin a new line, and the code's own lines would no longer be the same.
_OTHER_LINE_ENDS = re.compile("[\x0b\x0c\x85\u2028\u2029]")
_DISABLE = re.compile(r"Disable (?P<rule>\S+) for this (?P<extent>line|whole file)")


class FixKind(StrEnum):
    """The kinds of fixes that the server offers, by the server's own names."""

    SAFE = "safe_fix"
    SAFE_OR_SUGGESTED = "safe_fix_or_suggestion"


class Position(msgspec.Struct):
    """Line and column from 0; columns count UTF-16 units."""

    line: int
    character: int


class Extent(msgspec.Struct):
    """From one position to another, which is not part of it."""

    start: Position
    end: Position


class _Diagnostic(msgspec.Struct):
    range: Extent
    code: str | None = None


class _Published(msgspec.Struct):
    diagnostics: list[_Diagnostic]


class TextEdit(msgspec.Struct, rename="camel"):
    """The new text for a range."""

    range: Extent
    new_text: str


class _WorkspaceEdit(msgspec.Struct):
    changes: dict[str, list[TextEdit]] = {}


class _Action(msgspec.Struct):
    title: str
    edit: _WorkspaceEdit = msgspec.field(default_factory=_WorkspaceEdit)


class Offer(NamedTuple):
    """The only fix for a diagnostic."""

    rule: str
    reported: Extent
    title: str
    edits: Sequence[TextEdit]


def offers(file: str, code: str, kind: FixKind, seconds: float) -> list[Offer]:
    """Return the fixes for the diagnostics of the rules in the working folder's configuration.

    Returns no fixes if they cannot be assigned with certainty, and none for a diagnostic that has
    several.

    :param file: a name whose extension selects the parser; the file need not exist.
    :param seconds: the wall time after which no fixes are returned.
    """
    if _OTHER_LINE_ENDS.search(code):
        return []
    try:
        diagnostics, actions = _ask(file, code, kind, seconds)
    except (ToolFailed, ValueError, msgspec.ValidationError):
        return []
    groups = _by_diagnostic(diagnostics, actions)
    return [
        Offer(
            rule_of_code(diagnostic.code),
            diagnostic.range,
            offered[0].title,
            [edit for edits in offered[0].edit.changes.values() for edit in edits],
        )
        for diagnostic, offered in zip(diagnostics, groups, strict=True)
        if len(offered) == 1
    ]


def _ask(
    file: str, code: str, kind: FixKind, seconds: float
) -> tuple[list[_Diagnostic], list[_Action]]:
    root = Path.cwd().as_uri()
    document = f"{root}/{file}"
    options = {"run": "onType", "configPath": CONFIGURATION, "fixKind": kind}
    command = [oxlint_binary(), "--lsp", "--threads=1"]
    with LanguageServer(command, environment=_ENVIRONMENT, seconds=seconds) as server:
        server.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root,
                "workspaceFolders": [{"uri": root, "name": "code"}],
                "capabilities": {},
                "initializationOptions": [{"workspaceUri": root, "options": options}],
            },
        )
        server.notify("initialized", {})
        text = {"uri": document, "languageId": "javascript", "version": 1, "text": code}
        server.notify("textDocument/didOpen", {"textDocument": text})
        published = server.wait_for("textDocument/publishDiagnostics")
        everything = {
            "start": {"line": 0, "character": 0},
            "end": {"line": len(code), "character": 0},
        }
        actions = server.request(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": document},
                "range": everything,
                "context": {"diagnostics": [], "only": ["quickfix"]},
            },
        )
    diagnostics = msgspec.convert(published, _Published).diagnostics
    return (
        # The others only show the further places of these.
        [diagnostic for diagnostic in diagnostics if diagnostic.code is not None],
        msgspec.convert(actions or [], list[_Action]),
    )


def _by_diagnostic(diagnostics: list[_Diagnostic], actions: list[_Action]) -> list[list[_Action]]:
    """Return the fixes that are offered for each diagnostic.

    The server lists its actions in the order of diagnostics: for each its fixes, then the actions
    that would switch its rule off.
    """
    groups: list[list[_Action]] = []
    rules: list[str] = []
    offered: list[_Action] = []
    for action in actions:
        disable = _DISABLE.fullmatch(action.title)
        if disable is None:
            offered.append(action)
        elif disable["extent"] == "line":
            groups.append(offered)
            rules.append(disable["rule"].rpartition("/")[2])
            offered = []
    if rules != [rule_of_code(each.code).rpartition("/")[2] for each in diagnostics]:
        return [[] for _ in diagnostics]
    return groups


_SECONDS = 2.0
_MASKED = "lint_disable"

Key = tuple[str, int, int]
"""A rule, and the line and column at which it reports something."""


def fixes(file: str, code: str, source: ToolSource) -> Mapping[Key, Fix]:
    """Return the fixes for the diagnostics in `code`, which is `source` as oxlint gets it.

    Returns no fixes if they cannot be assigned with certainty.
    """
    found: dict[Key, Fix] = {}
    for offer in offers(file, code, FixKind.SAFE_OR_SUGGESTED, _SECONDS):
        place = _place(offer.reported, source)
        fix = _fix(offer, source)
        if place is not None and fix is not None:
            found[offer.rule, place.start_line, place.start_column] = fix
    return found


def _fix(offer: Offer, source: ToolSource) -> Fix | None:
    edits = []
    for change in offer.edits:
        place = _place(change.range, source)
        if place is None or _MASKED in change.new_text:
            return None
        edits.append(Edit(place, change.new_text))
    edits.sort(key=lambda edit: ends(edit.range))
    overlap = any(ends(a.range)[1] > ends(b.range)[0] for a, b in pairwise(edits))
    if not edits or overlap:
        return None
    safe = offer.rule in SAFE_FIXES
    return Fix(
        message=offer.title,
        applicability=Applicability.SAFE if safe else Applicability.UNSAFE,
        edits=tuple(edits),
    )


def _place(range_: Extent, source: ToolSource) -> Range | None:
    return source.exact_range(_point(range_.start, source), _point(range_.end, source))


def _point(position: Position, source: ToolSource) -> tuple[int, int]:
    """Return line and column from 1, in code points."""
    line = position.line + 1
    if not 1 <= line <= len(source):
        return line, 1
    text = source.line(line)
    if line == 1:
        text = text.removeprefix("\ufeff")
    if text.isascii():
        return line, position.character + 1
    before = text.encode("utf-16-le")[: 2 * position.character].decode("utf-16-le", "ignore")
    beyond = max(0, position.character - len(text.encode("utf-16-le")) // 2)
    return line, len(before) + 1 + beyond
