"""The docstring of a single definition."""

from __future__ import annotations

import ast

from codeintel_plugins.transformations.python.documenting import PythonDocument

from codeintel.contracts import RewriteRequest


def described(code: str, which: int = 0, style: str = "google") -> str:
    """Return the docstring of one of the definitions in code, in order of place; empty for none."""
    request = RewriteRequest(
        code=code, language="python", target="python", options={"style": style, "private": False}
    )
    tree = ast.parse(PythonDocument().rewrite(request).code)
    nodes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    return ast.get_docstring(nodes[which]) or ""
