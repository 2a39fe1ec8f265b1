"""Reading JSON, YAML and TOML into plain values."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import Any

from codeintel.contracts import Unsupported
from codeintel.engine.syntax import source_of
from codeintel_plugins.transformations.data.losses import COMMENTS, ZEROS, Losses, read_float
from codeintel_plugins.transformations.data.reading_yaml import read_yaml


def read(code: str, language: str, losses: Losses) -> Any:
    """The value of a text.

    :raises Unsupported: for what is no such text, or has a name twice.
    """
    code = code.removeprefix("\ufeff")
    try:
        value = _READERS[language](code, losses)
    except (RecursionError, MemoryError):
        raise Unsupported("The data is nested too deeply.") from None
    if language != "json":
        losses.add(COMMENTS, count_comments(code, language))
    return value


def _json(code: str, losses: Losses) -> Any:
    def constant(word: str) -> Any:
        raise Unsupported(f"JSON has no `{word}`.")

    def whole(text: str) -> int:
        losses.add(ZEROS, text == "-0")
        return int(text)

    try:
        value = json.loads(
            code,
            parse_constant=constant,
            parse_float=read_float,
            parse_int=whole,
            object_pairs_hook=_pairs,
        )
    except json.JSONDecodeError as error:
        raise Unsupported(f"line {error.lineno}: {error.msg}") from None
    except _TwiceError as error:
        raise Unsupported(f"line {_line_of_second(code, error)}: a name is there twice") from None
    except ValueError:
        raise Unsupported("A number has too many digits.") from None
    return value


class _TwiceError(Exception):
    """A name is twice in an object."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _TwiceError(name)
            seen.add(name)
    return found


def _line_of_second(code: str, error: _TwiceError) -> int:
    """The line of the first name that is there twice in its object."""
    stack = [source_of(code.encode()).root("json")]
    lines: list[int] = []
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        names: set[str] = set()
        for pair in node.named_children if node.type == "object" else ():
            key = pair.child_by_field_name("key")
            name = json.loads(key.text or b'""') if key is not None else ""
            if name in names and name == error.args[0]:
                lines.append(pair.start_point.row + 1)
            names.add(name)
    return min(lines, default=1)


def _toml(code: str, losses: Losses) -> Any:  # noqa: ARG001 - as the others
    try:
        return tomllib.loads(code.replace("\r\n", "\n"), parse_float=read_float)
    except tomllib.TOMLDecodeError as error:
        raise Unsupported(f"{error}") from None
    except ValueError:
        raise Unsupported("A number has too many digits.") from None


def count_comments(code: str, language: str) -> int:
    """How many comments there are."""
    root = source_of(code.encode()).root(language)
    count, stack = 0, [root]
    while stack:
        node = stack.pop()
        count += node.type == "comment"
        stack.extend(node.children)
    return count


_READERS: dict[str, Callable[[str, Losses], Any]] = {
    "json": _json,
    "yaml": read_yaml,
    "toml": _toml,
}
