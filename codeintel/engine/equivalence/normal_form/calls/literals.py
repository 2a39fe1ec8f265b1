"""Calls that give what can be written as a literal, and calls of literals."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context

_LOAD = ast.Load()
_UTF8 = frozenset({"utf-8", "utf8", "UTF-8", "UTF8", "utf_8"})


def literal(node: ast.Call, context: Context) -> ast.AST | None:
    """`str("a")` is `"a"`, and `str()` is `""`."""
    if node.keywords or len(node.args) > 1 or not isinstance(node.func, ast.Name):
        return None
    empty: dict[str, object] = {"str": "", "int": 0, "float": 0.0, "bool": False, "bytes": b""}
    name = node.func.id
    if name not in empty or not context.is_builtin(node.func, name):
        return None
    if not node.args:
        context.took("literals made by calls")
        return ast.Constant(empty[name])  # type: ignore[arg-type]
    only = node.args[0]
    if isinstance(only, ast.Constant) and type(only.value).__name__ == name:
        context.took("literals made by calls")
        return only
    if isinstance(only, ast.JoinedStr) and name == "str":
        context.took("literals made by calls")
        return only
    return None


def encoded(node: ast.Call, context: Context) -> ast.AST | None:
    """`"a".encode("utf-8")` is `b"a"`, and UTF-8 is what `encode` takes anyway."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "encode":
        return None
    value = node.func.value
    match node:
        case ast.Call(args=[ast.Constant(value=str(name))], keywords=[]) if name in _UTF8:
            pass
        case ast.Call(
            args=[], keywords=[ast.keyword(arg="encoding", value=ast.Constant(value=str(name)))]
        ) if name in _UTF8:
            pass
        case ast.Call(args=[], keywords=[]):
            name = ""
        case _:
            return None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        try:
            encoded = value.value.encode()
        except UnicodeEncodeError:
            return None
        context.took("encoded literals")
        return ast.Constant(encoded)
    if not name or context.kind(value) != "str":
        return None
    context.took("the default of encode()")
    return ast.Call(node.func, [], [])


def type_of_literal(node: ast.Call, context: Context) -> ast.AST | None:
    """`type("")` is `str`."""
    match node:
        case ast.Call(
            func=function,
            args=[ast.Constant(value=str() | int() | float() | bytes() as v)],
            keywords=[],
        ):
            name = type(v).__name__
            if context.is_builtin(function, "type") and context.means_builtin(name):
                context.took("types of literals")
                return ast.Name(name, _LOAD)
    return None


def split(node: ast.Call, context: Context) -> ast.AST | None:
    """`"a b".split()` is `["a", "b"]`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), keywords=[]
        ):
            separator: str | None = None
            match node.args:
                case []:
                    pass
                case [ast.Constant(value=str(given))] if given:
                    separator = given
                case _:
                    return None
            context.took("literals that are split")
            return ast.List([ast.Constant(each) for each in text.split(separator)], _LOAD)
    return None
