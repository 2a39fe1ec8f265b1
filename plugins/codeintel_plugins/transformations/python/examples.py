"""Docstrings with examples, which a formatter may change."""

from __future__ import annotations

import ast
import doctest
import warnings

_PROMPT = ">>>"
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def put_back(old: str, new: str) -> str:
    """A text with the docstrings that another had, where examples are to print something else."""
    before, after = _places(old), _places(new)
    if len(before) != len(after):
        return new
    for one, other in zip(before[::-1], after[::-1], strict=True):
        (start, end, printed), (new_start, new_end, now_printed) = one, other
        if printed is None or printed != now_printed:
            new = new[:new_start] + old[start:end] + new[new_end:]
    return new


def _printed(text: str) -> list[str] | None:
    """What the examples in a docstring are to print; None where nobody can tell."""
    try:
        return [each.want for each in doctest.DocTestParser().get_examples(text)]
    except ValueError:
        return None


def _places(text: str) -> list[tuple[int, int, list[str] | None]]:
    """Where the docstrings with examples stand, in order, and what these are to print."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    found: list[tuple[int, int, list[str] | None]] = []
    for node in ast.walk(tree):
        match getattr(node, "body", None):
            case [ast.Expr(value=ast.Constant(value=str(said))) as first, *_] if (
                isinstance(node, _DOCUMENTED) and _PROMPT in said
            ):
                start = offset(first.lineno, first.col_offset)
                end = offset(first.end_lineno or 1, first.end_col_offset or 0)
                found.append((start, end, _printed(said)))
    return sorted(found, key=lambda place: place[0])
