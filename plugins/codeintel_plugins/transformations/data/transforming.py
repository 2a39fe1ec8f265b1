"""Data in another format, and in its usual layout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from tree_sitter import Node

from codeintel.contracts import (
    Change,
    Equivalence,
    Range,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.engine.syntax import source_of
from codeintel_plugins.common.recursion import deep_recursion
from codeintel_plugins.transformations.data.losses import Losses
from codeintel_plugins.transformations.data.reading import read
from codeintel_plugins.transformations.data.writing import write

FORMATS = frozenset({"json", "yaml", "toml"})
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_STEP = "  "
_TEXTS = frozenset({"block_scalar", "string", "double_quote_scalar", "single_quote_scalar"}) | {
    "plain_scalar"
}
_MESSAGES = {
    "json-layout": "Indented by two spaces, one value on each line.",
    "trailing-space": "Space at the end of the line is left out.",
    "blank-lines": "One blank line is enough.",
    "assignment-space": "One space on each side of `=`.",
    "final-newline": "The last line ends.",
}
_ASSIGNMENT = re.compile(r"^(\s*[A-Za-z0-9_.-]+)[ \t]*=[ \t]*(?=\S)")


class DataConvert(Transformation):
    """The same values in another format. What it cannot hold is named."""

    name: ClassVar[str] = "data-convert"
    kind: ClassVar[str] = "convert"
    languages: ClassVar[frozenset[str]] = FORMATS
    targets: ClassVar[frozenset[str] | None] = FORMATS
    equivalence: ClassVar[Equivalence | None] = Equivalence.DATA_MODEL
    version = "1"

    def can(self, language: str, target: str) -> bool:
        return language != target and super().can(language, target)

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        losses = Losses()
        with deep_recursion():
            try:
                value = read(request.code, request.language, losses)
                code = write(value, request.target, losses)
            except RecursionError:
                raise Unsupported("The data is nested too deeply.") from None
        said = tuple(losses.sentences())
        if said and request.options.get("strict"):
            raise Unsupported(said[0])
        if "\r\n" in request.code:
            code = code.replace("\n", "\r\n")
        message = f"The values are written as {request.target.upper()}."
        return Rewrite(
            code=code, changes=(Change(rule="convert-data", message=message),), losses=said
        )


def laid_out(code: str) -> str:
    """Each value on a line of its own, indented by two spaces; numbers and texts as written."""
    return "".join(_pieces(_TOKEN.findall(code)))


def _pieces(parts: list[str]) -> Iterator[str]:
    depth = 0
    for position, part in enumerate(parts):
        following = parts[position + 1] if position + 1 < len(parts) else ""
        if part in "{[":
            yield part
            if following not in ("}", "]"):
                depth += 1
                yield "\n" + _STEP * depth
        elif part in "}]":
            if position and parts[position - 1] not in ("{", "["):
                depth -= 1
                yield "\n" + _STEP * depth
            yield part
        elif part == ",":
            yield ",\n" + _STEP * depth
        else:
            yield ": " if part == ":" else part


class DataRefactor(Transformation):
    """The same values in their usual layout."""

    name: ClassVar[str] = "data-refactor"
    kind: ClassVar[str] = "refactor"
    languages: ClassVar[frozenset[str]] = FORMATS
    equivalence: ClassVar[Equivalence | None] = Equivalence.DATA_MODEL
    version = "1"

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        with deep_recursion():
            if request.language == "json":
                return _json(request)
            if request.language == "toml":
                read(request.code, "toml", Losses())
        return _lines(request)


def _json(request: RewriteRequest) -> Rewrite:
    if "json-layout" in request.without:
        return Rewrite(code=request.code)
    read(request.code, "json", Losses())
    end = "\r\n" if "\r\n" in request.code else "\n"
    mark = "\ufeff" if request.code.startswith("\ufeff") else ""
    code = mark + laid_out(request.code.removeprefix("\ufeff")).replace("\n", end) + end
    if code == request.code:
        return Rewrite(code=code)
    return Rewrite(
        code=code, changes=(Change(rule="json-layout", message=_MESSAGES["json-layout"]),)
    )


def _lines(request: RewriteRequest) -> Rewrite:
    """YAML and TOML line by line, but for texts that go over several lines."""
    code = request.code
    root = source_of(code.encode()).root(request.language)
    if root.has_error:
        raise Unsupported("This cannot be read.")
    kept = _rows_of_texts(root)
    changes: list[Change] = []

    def used(rule: str, row: int, width: int) -> bool:
        if rule in request.without:
            return False
        place = Range(row + 1, 1, row + 1, max(1, width + 1))
        changes.append(Change(rule=rule, message=_MESSAGES[rule], range=place))
        return True

    lines = re.split(r"(?<=\n)", code)
    found: list[str] = []
    for row, line in enumerate(lines):
        body = line.rstrip("\r\n")
        end = line[len(body) :]
        if row in kept:
            found.append(line)
            continue
        blank = not body.strip()
        after_blank = bool(found) and not found[-1].strip() and row - 1 not in kept
        if blank and end and (after_blank or not found) and used("blank-lines", row, len(body)):
            continue
        if body != body.rstrip(" \t") and used("trailing-space", row, len(body)):
            body = body.rstrip(" \t")
        if request.language == "toml":
            spaced = _ASSIGNMENT.sub(r"\1 = ", body, count=1)
            if spaced != body and used("assignment-space", row, len(body)):
                body = spaced
        found.append(body + end)
    result = "".join(found)
    if result and not result.endswith("\n") and used("final-newline", len(lines) - 1, 0):
        result += "\r\n" if "\r\n" in code else "\n"
    return Rewrite(code=result, changes=tuple(changes))


def _rows_of_texts(root: Node) -> set[int]:
    """The rows in which a text begins, ends or goes on that has several."""
    rows: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in _TEXTS:
            if node.start_point.row != node.end_point.row or node.type == "block_scalar":
                rows.update(range(node.start_point.row, node.end_point.row + 2))
            continue
        if (node.type in ("array", "flow_sequence", "flow_mapping", "inline_table")) and (
            node.start_point.row != node.end_point.row
        ):
            rows.update(range(node.start_point.row + 1, node.end_point.row + 1))
        stack.extend(node.children)
    return rows
