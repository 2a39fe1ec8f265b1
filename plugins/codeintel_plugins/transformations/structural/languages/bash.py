"""Edits of scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.patches import Edit
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_KEYWORDS = re.compile(
    r"if|then|else|elif|fi|case|esac|for|select|while|until|do|done|in|function|time|coproc|\d\w*"
)


def brackets(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """Backquotes as `$( )`."""
    start, end = reading.span(node)
    if start and reading.text[start - 1] in "`$\\":
        return []
    return [Edit(start, start + 1, "$("), Edit(end - 1, end, ")")]


def function(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """`function f {` as `f() {`."""
    name, body = node.field("name"), node.field("body")
    if name is None or body is None or _KEYWORDS.fullmatch(name.text()):
        return []
    return [Edit(reading.span(node).start, reading.span(body).start, f"{name.text()}() ")]


def arithmetic(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """`$[ ]` as `$(( ))`."""
    start, end = reading.span(node)
    if start and reading.text[start - 1] in "$\\":
        return []
    return [Edit(start, start + 2, "$(("), Edit(end - 1, end, "))")]
