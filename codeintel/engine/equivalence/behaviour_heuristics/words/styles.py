"""Whether style sheets say the same of the same."""

from __future__ import annotations

import re

from tree_sitter import Node

from codeintel.engine.equivalence.local_edits.tokens import tree_of

_COLOURS = {
    "white": "#ffffff",
    "black": "#000000",
    "red": "#ff0000",
    "blue": "#0000ff",
    "lime": "#00ff00",
    "yellow": "#ffff00",
    "cyan": "#00ffff",
    "aqua": "#00ffff",
    "magenta": "#ff00ff",
    "fuchsia": "#ff00ff",
    "gray": "#808080",
    "grey": "#808080",
    "green": "#008000",
    "navy": "#000080",
    "silver": "#c0c0c0",
    "bold": "700",
    "normal": "400",
}
_VALUE = re.compile(
    r"url\([^)]*\)|\"[^\"]*\"|'[^']*'|#[0-9a-f]{3,8}\b|-?(?:\d*\.)?\d+[a-z%]*|--[\w-]+|-?[a-z_][\w-]*"
    r"|![a-z]+|[*/+](?=\s)",
    re.IGNORECASE,
)
_SHORT = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])$")
_ZERO = re.compile(r"-?0(?:\.0*)?[a-z%]*$")
_VENDOR = re.compile(r"^-(?:webkit|moz|ms|o)-")
_FREE = frozenset({"var", "auto", "0", "solid", "none"})
Said = set[tuple[str, str]]


def changed_styles(before: str, after: str) -> list[str] | None:
    """The faults of a result; None if one of them cannot be read."""
    old, new = _sheet(before), _sheet(after)
    if old is None or new is None:
        return None
    faults = []
    if _selectors(old) != _selectors(new):
        faults.append("What is styled, or when, is not the same.")
    if _values(old) != _values(new):
        faults.append("Values of the styles are not the same.")
    return faults


class _Sheet:
    def __init__(self) -> None:
        self.selectors: set[str] = set()
        self.declared: list[tuple[str, str, str]] = []
        self.variables: dict[str, str] = {}


def _sheet(code: str) -> _Sheet | None:
    root = tree_of(code.encode(errors="surrogatepass"), "css").root_node
    if root.has_error:
        return None
    sheet = _Sheet()
    stack: list[tuple[Node, str]] = [(root, "")]
    while stack:
        node, where = stack.pop()
        kind = node.type
        if kind == "comment":
            continue
        if kind == "declaration":
            _declared(node, where, sheet)
            continue
        if kind in ("import_statement", "charset_statement", "namespace_statement"):
            sheet.selectors.add(_plain(node))
            continue
        block = node.child_by_field_name("block") or next(
            (each for each in node.children if each.type in ("block", "keyframe_block_list")), None
        )
        if block is not None and kind != "stylesheet":
            data = node.text or b""
            head = data[: block.start_byte - node.start_byte].decode(errors="replace")
            names = [" ".join(each.split()) for each in head.split(",")]
            sheet.selectors.update(name for name in names if name != ":root")
            where = f"{where}{{{','.join(sorted(names))}"
        stack.extend((each, where) for each in node.children)
    return sheet


def _declared(node: Node, where: str, sheet: _Sheet) -> None:
    name, _, value = _plain(node).rstrip(";").partition(":")
    name = name.strip().lower()
    if name.startswith("--"):
        sheet.variables[name] = value
    sheet.declared.append((where, _VENDOR.sub("", name), value))


def _selectors(sheet: _Sheet) -> set[str]:
    return {re.sub(r"\s*([>+~(){}:])\s*", r"\1", each).lower() for each in sheet.selectors}


def _values(sheet: _Sheet) -> Said:
    """The values by selector and family of properties: `margin-top` may become `margin`."""
    found: Said = set()
    for where, name, value in sheet.declared:
        if name.startswith("--") and f"var({name}" in "".join(
            each[2] for each in sheet.declared[:2000]
        ):
            continue
        for _ in range(4):
            value = re.sub(
                r"var\(\s*(--[\w-]+)[^)]*\)", lambda match: sheet.variables.get(match[1], ""), value
            )
        family = name.partition("-")[0]
        places = where.rpartition("{")[2].split(",") or [""]
        for token in _VALUE.findall(value):
            said = _same(token.lower())
            if said not in _FREE:
                found.update((f"{place.strip().lower()} {family}", said) for place in places)
    return found


def _same(token: str) -> str:
    """A value, however it is written."""
    token = token.replace("'", '"')
    if _ZERO.match(token):
        return "0"
    if token.startswith("."):
        token = f"0{token}"
    token = _COLOURS.get(token, token)
    short = _SHORT.match(token)
    return "#" + "".join(2 * each for each in short.groups()) if short else token


def _plain(node: Node) -> str:
    return " ".join((node.text or b"").decode(errors="replace").split())
