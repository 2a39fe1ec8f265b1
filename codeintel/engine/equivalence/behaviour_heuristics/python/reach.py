"""What Python uses of modules, whatever it calls them."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.behaviour_heuristics.words.reading import Vocabulary

_Defining = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LEAVING = frozenset(
    {
        *("breakpoint", "compile", "exit", "globals", "help", "input", "locals", "open", "quit"),
        *("vars", "SystemExit"),
    }
)


def note_reach(tree: ast.Module, found: Vocabulary) -> None:
    """Note what is used of modules, and what the module itself defines."""
    found.functions.update(each.name for each in tree.body if isinstance(each, _Defining))
    modules = _modules(tree)
    named = modules.keys() | _LEAVING
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            for each in node.names:
                found.reached.setdefault(f"{node.module}.{each.name}", node.lineno)
        elif isinstance(node, ast.Attribute) and id(node) not in inner:
            name = _chain(node, modules, inner)
            if name:
                found.reached.setdefault(name, node.lineno)
        elif isinstance(node, ast.Name) and id(node) not in inner and node.id in named:
            found.reached.setdefault(modules.get(node.id, node.id), node.lineno)


def _modules(tree: ast.Module) -> dict[str, str]:
    """The modules that names stand for, in whatever scope."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                first = each.name.partition(".")[0]
                found[each.asname or first] = each.name if each.asname else first
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for each in node.names:
                found[each.asname or each.name] = f"{node.module}.{each.name}"
    return found


def _chain(node: ast.Attribute, modules: dict[str, str], inner: set[int]) -> str:
    """`os.path.join` of an attribute of a module."""
    names: list[str] = []
    value: ast.expr = node
    while isinstance(value, ast.Attribute):
        inner.add(id(value))
        names.append(value.attr)
        value = value.value
    if not isinstance(value, ast.Name) or value.id not in modules:
        return ""
    inner.add(id(value))
    return ".".join([modules[value.id], *names[::-1][:2]])
