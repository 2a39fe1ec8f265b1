"""Docstrings for what lacks one, from what its definition says and nothing else."""

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
from codeintel_plugins.transformations.python.document.skipping import is_wanted
from codeintel_plugins.transformations.python.document.styles import STYLES

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
