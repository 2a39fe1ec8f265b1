"""What a program reads of its own docstrings or lines: new ones could make it do otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from codeintel_plugins.transformations.python.document.definitions import last_name

_DOC = "__doc__"
_OF_DOCSTRINGS = frozenset({"getdoc", "getcomments", "model_json_schema", "schema_json"})
_OF_SOURCE = frozenset({"getsource", "getsourcelines", "findsource", "co_consts", "co_code"})
_OF_LINES = frozenset({"f_lineno", "tb_lineno", "co_firstlineno", "extract_tb", "extract_stack"})
_OF_GRAMMARS = frozenset({"ply", "sly", "spark_parser"})
_USUAL_METACLASSES = frozenset({"ABCMeta", "EnumMeta", "EnumType", "type"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Readers(NamedTuple):
    """What must stay without docstrings, by name.

    :param refusal: why nothing at all may be described; empty if something may.
    :param names: functions and classes whose docstring the program reads or sets.
    :param classes: whether classes read their own.
    :param grammars: whether functions' docstrings are rules of a parser.
    :param metaclassed: classes whose bodies a metaclass of the program's own sees.
    """

    refusal: str
    names: frozenset[str]
    classes: bool
    grammars: bool
    metaclassed: frozenset[str]

    @classmethod
    def of(cls, tree: ast.Module) -> Readers:
        """Look through a module."""
        nodes = list(ast.walk(tree))
        defined = {node.name for node in nodes if isinstance(node, _DEFINITIONS)}
        copied = {
            id(node.value) for node in nodes if isinstance(node, ast.Assign) and _copies(node)
        }
        names, refusal, classes, grammars = set[str](), "", False, False
        metaclassed: set[str] = set()
        for node in nodes:
            if isinstance(node, ast.Attribute) and node.attr == _DOC:
                read = last_name(node.value)
                if read in ("self", "cls", "__class__", "type"):
                    classes = True
                elif read in defined:
                    names.add(read)
                elif isinstance(node.ctx, ast.Load) and id(node) not in copied:
                    refusal = refusal or _refusal(node, "reads docstrings")
            elif isinstance(node, ast.Import | ast.ImportFrom):
                grammars |= not _OF_GRAMMARS.isdisjoint(_modules(node))
            elif isinstance(node, ast.ClassDef) and _is_metaclassed(node):
                metaclassed.add(node.name)
            else:
                why = _why(node, defined)
                refusal = refusal or (_refusal(node, why) if why else "")
        inherited = _heirs(nodes, metaclassed)
        return cls(refusal, frozenset(names), classes, grammars, inherited)


def _refusal(node: ast.AST, why: str) -> str:
    line = getattr(node, "lineno", 1)
    return f"line {line}: the program {why} while it runs, so new docstrings could change it"


def _why(node: ast.AST, defined: set[str]) -> str:
    """Why a node keeps the whole module from being described; empty if it does not."""
    if isinstance(node, ast.Constant):
        return "reads docstrings" if node.value == _DOC else ""
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        if name == "help" and isinstance(node.func, ast.Name) and name not in defined:
            return "shows docstrings"
        return "reads its own source" if name == "open" and _is_own_file(node) else ""
    if not isinstance(node, ast.Attribute | ast.Name):
        return ""
    name = node.attr if isinstance(node, ast.Attribute) else node.id
    if name in defined:
        return ""
    if name in _OF_DOCSTRINGS:
        return "reads docstrings"
    if name in _OF_SOURCE:
        return "reads its own source"
    return "reads its own line numbers" if name in _OF_LINES else ""


def _is_own_file(node: ast.Call) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "__file__" for each in node.args)


def _copies(node: ast.Assign) -> bool:
    """Whether it does nothing but hand a docstring on."""
    return all(
        (isinstance(target, ast.Attribute) and target.attr == _DOC)
        or (isinstance(target, ast.Name) and target.id == _DOC)
        for target in node.targets
    )


def _modules(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
    return (name.partition(".")[0] for name in names)


def _is_metaclassed(node: ast.ClassDef) -> bool:
    return any(
        keyword.arg == "metaclass" and last_name(keyword.value) not in _USUAL_METACLASSES
        for keyword in node.keywords
    )


def _heirs(nodes: list[ast.AST], classes: set[str]) -> frozenset[str]:
    """The classes, and those that inherit from them, however far."""
    heirs: dict[str, list[str]] = {}
    for node in nodes:
        for base in node.bases if isinstance(node, ast.ClassDef) else ():
            heirs.setdefault(last_name(base), []).append(node.name)  # type: ignore[attr-defined]
    found, new = set[str](), list(classes)
    while new:
        name = new.pop()
        if name not in found:
            found.add(name)
            new += heirs.get(name, ())
    return frozenset(found)
