"""Compare Python syntax trees and comments in V2, for code that only gets docstrings."""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.syntax import source_of

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_Pairs = list[tuple[Any, Any]]


class _DifferError(Exception):
    """Two trees differ. The message says where."""


def compare(comparison: Comparison) -> Evidence:
    """Compare the trees of two Python programs.

    They may differ in positions and in docstrings that the original lacks. No comment may vanish.
    """
    if comparison.language != "python" or comparison.target != "python":
        return not_applicable("Syntax trees are compared for Python only.")
    before, after = read(comparison.before, True), read(comparison.after, True)
    if before is None or after is None:  # invalid type comments are plain comments
        before, after = read(comparison.before), read(comparison.after)
    if before is None:
        unread = "The original cannot be read as Python, so nothing can be compared."
        is_changed = comparison.before != comparison.after
        return failed(unread) if is_changed else not_applicable(unread)
    if after is None:
        return failed("The result does not parse as Python.")
    try:
        nodes, added = _compared(before, after)
    except _DifferError as difference:
        return failed(f"The syntax trees differ: {difference}.")
    gone = missing(comparison)
    if gone:
        return failed(gone)
    but = f" except for {added} added docstring{'s' * (added != 1)}" if added else ""
    return passed(
        f"The syntax trees are equal{but}: {nodes} nodes were compared.",
        conclusive=True,
    )


def read(code: str, type_comments: bool = False) -> ast.Module | None:
    """Parse Python code. Return None if it is invalid or nested too deeply."""
    try:
        return source_of(code).python(type_comments=type_comments)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _compared(before: ast.AST, after: ast.AST) -> tuple[int, int]:
    """Return the number of compared nodes and of added docstrings.

    :raises _DifferError: if anything else differs.
    """
    nodes = added = 0
    pairs: _Pairs = [(before, after)]
    while pairs:
        one, other = pairs.pop()
        if type(one) is not type(other):
            raise _DifferError(f"{_kind(one)} became {_kind(other)}{_place(one, other)}")
        nodes += 1
        if _adds_docstring(one, other):
            added += 1
            pairs.extend(_fields(one, other, without_first=True))
        else:
            pairs.extend(_fields(one, other))
    return nodes, added


def _adds_docstring(one: ast.AST, other: ast.AST) -> bool:
    """Return whether the second node has a docstring and the first does not."""
    return (
        isinstance(one, _DOCUMENTED)
        and isinstance(other, _DOCUMENTED)
        and len(other.body) == len(one.body) + 1
        and not is_docstring(one.body)
        and is_docstring(other.body)
    )


def is_docstring(body: list[ast.stmt]) -> bool:
    """Return whether a body starts with a docstring."""
    first = body[0] if body else None
    return (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )


def _fields(one: ast.AST, other: ast.AST, without_first: bool = False) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of child nodes within two nodes of one type.

    :raises _DifferError: if anything other than nodes differs.
    """
    for field in one._fields if not isinstance(one, ast.TypeIgnore) else ("tag",):
        left, right = getattr(one, field, None), getattr(other, field, None)
        if without_first and field == "body":
            right = right[1:]  # type: ignore[index]
        lists = isinstance(left, list) and isinstance(right, list)
        if lists and len(left) != len(right):  # type: ignore[arg-type]
            raise _DifferError(f"`{field}` has another length{_place(one, other)}")
        for each, their in zip(left, right, strict=True) if lists else [(left, right)]:  # type: ignore[arg-type]
            if isinstance(each, ast.AST):
                yield each, their
            elif not _same(each, their):
                raise _DifferError(f"`{field}` of {_kind(one)} differs{_place(one, other)}")


def _same(one: object, other: object) -> bool:
    """Return whether two values are equal. `1` and `1.0` differ, and so do `0.0` and `-0.0`."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float | complex):  # `nan` is not a literal
        return repr(one) == repr(other)
    return one == other


def _kind(value: object) -> str:
    return f"`{type(value).__name__}`" if isinstance(value, ast.AST) else "something"


def _place(one: object, other: object) -> str:
    lines = [getattr(each, "lineno", 0) for each in (one, other)]
    return f" (line {lines[0]}, now line {lines[1]})" if all(lines) else ""


_SILENCING = re.compile(r"noqa\b", re.IGNORECASE)
_UNUSED_SILENCING = "RUF100"
_CODING = re.compile(r"[ \t\f]*.*?coding[:=]")
_DECLARED = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF_8 = "utf-8"
_NEEDLESS_CODING = "UP009"
_SHEBANG = "EXE"
_LAST_LINE_OF_CODING = 2


class UnreadableCommentsError(Exception):
    """The code cannot be split into tokens."""


def missing(comparison: Comparison) -> str:
    """Describe missing comments, or a new comment that changes the file's encoding.

    Return an empty string if all is well.

    Comments may move, be joined on one line, or get other whitespace. A rule that removes unused
    suppressions or a declaration of the default encoding may remove just these.
    """
    if has_other_encoding(comparison):
        return "The result declares another encoding of the file."
    if "#" not in comparison.before or comparison.before == comparison.after:
        return ""
    try:
        before, after = _comments(comparison.before), _comments(comparison.after)
    except UnreadableCommentsError:
        return "The comments cannot be compared, because the code cannot be split into tokens."
    rules = {change.rule for change in comparison.changes}
    left = Counter(part for _, parts in after for part in parts)
    gone: list[int] = []
    for line, parts in before:
        lost = [part for part in parts if not _taken(part, left)]
        if any(not _may_go(part, line, rules) for part in lost):
            gone.append(line)
    if not gone:
        return ""
    count = "1 comment is" if len(gone) == 1 else f"{len(gone)} comments are"
    first = "" if len(gone) == 1 else "the first "
    return f"{count} missing, {first}on line {gone[0]}."


def has_other_encoding(comparison: Comparison) -> bool:
    """Return whether a comment of the result makes Python read the file in another encoding."""
    before = _encoding(comparison.before) if comparison.language == "python" else _UTF_8
    return _encoding(comparison.after) not in (_UTF_8, before)


def _encoding(code: str) -> str:
    """Return the encoding that a comment in the first two lines declares."""
    lines = code.removeprefix("\ufeff").splitlines()[:_LAST_LINE_OF_CODING]
    for line in lines:
        declared = _DECLARED.match(line)
        if declared:
            try:
                return codecs.lookup(declared[1]).name
            except LookupError:
                return declared[1]
        if line.partition("#")[0].strip():
            break
    return _UTF_8


def _taken(part: str, left: Counter[str]) -> bool:
    """Take one copy of a comment from `left`. Return whether there was one."""
    if not left[part]:
        return False
    left[part] -= 1
    return True


def _may_go(part: str, line: int, rules: Collection[str]) -> bool:
    if _SILENCING.match(part):
        return _UNUSED_SILENCING in rules
    if line <= _LAST_LINE_OF_CODING and _CODING.match(part):
        return _NEEDLESS_CODING in rules
    return line == 1 and part.startswith("!") and any(rule.startswith(_SHEBANG) for rule in rules)


def _comments(code: str) -> list[tuple[int, list[str]]]:
    """Return the line and the parts of each comment: the text after each `#`, stripped.

    :raises UnreadableCommentsError: if the code cannot be split into tokens.
    """
    read = io.StringIO(code.removeprefix("\ufeff"), newline=None).readline
    try:
        return [
            (token.start[0], [part for each in token.string.split("#") if (part := each.strip())])
            for token in tokenize.generate_tokens(read)
            if token.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError):
        raise UnreadableCommentsError from None


_LEFT_OUT = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


def text_of(node: ast.AST) -> str:
    """Return a tree as text, without positions and without fields that do not affect the
    program."""
    pieces: list[str] = []
    _write(node, pieces)
    return "".join(pieces)


def same(one: ast.AST, other: ast.AST) -> bool:
    """Return whether two trees are equal."""
    return type(one) is type(other) and text_of(one) == text_of(other)


def words(text: str) -> list[str]:
    """Split a text into words, to write down long lists."""
    return text.split()


def _write(node: ast.AST, pieces: list[str]) -> None:
    kind = type(node)
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _LEFT_OUT)
    pieces.append(f"{kind.__name__}(")
    for name in fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            _write(value, pieces)
        elif isinstance(value, list):
            pieces.append("[")
            for each in value:
                if isinstance(each, ast.AST):
                    _write(each, pieces)
                else:
                    pieces.append(repr(each))
                pieces.append(",")
            pieces.append("]")
        else:
            # Include the type, because 1, 1.0 and True differ. Long numbers are hexadecimal,
            # because decimal conversion is slow and Python rejects it.
            written = f"{value:x}" if type(value) is int else repr(value)
            pieces.append(f"{type(value).__name__}:{written}")
        pieces.append(",")
    pieces.append(")")
