"""Docstrings: their indentation and outer space are the formatter's."""

from __future__ import annotations

import ast
import doctest
import inspect
import warnings

from codeintel.engine.equivalence.normal_form.context import Context

_PROMPT = ">>>"
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def clean(node: _Documented, context: Context) -> None:
    """Leave out the space around a docstring and at the ends of its lines; of examples that are
    run, what they do and what they are to print must be the same to the letter."""
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str(text))), *rest]:
            pass
        case _:
            return
    if "__doc__" in context.facts.words:
        return
    examples = _examples(text)
    if examples is None:
        return
    lines = (line.rstrip() for line in inspect.cleandoc(text).expandtabs().splitlines())
    cleaned = "\n".join(lines).strip()
    if cleaned != text:
        context.took("white space of docstrings")
    node.body = [ast.Expr(ast.Constant(cleaned + examples)), *rest]


def _examples(text: str) -> str | None:
    """What the examples in a docstring are to `doctest`; None where it cannot read them."""
    if _PROMPT not in text:
        return ""
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return None
    parts = [(_does(each.source), each.want, each.exc_msg, each.options) for each in found]
    return repr(parts)


def _does(source: str) -> str:
    """The tree of an example's code, or the code itself."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
