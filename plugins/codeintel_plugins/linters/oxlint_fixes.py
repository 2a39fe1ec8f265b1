"""The fixes that oxlint knows. Its language server tells them; its reports do not have them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import msgspec

from codeintel.contracts import Applicability, Edit, Fix, Range
from codeintel_plugins.common.positions import Source
from codeintel_plugins.common.processes import ToolFailed
from codeintel_plugins.linters.language_server import LanguageServer
from codeintel_plugins.linters.oxlint_process import CONFIGURATION, ENVIRONMENT, oxlint_binary
from codeintel_plugins.linters.oxlint_rules import SAFE_FIXES, rule_of_code

_SECONDS = 2.0
# At these the server may begin a new line, and the code's own lines would no longer be the same.
_OTHER_LINE_ENDS = re.compile("[\x0b\x0c\x85\u2028\u2029]")
_DISABLE = re.compile(r"Disable (?P<rule>\S+) for this (?P<extent>line|whole file)")
_MASKED = "lint_disable"


class _Position(msgspec.Struct):
    """Line and column from 0; columns count UTF-16 units."""

    line: int
    character: int


class _Range(msgspec.Struct):
    start: _Position
    end: _Position


class _Diagnostic(msgspec.Struct):
    range: _Range
    code: str | None = None


class _Published(msgspec.Struct):
    diagnostics: list[_Diagnostic]


class _TextEdit(msgspec.Struct, rename="camel"):
    range: _Range
    new_text: str


class _WorkspaceEdit(msgspec.Struct):
    changes: dict[str, list[_TextEdit]] = {}


class _Action(msgspec.Struct):
    title: str
    edit: _WorkspaceEdit = msgspec.field(default_factory=_WorkspaceEdit)


Key = tuple[str, int, int]
"""A rule, and the line and column at which it reports something."""


def fixes(file: str, code: str, source: Source) -> Mapping[Key, Fix]:
    """The fixes for what the rules report in `code`, which is `source` as oxlint gets it. There are
    none where they cannot be told for sure."""
    if _OTHER_LINE_ENDS.search(code):
        return {}
    try:
        diagnostics, actions = _ask(file, code)
    except (ToolFailed, ValueError, msgspec.ValidationError):
        return {}
    groups = _by_diagnostic(diagnostics, actions)
    found: dict[Key, Fix] = {}
    for diagnostic, offered in zip(diagnostics, groups, strict=True):
        rule = rule_of_code(diagnostic.code)
        place = _place(diagnostic.range, source)
        # Of several ways, which the author has to choose from, none is the fix.
        if place is None or len(offered) != 1:
            continue
        fix = _fix(offered[0], rule, source)
        if fix is not None:
            found[rule, place.start_line, place.start_column] = fix
    return found


def _ask(file: str, code: str) -> tuple[list[_Diagnostic], list[_Action]]:
    root = Path.cwd().as_uri()
    document = f"{root}/{file}"
    options = {
        "run": "onType",
        "configPath": CONFIGURATION,
        "fixKind": "safe_fix_or_suggestion",
    }
    command = [oxlint_binary(), "--lsp", "--threads=1"]
    with LanguageServer(command, environment=ENVIRONMENT, seconds=_SECONDS) as server:
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
    """The fixes that are offered for each diagnostic. The server lists its actions in the order of
    diagnostics: for each its fixes, then those that would switch its rule off."""
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


def _fix(action: _Action, rule: str, source: Source) -> Fix | None:
    changes = [edit for edits in action.edit.changes.values() for edit in edits]
    edits = []
    for change in changes:
        place = _place(change.range, source)
        if place is None or _MASKED in change.new_text:
            return None
        edits.append(Edit(place, change.new_text))
    edits.sort(key=lambda edit: _ends(edit.range))
    overlap = any(_ends(a.range)[1] > _ends(b.range)[0] for a, b in pairwise(edits))
    if not edits or overlap:
        return None
    safe = rule in SAFE_FIXES
    return Fix(
        message=action.title,
        applicability=Applicability.SAFE if safe else Applicability.UNSAFE,
        edits=tuple(edits),
    )


def _ends(place: Range) -> tuple[tuple[int, int], tuple[int, int]]:
    return (place.start_line, place.start_column), (place.end_line, place.end_column)


def _place(range_: _Range, source: Source) -> Range | None:
    return source.exact_range(_point(range_.start, source), _point(range_.end, source))


def _point(position: _Position, source: Source) -> tuple[int, int]:
    """Line and column from 1, in code points."""
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
