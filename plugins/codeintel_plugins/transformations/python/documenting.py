"""Docstrings for definitions that lack one, unless the program reads its own docstrings."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel_plugins.transformations.python.definitions import (
    Definition,
    Facts,
    definitions,
    last_name,
)
from codeintel_plugins.transformations.python.descriptions import describe
from codeintel_plugins.transformations.python.docstrings import STYLES, Insertions

_DOC = "__doc__"
_OF_DOCSTRINGS = frozenset({"getdoc", "getcomments", "model_json_schema", "schema_json"})
_OF_SOURCE = frozenset({"getsource", "getsourcelines", "findsource", "co_consts", "co_code"})
_OF_LINES = frozenset({"f_lineno", "tb_lineno", "co_firstlineno", "extract_tb", "extract_stack"})
_OF_GRAMMARS = frozenset({"ply", "sly", "spark_parser"})
_USUAL_METACLASSES = frozenset({"ABCMeta", "EnumMeta", "EnumType", "type"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_INHERITED = frozenset({"override", "overrides"})
_SIGNATURES = frozenset({"overload"})
_FIXED_PREFIXES = {"Cmd": "do_", "TestCase": "test"}
"""Methods whose docstrings a base class shows instead of their names, by the end of its name."""
_TOO_DEEP = "line 1: the code is nested too deeply or has invalid characters"


class Readers(NamedTuple):
    """Names of definitions that must stay without docstrings.

    :param refusal: why the module must not be documented; empty if it may.
    :param names: functions and classes whose docstring the program reads or sets.
    :param classes: whether classes read their own.
    :param grammars: whether functions' docstrings are rules of a parser.
    :param metaclassed: classes whose bodies a metaclass of the program can see.
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
    """Return why a node prevents documenting the whole module, or an empty text."""
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
    """Return whether the assignment only copies a docstring."""
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
    """Return the classes, and those that inherit from them, however far."""
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


def is_wanted(definition: Definition, readers: Readers, private: bool) -> bool:
    """Return whether a definition lacks a docstring, and whether adding one is safe.

    It is safe if it only changes what people read.
    """
    node = definition.node
    if (definition.private and not private) or _says_something(node.body[0]):
        return False
    if node.name in readers.names or not definition.decorators.isdisjoint(_SIGNATURES):
        return False
    if isinstance(node, ast.ClassDef):
        fixed = readers.classes or node.name in readers.metaclassed
        return not fixed and not any(map(_looks_at_names, node.body))
    if definition.is_accessor or not definition.decorators.isdisjoint(_INHERITED):
        return False
    if readers.grammars and node.name.startswith(("p_", "t_")):
        return False
    for base in definition.bases:
        for end, prefix in _FIXED_PREFIXES.items():
            if base.endswith(end) and node.name.startswith(prefix):
                return False
    return not _is_stub(definition)


def _says_something(statement: ast.stmt) -> bool:
    """Return whether a body begins with a docstring, or with a text that was meant as one.

    A new docstring would displace such a text.
    """
    if not isinstance(statement, ast.Expr):
        return False
    value = statement.value
    while True:
        match value:
            case ast.BinOp():
                value = value.left
            case ast.Call(func=ast.Attribute(value=inner)):
                value = inner
            case ast.JoinedStr():
                return True
            case _:
                return isinstance(value, ast.Constant) and isinstance(value.value, str | bytes)


def _looks_at_names(statement: ast.stmt) -> bool:
    """Return whether a statement of a class body sees its names, or sets the docstring itself."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.AugAssign | ast.For):
        return False
    return any(
        isinstance(node, ast.Name) and node.id in ("__doc__", "locals", "vars", "dir")
        for node in ast.walk(statement)
    )


def _is_stub(definition: Definition) -> bool:
    """Return whether the body is only `...`, because the real body is elsewhere."""
    body = definition.node.body
    dots = len(body) == 1 and isinstance(body[0], ast.Expr)
    dots = dots and isinstance(body[0].value, ast.Constant) and body[0].value.value is ...  # type: ignore[attr-defined]
    if not dots:
        return False
    on_one_line = body[0].lineno == definition.node.lineno
    abstract = any("abstract" in name for name in definition.decorators)
    return "Protocol" in definition.bases or (on_one_line and not abstract)


class PythonDocument(Transformation):
    """Describes functions, methods and classes where they are defined."""

    name: ClassVar[str] = "python-document"
    kind: ClassVar[str] = "document"
    languages: ClassVar[frozenset[str]] = frozenset({"python"})
    equivalence: ClassVar[Equivalence | None] = Equivalence.SYNTAX_TREE
    version = "1"

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        tree = _parsed(request.code)
        readers = Readers.of(tree)
        if readers.refusal:
            raise Unsupported(readers.refusal)
        private = bool(request.options.get("private"))
        render = STYLES[request.options.get("style", "google")]
        insertions = Insertions(request.code)
        changes = []
        for definition in definitions(tree):
            if definition.rule in request.without or not is_wanted(definition, readers, private):
                continue
            docstring = render(describe(definition, Facts.of(definition)))
            place = insertions.put(definition.node, docstring)
            if place is not None:
                changes.append(
                    Change(rule=definition.rule, message=_message(definition), range=place)
                )
        code = insertions.applied()
        if changes:
            _parsed(code)
        return Rewrite(code=code, changes=tuple(changes))


def _message(definition: Definition) -> str:
    return f"Add a docstring to the {definition.noun} `{definition.node.name}`."


def _parsed(code: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code.removeprefix("\ufeff"))
    except SyntaxError as error:
        raise Unsupported(f"line {error.lineno or 1}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        raise Unsupported(_TOO_DEEP) from None
