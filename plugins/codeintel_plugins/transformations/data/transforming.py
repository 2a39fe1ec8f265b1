"""Data in another format, and in its usual layout, as JSON, YAML and TOML are written."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import tomli_w
import yaml
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
from codeintel_plugins.toolkit.recursion import deep_recursion
from codeintel_plugins.transformations.data.reading import (
    BIG,
    DATES,
    DIGITS,
    MAX_DEPTH,
    NANS,
    NULLS,
    ORDER,
    Losses,
    Rounded,
    read,
)

_EXACT = 2**53
_LONG = 2**63
_DOUBTFUL = re.compile(
    r"(?:y|n|yes|no|on|off|~|null|true|false|\.nan|[-+]?\.inf)\Z"
    r"|[-+]?[0-9.][0-9_,.:eExXoObBa-fA-F+-]*\Z|\d{4}-\d\d?-\d\d?",
    re.IGNORECASE,
)
"""What some reader of YAML takes for something else than text."""
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def write(value: Any, target: str, losses: Losses) -> str:
    """Return the text.

    :raises Unsupported: for what the format cannot hold at all.
    """
    return _WRITERS[target](_fitted(value, target, losses, 0), losses)


def _fitted(value: Any, target: str, losses: Losses, depth: int) -> Any:
    """Return the value as far as the format can hold it."""
    if depth > MAX_DEPTH:
        raise Unsupported("The data is nested too deeply.")
    if isinstance(value, dict):
        fitted = {}
        for name, each in value.items():
            losses.path.append(str(name))
            if each is None and target == "toml":
                losses.add_here(NULLS)
            else:
                fitted[name] = _fitted(each, target, losses, depth + 1)
            losses.path.pop()
        return fitted
    if isinstance(value, list):
        if target == "toml" and any(each is None for each in value):
            raise Unsupported("A list has a null value, which TOML does not support.")
        losses.path.append("[]")
        fitted_values = [_fitted(each, target, losses, depth + 1) for each in value]
        losses.path.pop()
        return fitted_values
    return _fitted_scalar(value, target, losses)


def _fitted_scalar(value: Any, target: str, losses: Losses) -> Any:
    if isinstance(value, float) and not math.isfinite(value) and target == "json":
        losses.add_here(NANS)
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        if target == "toml" and not -_LONG <= value < _LONG:
            raise Unsupported("An integer exceeds 64 bits, which TOML does not support.")
        if target == "json" and abs(value) > _EXACT:
            losses.add(BIG)
    is_moment = isinstance(value, datetime.date | datetime.time)
    if is_moment and (target == "json" or (target == "yaml" and isinstance(value, datetime.time))):
        losses.add_here(DATES)
        return value.isoformat()
    if isinstance(value, Rounded):
        losses.add_here(DIGITS)
        return float(value)
    return value


def _json_text(value: Any, losses: Losses) -> str:  # noqa: ARG001 - as the others
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # a half of a pair, which no file can hold
        text = json.dumps(value, indent=2, allow_nan=False)
    return f"{text}\n"


class _Dumper(yaml.SafeDumper):
    """Block style, lists further in than their names, and no aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        return super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - its signature
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = None
    if _DOUBTFUL.match(value) or _UNSEEN.search(value):
        style = '"'
    elif "\n" in value.strip("\n") and all(
        line == line.rstrip() and "\t" not in line for line in value.split("\n")
    ):
        style = "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _moment(dumper: yaml.SafeDumper, value: datetime.datetime) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:timestamp", value.isoformat())


_Dumper.add_representer(str, _text)
_Dumper.add_representer(datetime.datetime, _moment)


def _yaml(value: Any, losses: Losses) -> str:  # noqa: ARG001 - as the others
    try:
        return yaml.dump(
            value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=4_096
        ).removesuffix("...\n")
    except UnicodeEncodeError:
        raise Unsupported(
            "A string has an unpaired surrogate, which YAML does not support."
        ) from None


def _toml(value: Any, losses: Losses) -> str:
    if not isinstance(value, dict):
        raise Unsupported("TOML needs a table at the top level.")
    if _is_reordered(value):
        losses.add(ORDER)
    try:
        text = tomli_w.dumps(value)
        text.encode()
    except UnicodeEncodeError:
        raise Unsupported(
            "A string has an unpaired surrogate, which TOML does not support."
        ) from None
    return text


def _is_reordered(value: Any) -> bool:
    """Return whether a plain value follows a table, where TOML cannot have it."""
    if isinstance(value, list):
        return any(map(_is_reordered, value))
    if not isinstance(value, dict):
        return False
    tables = [_is_table(each) for each in value.values()]
    return tables != sorted(tables) or any(map(_is_reordered, value.values()))


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
    )


_WRITERS: dict[str, Callable[[Any, Losses], str]] = {
    "json": _json_text,
    "yaml": _yaml,
    "toml": _toml,
}


FORMATS = frozenset({"json", "yaml", "toml"})
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_STEP = "  "
_TEXTS = frozenset({"block_scalar", "string", "double_quote_scalar", "single_quote_scalar"}) | {
    "plain_scalar"
}
_MESSAGES = {
    "json-layout": "Indent by two spaces, with one value per line.",
    "trailing-space": "Remove trailing spaces.",
    "blank-lines": "Remove extra blank lines.",
    "assignment-space": "Write one space on each side of `=`.",
    "final-newline": "End the file with a newline.",
}
_ASSIGNMENT = re.compile(r"^(\s*[A-Za-z0-9_.-]+)[ \t]*=[ \t]*(?=\S)")


class DataConvert(Transformation):
    """Convert the values to another format. Features that the format does not support are
    reported."""

    name: ClassVar[str] = "data-convert"
    kind: ClassVar[str] = "convert"
    languages: ClassVar[frozenset[str]] = FORMATS
    targets: ClassVar[frozenset[str] | None] = FORMATS
    equivalence: ClassVar[Equivalence | None] = Equivalence.DATA_MODEL
    version = "1"

    def supports(self, language: str, target: str) -> bool:
        return language != target and super().supports(language, target)

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
        message = f"Convert the values to {request.target.upper()}."
        return Rewrite(
            code=code, changes=(Change(rule="convert-data", message=message),), losses=said
        )


def laid_out(code: str) -> str:
    """Lay out each value on its own line, indented by two spaces. Numbers and texts stay as
    written."""
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
    """Lay out the values in the usual style."""

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
    """Lay out YAML and TOML line by line, except for multi-line texts."""
    code = request.code
    root = source_of(code.encode()).root(request.language)
    if root.has_error:
        raise Unsupported("The code has a syntax error.")
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
    """Return the rows that a multi-line text covers."""
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
