"""Functions and their complexity, as lizard tells them. Importing this module imports lizard.

Lizard's own analysis obeys comments that exclude code from it, and writes to standard error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from lizard_core.file_analyzer import (  # type: ignore[import-untyped]
    condition_counter,
    line_counter,
    preprocessing,
    token_counter,
)
from lizard_core.file_info_builder import FileInfoBuilder  # type: ignore[import-untyped]
from lizard_languages import get_reader_for  # type: ignore[import-untyped]

from codeintel_plugins.common.recursion import deep_recursion


class Function(NamedTuple):
    """A function that has a name; `line` is that of its beginning, from 1."""

    name: str
    line: int
    complexity: int
    parameters: int


def functions_of(code: str, extension: str) -> list[Function]:
    """All functions, in order of line.

    :param code: lines end at LF.
    :param extension: a file's, by which lizard knows the language.
    :raises RecursionError: if the code is nested too deeply.
    """
    file = f"snippet.{extension}"
    context = FileInfoBuilder(file)
    reader = get_reader_for(file)(context)
    tokens = reader.generate_tokens(code)
    with deep_recursion():
        for process in (preprocessing, _without_comments, line_counter, token_counter):
            tokens = process(tokens, reader)
        for _ in reader(condition_counter(tokens, reader), reader):
            pass
    found = [
        Function(each.name, each.start_line, each.cyclomatic_complexity, len(each.full_parameters))
        for each in context.fileinfo.function_list
    ]
    return sorted(found, key=lambda function: function.line)


def _without_comments(tokens: Iterable[str], reader: Any) -> Iterator[str]:
    """The tokens, with line ends alone for comments of several lines."""
    for token in tokens:
        comment = reader.get_comment_from_token(token)
        if comment is None:
            yield token
        else:
            yield from "\n" * comment.count("\n")
