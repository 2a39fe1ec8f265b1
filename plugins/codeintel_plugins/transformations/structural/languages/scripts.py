"""Edits of Bash and Ruby."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.patches import TextEdit
from codeintel_plugins.transformations.structural.reading import Reading, named

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_KEYWORDS = re.compile(
    r"if|then|else|elif|fi|case|esac|for|select|while|until|do|done|in|function|time|coproc|\d\w*"
)
_SYMBOL = re.compile(r":([A-Za-z_]\w*)")
_WORD = re.compile(r"""(['"])([\w.+/@-]+)\1""")
_MIN_WORDS = 2
_TAKE_LISTS = frozenset({"puts", "p", "print", "pp", "warn", "require", "raise", "expect"})


def brackets(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace backquotes by `$( )`."""
    start, end = reading.span(node)
    if start and reading.text[start - 1] in "`$\\":
        return []
    return [TextEdit(start, start + 1, "$("), TextEdit(end - 1, end, ")")]


def function(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`function f {` as `f() {`."""
    name, body = node.field("name"), node.field("body")
    if name is None or body is None or _KEYWORDS.fullmatch(name.text()):
        return []
    return [TextEdit(reading.span(node).start, reading.span(body).start, f"{name.text()}() ")]


def arithmetic(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`$[ ]` as `$(( ))`."""
    start, end = reading.span(node)
    if start and reading.text[start - 1] in "$\\":
        return []
    return [TextEdit(start, start + 2, "$(("), TextEdit(end - 1, end, "))")]


def label(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`:name => value` as `name: value`."""
    key, value = node.field("key"), node.field("value")
    if key is None or value is None:
        return []
    name = _SYMBOL.fullmatch(key.text())
    start, end = reading.span(key).start, reading.span(value).start
    between = reading.text[reading.span(key).end : end]
    if name is None or between.strip() != "=>" or re.search(r"[\r\n]", between):
        return []
    if start and re.match(r"[\w?!:]", reading.text[start - 1]):
        return []
    space = between.partition("=>")[2] or " "
    return [TextEdit(start, end, f"{name[1]}:{space}")]


def words(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`["a", "b"]` as `%w[a b]`."""
    text = reading.source(node)
    found = [_WORD.fullmatch(each.text()) for each in named(node)]
    if len(found) < _MIN_WORDS or "\n" in text or any(each is None for each in found):
        return []
    above = node.parent()
    call = above.parent() if above is not None and above.kind() == "argument_list" else None
    if above is not None and call is not None and not above.text().startswith("("):
        method = call.field("method")
        if call.field("receiver") is None and (method is None or method.text() not in _TAKE_LISTS):
            return []  # what looks like a call may be an element of a variable
    if [each.text() for each in node.children()][-2] == "," or not text.startswith("["):
        return []
    return [TextEdit(*reading.span(node), f"%w[{' '.join(each[2] for each in found if each)}]")]


def arrow(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`lambda { |x| ... }` as `->(x) { ... }`."""
    method, block = node.field("method"), node.field("block")
    if method is None or block is None or block.kind() != "block" or len(named(node)) != 2:
        return []
    listed = block.field("parameters")
    start = reading.span(node).start
    opened = reading.span(block).start
    if listed is None:
        if re.search(r"\b_1\b|\bit\b", block.text()):
            return []
        return [TextEdit(start, opened, "-> ")]
    place = reading.span(listed)
    held = reading.text[place.start + 1 : place.end - 1]
    if not re.fullmatch(r"[\w\s,*&:=]*", held) or held.endswith(","):
        return []
    behind = place.end
    return [TextEdit(start, behind, f"->({held.strip()}) {{")]


def tail(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`return x` at the end of a method as `x`."""
    body = node.parent()
    held = next((each for each in named(node) if each.kind() == "argument_list"), None)
    if body is None or held is None or len(named(held)) != 1 or named(body)[-1] != node:
        return []
    if len(named(body)) < 2 and str(named(held)[0].kind()) == "hash":
        return []
    if str(named(held)[0].kind()) in (
        "splat_argument",
        "pair",
        "block_argument",
        "hash_splat_argument",
    ):
        return []
    if str(named(held)[0].kind()) == "hash" or reading.source(held).startswith("("):
        return []
    return [TextEdit(reading.span(node).start, reading.span(held).start, "")]


def unless(reading: Reading, node: SgNode, options: Any) -> list[TextEdit]:
    """`if !x` as `unless x`, and the other way round."""
    condition = node.field("condition")
    word = next((each for each in node.children() if each.text() in ("if", "unless")), None)
    if condition is None or word is None:
        return []
    bang, held = condition.children()[0], named(condition)
    if bang.text() != "!" or len(held) != 1 or held[0].text().startswith("!"):
        return []
    end = reading.span(held[0]).start
    return [
        TextEdit(*reading.span(word), options["word"]),
        TextEdit(reading.span(bang).start, end, ""),
    ]


def plain_raise(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`raise RuntimeError, "x"` as `raise "x"`."""
    listed = node.field("arguments")
    held = named(listed) if listed is not None else []
    if len(held) != 2 or held[1].kind() != "string":
        return []
    return [TextEdit(reading.span(held[0]).start, reading.span(held[1]).start, "")]


def reader(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace a method that returns the variable of its name by `attr_reader`."""
    name, body = node.field("name"), node.field("body")
    if (
        name is None
        or body is None
        or body.text() != f"@{name.text()}"
        or name.text() == "initialize"
    ):
        return []
    return [TextEdit(*reading.span(node), f"attr_reader :{name.text()}")]
