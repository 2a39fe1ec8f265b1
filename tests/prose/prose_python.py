"""Extract docstrings, comments and messages from Python code."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator

DEFINITIONS = {
    ast.FunctionDef: "function",
    ast.AsyncFunctionDef: "function",
    ast.ClassDef: "class",
    ast.Module: "module",
}
DIRECTIVES = re.compile(r"#(?:!| ?(?:noqa|type:|pragma|ruff:|fmt:|codespell:|mypy:|nosec))")
WORDS = re.compile(r"[A-Za-z][a-z'-]* [A-Za-z_][a-z'_-]*")
CODE = re.compile(
    r"\\|\(\?|[{}<>;=$@\[\]]|\w\("
    r"|^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|PRAGMA|ALTER|SET|DROP)\b"
    r"|^(?:def|class|import|from|return|if|for|while) |^[a-z_-]+: [a-z'-]+$"
)
"""Marks strings that are code, patterns or queries rather than messages."""

Found = tuple[int, str, str, str]
"""The line, kind, owner and body of a text."""


def python_texts(source: str, *, has_messages: bool) -> Iterator[Found]:
    """Yield the docstrings and comments of a module, and its messages if it may have some."""
    with warnings.catch_warnings(action="ignore"):  # of escapes in code that tests analyze
        try:
            tree = ast.parse(source)
        except SyntaxError:
            return
    docstrings = set()
    for owner, node in _docstring_nodes(tree):
        docstrings.add(id(node))
        yield node.lineno, "docstring", owner, str(node.value)
    yield from ((line, "comment", "", body) for line, body in _comments(source))
    if has_messages:
        yield from _messages(tree, docstrings)


def _docstring_nodes(tree: ast.Module) -> Iterator[tuple[str, ast.Constant]]:
    """Yield docstrings with the kind of their owners.

    A property is a value, and so is the text below a field.
    """
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for index, statement in enumerate(body):
            match statement:
                case ast.Expr(value=ast.Constant(value=str()) as constant):
                    owner = DEFINITIONS.get(type(node), "") if index == 0 else "value"
                    yield "value" if _is_property(node) else owner or "value", constant


def _is_property(node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any("property" in ast.unparse(each).rpartition(".")[2] for each in decorators)


def _comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield comments; those on successive lines are one."""
    block: list[str] = []
    first = last = column = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or DIRECTIVES.match(token.string):
            continue
        line, start = token.start
        if block and (line != last + 1 or start != column):
            yield first, "\n".join(block)
            block = []
        if not block:
            first = line
        block.append(token.string.lstrip("#: "))
        last, column = line, start
    if block:
        yield first, "\n".join(block)


def _messages(tree: ast.Module, docstrings: set[int]) -> Iterator[Found]:
    """Yield strings that look like sentences. Values within them become underscores."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in docstrings or id(node) in inside:
            continue
        if isinstance(node, ast.JoinedStr):
            inside.update(id(each) for each in node.values)
            body = "".join(
                str(each.value) if isinstance(each, ast.Constant) else "_" for each in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            body = node.value
        else:
            continue
        if is_prose(body):
            yield node.lineno, "message", "", body


def is_prose(body: str) -> bool:
    """Detect prose by two adjacent words and the absence of code."""
    unquoted = re.sub(r"`[^`]*`", "_", body)
    return bool(WORDS.search(unquoted)) and not CODE.search(unquoted)
