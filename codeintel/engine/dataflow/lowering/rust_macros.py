"""Rust's macros that take expressions, rewritten as calls, so that their arguments are parsed.

The grammar knows only the tokens of a macro's arguments. `format!(a, b.c)` is parsed once more as
`formatǃ(a, b.c)`, whose last character before the parenthesis is a letter: the text keeps its
length, so that all places stay. Of other macros only the names are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import Argument, Name
from codeintel.engine.dataflow.tree import Span, Tree, parse, span, text_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode


MARK = "ǃ"
"""U+01C3, a letter that looks like an exclamation mark."""
INLINE = re.compile(r"\{([A-Za-z_]\w*)[:}]")
"""A variable that a format names within its text."""
_LOGGING = frozenset(["info", "warn", "error", "debug", "trace", "event", "log", "span"])
_TAKING = _LOGGING | frozenset(
    [
        "format",
        "format_args",
        "print",
        "println",
        "eprint",
        "eprintln",
        "write",
        "writeln",
        "dbg",
        "panic",
        "todo",
        "unimplemented",
        "unreachable",
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "vec",
        "matches",
        "bail",
        "ensure",
        "anyhow",
        "eyre",
        "format_err",
        "query",
        "query_as",
        "query_scalar",
        "query_unchecked",
        "params",
        "named_params",
        "join",
        "try_join",
        "concat",
        "err_context",
        "with_context",
        "try",
        "ready",
        "pin",
    ]
)
# `%name` and `?name` say how a value is logged.
_SIGIL = re.compile(r"(?<=[(,=])(\s{0,40})[%?](?=[\w&*(])")
_OPENING = {"(": ")", "[": "]"}


def expose_macros(tree: Tree) -> Tree:
    """The tree of the same text with such macros as calls."""
    from ast_grep_py import SgRoot

    text = list(text_of(tree))
    found = False
    for arguments in tree.root.find_all(kind="token_tree"):
        found = _expose(arguments, text) or found
    return Tree(SgRoot("".join(text), "rust").root(), tree.offset, "rust") if found else tree


@lru_cache(maxsize=2)
def _calls_in(text: str) -> SgNode | None:
    tree = parse(text, "rust")
    exposed = expose_macros(tree)
    return exposed.root if exposed is not tree else None


def find_in_macros(text: str, config: dict[str, Any]) -> list[SgNode]:
    """What a rule of ast-grep finds when macros are calls."""
    exposed = _calls_in(text)
    if exposed is None:
        return []
    return list(exposed.find_all(config))  # type: ignore[call-overload]


def _expose(arguments: SgNode, text: list[str]) -> bool:
    mark = arguments.prev()
    name = mark.prev() if mark is not None and mark.text() == "!" else None
    if mark is None or name is None:
        return False
    word, place = name.text().rpartition("::")[2], span(arguments)
    if word not in _TAKING or text[place.start] not in _OPENING:
        return False
    inner = "".join(text[place.start : place.end])
    if word in _LOGGING:
        if "target:" in inner:
            return False
        inner = _SIGIL.sub(r"\1&", inner)
    text[place.start : place.end] = inner
    text[span(mark).start] = MARK
    _bracket(arguments, place, text)
    return True


def _bracket(arguments: SgNode, place: Span, text: list[str]) -> None:
    """Parentheses for `vec![...]`, and a comma for the semicolon of `vec![value; count]`."""
    if text[place.start] == "[":
        text[place.start], text[place.end - 1] = "(", ")"
        for child in arguments.children():
            if child.text() == ";":
                text[span(child).start] = ","


def macro_arguments(tree: SgNode | None) -> Iterator[Argument]:
    """The names in a Rust macro's tokens, `{name}` within the text included."""
    if tree is None:
        return
    for child in tree.named_children():
        kind = child.kind()
        if kind in kinds.IDENTIFIERS:
            yield Argument(Name(span(child), child.text()), None)
        elif kind == "token_tree":
            yield from macro_arguments(child)
        elif kind in kinds.STRINGS:
            for match in INLINE.finditer(child.text()):
                yield Argument(Name(span(child), match[1]), None)
