"""Docstrings for definitions that lack one and should have one, from what the definition says and
nothing else."""

from __future__ import annotations

import ast
import warnings
from typing import ClassVar

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel_plugins.transformations.python.document.definitions import Definition, definitions
from codeintel_plugins.transformations.python.document.facts import Facts
from codeintel_plugins.transformations.python.document.insertion import Insertions
from codeintel_plugins.transformations.python.document.readers import Readers
from codeintel_plugins.transformations.python.document.sentences import describe
from codeintel_plugins.transformations.python.document.styles import STYLES

_INHERITED = frozenset({"override", "overrides"})
_SIGNATURES = frozenset({"overload"})
_FIXED_PREFIXES = {"Cmd": "do_", "TestCase": "test"}
"""Methods whose docstrings a base class shows instead of their names, by the end of its name."""


def is_wanted(definition: Definition, readers: Readers, private: bool) -> bool:
    """Whether a definition lacks a docstring, and one would change nothing but what people read."""
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
    """Whether a body begins with a docstring, or with a text that was meant as one: what stands in
    front of it would push it aside."""
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
    """Whether a statement of a class's body sees its names, or sets the docstring itself."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.AugAssign | ast.For):
        return False
    return any(
        isinstance(node, ast.Name) and node.id in ("__doc__", "locals", "vars", "dir")
        for node in ast.walk(statement)
    )


def _is_stub(definition: Definition) -> bool:
    """Whether nothing but `...` stands for a body that is elsewhere."""
    body = definition.node.body
    dots = len(body) == 1 and isinstance(body[0], ast.Expr)
    dots = dots and isinstance(body[0].value, ast.Constant) and body[0].value.value is ...  # type: ignore[attr-defined]
    if not dots:
        return False
    on_one_line = body[0].lineno == definition.node.lineno
    abstract = any("abstract" in name for name in definition.decorators)
    return "Protocol" in definition.bases or (on_one_line and not abstract)


_TOO_DEEP = "line 1: the code is nested too deeply, or has characters that no code has"


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
    return f"Described the {definition.noun} `{definition.node.name}`."


def _parsed(code: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code.removeprefix("\ufeff"))
    except SyntaxError as error:
        raise Unsupported(f"line {error.lineno or 1}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        raise Unsupported(_TOO_DEEP) from None
