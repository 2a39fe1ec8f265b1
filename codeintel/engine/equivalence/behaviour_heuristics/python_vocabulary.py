"""Read the constants and names of Python code, and the members of modules that it uses under any
name."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import (
    Vocabulary,
    brace_pieces,
    folded,
    format_pieces,
    listed,
    percent_pieces,
    written,
)
from codeintel.engine.equivalence.python_trees import read

_Defining = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LEAVING = frozenset(
    {
        *("breakpoint", "compile", "exit", "globals", "help", "input", "locals", "open", "quit"),
        *("vars", "SystemExit"),
    }
)


def note_reach(tree: ast.Module, found: Vocabulary) -> None:
    """Record the members of modules that the code uses, and what the module itself defines."""
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
    """Return the modules that names stand for, in any scope."""
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
    """Return the dotted name of a module's attribute, such as `os.path.join`, or an empty
    string."""
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


_UNREAD_FIELDS = frozenset({"annotation", "returns", "type_params"})
_SQUARES = (2, 0.5)


def python_vocabulary(code: str) -> Vocabulary | None:
    """Read the vocabulary of code without docstrings and types, or return None if it cannot be
    parsed."""
    tree = read(code)
    if tree is None:
        return None
    found = Vocabulary()
    note_reach(tree, found)
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        value = folded(node) if isinstance(node, ast.expr) else None
        if value is not None:
            found.add_number(written(value), _line(node), _parts(node))
            continue
        said = text_of(node)
        if said is not None:
            found.add_text(said.pieces, _line(node))
            _name(node, found)
            stack.extend(said.others)
            continue
        _name(node, found)
        stack.extend(_inside(node))
    return found


def _inside(node: ast.AST) -> Iterable[ast.AST]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return ()
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        power = node.right
        if isinstance(power, ast.Constant) and power.value in _SQUARES:
            return (node.left,)
    return [
        each
        for name, value in ast.iter_fields(node)
        if name not in _UNREAD_FIELDS
        for each in (value if isinstance(value, list) else (value,))
        if isinstance(each, ast.AST)
    ]


def _parts(node: ast.AST) -> list[str]:
    """Return the numbers in an expression that consists of numbers."""
    several = [folded(each) for each in ast.walk(node) if isinstance(each, ast.Constant)]
    return [written(each) for each in several if each is not None]


def _name(node: ast.AST, found: Vocabulary) -> None:
    line = _line(node)
    match node:
        case ast.Constant(value=bytes(value)):
            found.add_text([value.decode("latin-1")], line)
        case ast.Name(id=name, ctx=ast.Load()):
            found.add_name(name, line)
        case ast.Name(id=name):
            found.words[name] += 1
            found.defined.add(name)
        case ast.Attribute(value=inner, attr=name):
            found.add_name(name, line)
            if isinstance(inner, ast.Name):
                found.add_name(f"{inner.id}.{name}", line)
        case ast.Import(names=names):
            for each in names:
                found.imports.setdefault(each.name.partition(".")[0], line)
                if each.asname:
                    found.add_name(each.name.partition(".")[0], line)
        case ast.ImportFrom(names=names):
            module = "." * node.level + (node.module or "").partition(".")[0]
            found.imports.setdefault(module, line)
            for each in names:
                found.add_name(each.name, line)
                found.add_name(f"{module}.{each.name}", line)
        case ast.keyword(arg=str(name)):
            found.words[name] += 1
        case (
            ast.FunctionDef(name=name)
            | ast.ClassDef(name=name)
            | ast.AsyncFunctionDef(name=name)
            | ast.arg(arg=name)
        ):
            found.words[name] += 1
            found.defined.add(name)
        case _:
            pass


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 1)


_LOGGING = listed("debug info warning warn error exception critical log")


class Text(NamedTuple):
    """The pieces of a string, and the nodes that are interpolated into it."""

    pieces: list[str]
    others: list[ast.AST]


def text_of(node: ast.AST) -> Text | None:
    """Return the string that an expression builds, or None."""
    if isinstance(node, ast.Constant):
        return Text([node.value], []) if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return _joined(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _sum(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        text = _plain(node.left)
        return Text(percent_pieces(text), [node.right]) if text is not None else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _call(node, node.func)
    return None


def _plain(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _call(node: ast.Call, called: ast.Attribute) -> Text | None:
    text = _plain(called.value)
    if called.attr == "format" and text is not None:
        return Text(brace_pieces(text), [*node.args, *node.keywords])
    first = _plain(node.args[0]) if node.args else None
    if called.attr in _LOGGING and first is not None and len(node.args) > 1:
        return Text(percent_pieces(first), [called, *node.args[1:], *node.keywords])
    return None


def _joined(node: ast.JoinedStr) -> Text:
    said = Text([], [])
    for each in node.values:
        if isinstance(each, ast.FormattedValue):
            said.others.append(each.value)
            how = each.format_spec
            parts = how.values if isinstance(how, ast.JoinedStr) else []
            constant = "".join(_plain(part) or "" for part in parts)
            said.pieces.extend(format_pieces(constant))
            said.others.extend(p.value for p in parts if isinstance(p, ast.FormattedValue))
        else:
            said.pieces.append(_plain(each) or "")
    return said


def _sum(node: ast.BinOp) -> Text:
    """Read a sum, which is a string if one of its terms is."""
    terms: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
        terms.append(left.right)
        left = left.left
    terms.append(left)
    if not any(isinstance(term, ast.JoinedStr) or _plain(term) is not None for term in terms):
        return Text([], [*terms])
    said = Text([], [])
    for term in reversed(terms):
        inner = text_of(term) if not isinstance(term, ast.BinOp) else None
        said.pieces.extend(inner.pieces if inner else [])
        said.others.extend(inner.others if inner else [term])
        if isinstance(term, ast.Call) and inner:
            said.others.append(term.func)
    return said
