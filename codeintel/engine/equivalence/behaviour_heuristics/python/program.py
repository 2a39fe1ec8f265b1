"""The constants and names of Python."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codeintel.engine.equivalence.behaviour_heuristics.python.reach import note_reach
from codeintel.engine.equivalence.behaviour_heuristics.python.texts import text_of
from codeintel.engine.equivalence.behaviour_heuristics.words.folding import folded, written
from codeintel.engine.equivalence.behaviour_heuristics.words.reading import Vocabulary
from codeintel.engine.equivalence.python_trees import read

_UNREAD_FIELDS = frozenset({"annotation", "returns", "type_params"})
_SQUARES = (2, 0.5)


def python_vocabulary(code: str) -> Vocabulary | None:
    """What the code holds, without docstrings and types; None if it cannot be read."""
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
    """The numbers that an expression of nothing but numbers is made of."""
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
