"""What annotations promise, with what is inside of collections."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context

_PLAIN = ("int", "str", "list", "dict", "set")
_INSIDE = ("int", "str")


def promised(annotation: ast.expr | None, context: Context) -> str:
    """The kind of what is annotated, such as `int`, `list<str>` or `dict<str,int>`; else empty. A
    `bool` is an `int`, and an `int` will do for a `float`: of those nothing is promised."""
    if context.in_annotation or annotation is None:
        return ""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return ""
    if isinstance(annotation, ast.Name):
        return annotation.id if context.is_builtin(annotation, *_PLAIN) else ""
    match annotation:
        case ast.Subscript(value=ast.Name(id="list" | "set" as kind) as owner, slice=inside):
            if context.is_builtin(owner, kind):
                return f"{kind}<{_inside(inside, context)}>"
        case ast.Subscript(value=ast.Name(id="dict") as owner, slice=ast.Tuple(elts=[key, value])):
            if context.is_builtin(owner, "dict"):
                return f"dict<{_inside(key, context)},{_inside(value, context)}>"
    return ""


def _inside(node: ast.expr, context: Context) -> str:
    kind = node.id if isinstance(node, ast.Name) else ""
    return kind if kind in _INSIDE and context.is_builtin(node, kind) else ""
