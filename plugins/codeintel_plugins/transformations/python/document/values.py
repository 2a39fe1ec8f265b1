"""Types, defaults and conditions as a docstring may repeat them. Texts that could be secrets, and
whatever is long, are never repeated."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

_MAX_CHARACTERS = 60
_MAX_NODES = 40
_MAX_TEXT = 20
_CREDENTIAL = re.compile(
    r"pass|pwd|secret|token|credential|auth|salt|private|signature|cookie|session|bearer|pin$|api"
    r"|(?:^|_)keys?(?:_|$)|(?:^|_)dsn(?:_|$)|hash|seed|nonce|conn",
    re.IGNORECASE,
)
_HARMLESS = re.compile(r"[A-Za-z ./,_-]*|[0-9][0-9.]{0,7}|[%A-Za-z :/.-]{1,20}|utf-?8|\W{1,3}")
_PLAIN = re.compile(r"[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]*")
_EMPTY = (ast.List, ast.Dict, ast.Tuple, ast.Set)


def is_credential(name: str) -> bool:
    """Whether something of this name may be a secret."""
    return bool(_CREDENTIAL.search(name))


def shown_type(node: ast.expr | None) -> str:
    """A type as it is written, without the quotes of a forward reference; empty if it is long."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _bounded(" ".join(node.value.split()))
    return _bounded(_source(node)) if node is not None else ""


def shown_default(node: ast.expr, name: str) -> str:
    """A default as it is written; empty if it is not to be repeated."""
    if isinstance(node, ast.Constant):
        value = node.value
        if value is None or value is ... or isinstance(value, bool):
            return str(value) if value is not ... else ""
        return "" if is_credential(name) or not _is_harmless(value) else _source(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        number = isinstance(node.operand.value, int | float)
        return _source(node) if number and not is_credential(name) else ""
    if isinstance(node, _EMPTY) and not ([*ast.iter_child_nodes(node)][1:] or _has_items(node)):
        return _source(node)
    if isinstance(node, ast.Name | ast.Attribute):
        text = _bounded(_source(node))
        return "" if any(part.startswith("_") for part in text.split(".")) else text
    return ""


def shown_condition(node: ast.expr, parameters: Collection[str]) -> str:
    """A condition that is about parameters only, as it is written; empty for any other."""
    text = _source(node)
    if not text or len(text) > _MAX_CHARACTERS or "`" in text:
        return ""
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id not in parameters and each.id not in _KNOWN:
            return ""
        if isinstance(each, ast.Name) and is_credential(each.id) and _has_constants(node):
            return ""
        if isinstance(each, ast.Attribute) and is_credential(each.attr) and _has_constants(node):
            return ""
        if isinstance(each, ast.Constant) and not _is_harmless(each.value):
            return ""
        if isinstance(each, ast.NamedExpr | ast.Await | ast.Lambda | ast.JoinedStr | ast.Yield):
            return ""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return text if names & set(parameters) else ""


_KNOWN = frozenset(
    {"self", "cls", "len", "isinstance", "issubclass", "callable", "hasattr", "type"}
)
_KNOWN |= {"str", "int", "float", "bool", "bytes", "list", "dict", "set", "tuple", "any", "all"}


def _has_constants(node: ast.expr) -> bool:
    return any(
        isinstance(each, ast.Constant) and each.value not in (None, True, False, "", 0)
        for each in ast.walk(node)
    )


def _has_items(node: ast.expr) -> bool:
    return bool(getattr(node, "elts", None) or getattr(node, "keys", None))


def _is_harmless(value: object) -> bool:
    """Whether a constant says nothing that a docstring must not repeat."""
    if isinstance(value, str):
        return len(value) <= _MAX_TEXT and bool(_HARMLESS.fullmatch(value)) and ">>>" not in value
    if isinstance(value, bytes):
        return not value
    return len(str(value)) <= _MAX_TEXT if not isinstance(value, int) else abs(value) < 10**12


def _source(node: ast.expr) -> str:
    """An expression on one line; empty for what is long, or would not do in a docstring."""
    stack: list[ast.AST] = [node]
    nodes = 0
    while stack:
        stack.extend(ast.iter_child_nodes(stack.pop()))
        nodes += 1
        if nodes > _MAX_NODES:
            return ""
    try:
        text = ast.unparse(node)
    except (ValueError, RecursionError):
        return ""
    return text if '"""' not in text and _PLAIN.fullmatch(text) else ""


def _bounded(text: str) -> str:
    fits = len(text) <= _MAX_CHARACTERS and '"""' not in text and _PLAIN.fullmatch(text)
    return text if fits else ""
