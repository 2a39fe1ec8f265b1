"""What conditions ask about, taken apart: which expressions are only a piece of a value, and what
they say."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.dataflow.ir import Call, Expr, Index, Join, Literal, Member, Name, Test

_PARTS = frozenset({"scheme", "protocol", "suffix", "extension", "content_type", "mimetype"})
_SPLITS = frozenset(
    {
        "split",
        "rsplit",
        "splitext",
        "partition",
        "rpartition",
        "extname",
        "getExtension",
        "GetExtension",
        "Ext",
    }
)
_CASES = frozenset({"lower", "upper", "strip", "casefold", "lstrip", "rstrip", "toLowerCase"})
SCHEMES = frozenset({"protocol", "scheme", "Scheme", "length", "size"})
SCHEME_GETTERS = frozenset({"getScheme", "getProtocol", "scheme"})
# What they give is one piece of many, or what a form calls its field: it tells nothing of the rest.
_PIECES = _SPLITS | SCHEME_GETTERS | {"next", "nth", "name"}


def is_partial(expr: Expr) -> bool:
    """Whether it is a part of a value that says nothing of the rest: an address's scheme, a file's
    extension, the first word."""
    expr = inner(expr)
    while isinstance(expr, Call) and isinstance(expr.callee, Member):
        if expr.callee.name not in _CASES:
            return expr.callee.name in _PIECES
        expr = expr.callee.object
    if isinstance(expr, Call):
        return _name_of(expr.callee) in _SPLITS
    if isinstance(expr, Index):
        return is_partial(expr.object) or (
            isinstance(expr.object, Call) and _name_of(expr.object.callee) in _SPLITS
        )
    return isinstance(expr, Member) and expr.name in _PARTS


def _name_of(expr: Expr) -> str:
    return expr.name if isinstance(expr, Member) else expr.id if isinstance(expr, Name) else ""


def getter(expr: Expr) -> str:
    """The name of the method if an expression is a call without arguments, otherwise nothing."""
    expr = inner(expr)
    if isinstance(expr, Call) and not expr.args and isinstance(expr.callee, Member):
        return expr.callee.name
    return ""


def parts_of(expr: Expr) -> Iterator[Expr]:
    """The expressions that a call, a member or several values together are made of."""
    if isinstance(expr, Call):
        yield from (expr.callee, *(argument.value for argument in expr.args))
    elif isinstance(expr, Member):
        yield expr.object
    elif isinstance(expr, Join):
        yield from expr.parts


def is_path_part(text: str) -> bool:
    """Whether a text separates the parts of a path, or leads up in it."""
    return ".." in text or text in ("/", "\\", "\\\\")


def inner(expr: Expr) -> Expr:
    """What a list of one value holds."""
    while isinstance(expr, Join) and len(expr.parts) == 1:
        expr = expr.parts[0]
    return expr


def literal_text(expr: Expr) -> str:
    """A constant's text, or a variable's name."""
    expr = inner(expr)
    if isinstance(expr, Test) and expr.operator == "-" and len(expr.parts) == 1:
        return f"-{literal_text(expr.parts[0])}"
    if isinstance(expr, Literal):
        return expr.text
    return expr.id if isinstance(expr, Name) else "?"


def last_name(dotted: str) -> str:
    """The last word of a full name."""
    return dotted.rpartition(".")[2]
