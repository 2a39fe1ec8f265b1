"""Check in V1 that code parses, with the reader that the language's users would take."""

from __future__ import annotations

import json
import logging
import sys
import tomllib
import warnings
from collections.abc import Callable

import yaml
from sqlglot import Dialect
from sqlglot.errors import SqlglotError
from tree_sitter import Node

from codeintel.engine.equivalence.readable import DIALECTS, GRAMMARS
from codeintel.engine.syntax import source_of

MARK = "\ufeff"
"""A byte order mark, which most readers do not accept."""
_DEEPER = 4


class UnreadableError(Exception):
    """The code does not parse. The message says where and why, such as `line 3: ...`."""


def parse(code: str, language: str) -> None:
    """Read code to its end.

    :raises UnreadableError: if the code does not parse.
    :raises LookupError: if there is no reader for the language.
    """
    code = code.removeprefix(MARK)
    reader = _READERS.get(language)
    if reader is not None:
        reader(code)
    elif language in DIALECTS:
        _sql(code, DIALECTS[language])
    elif language not in GRAMMARS:
        raise LookupError(language)
    else:
        _tree(code, language)


def _python(code: str) -> None:
    if code.startswith(MARK):  # a second mark, which reading sources would forgive
        raise UnreadableError("line 1: invalid non-printable character U+FEFF")
    limit = sys.getrecursionlimit()
    try:
        tree = source_of(code).python()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # The compiler reads trees only up to this limit, but the parser builds deeper ones.
            sys.setrecursionlimit(limit * _DEEPER)
            # The compiler rejects more than the parser, such as `return` outside a function.
            compile(tree, "<code>", "exec", dont_inherit=True)
    except SyntaxError as error:
        raise UnreadableError(f"line {error.lineno or 1}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        raise UnreadableError("it is nested too deeply, or has invalid characters") from None
    finally:
        sys.setrecursionlimit(limit)


def _json(code: str) -> None:
    try:
        json.loads(code)
    except json.JSONDecodeError as error:
        raise UnreadableError(f"line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise UnreadableError("it is nested too deeply, or a number is too long") from None


def _yaml(code: str) -> None:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    anchors: set[str] = set()
    try:
        # Read events only: to compose nodes, the C library recurses as deeply as the code is
        # nested.
        for event in yaml.parse(code, Loader=loader):
            anchor = getattr(event, "anchor", None)
            if isinstance(event, yaml.DocumentStartEvent):
                anchors = set()
            elif not isinstance(event, yaml.AliasEvent):
                anchors.add(anchor or "")
            elif anchor not in anchors:
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise UnreadableError(f"line {line}: an alias without an anchor")
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UnreadableError(f"line {line}: {error.problem or 'invalid YAML'}") from None
    except (yaml.YAMLError, RecursionError):
        raise UnreadableError("it is invalid YAML or nested too deeply") from None


def _toml(code: str) -> None:
    try:
        tomllib.loads(code)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableError(str(error)) from None
    except (ValueError, RecursionError):
        raise UnreadableError("it is nested too deeply, or a number is too long") from None


_READERS: dict[str, Callable[[str], None]] = {
    "python": _python,
    "json": _json,
    "yaml": _yaml,
    "toml": _toml,
}


def _sql(code: str, dialect: str) -> None:
    logging.getLogger("sqlglot").disabled = True  # it logs warnings that quote the code
    try:
        statements = Dialect.get_or_raise(dialect).parse(code)
    except SqlglotError:
        raise UnreadableError("sqlglot cannot parse a statement") from None
    except RecursionError:
        raise UnreadableError("a statement is nested too deeply") from None
    if not any(statements):
        raise UnreadableError("there is no statement")


def _tree(code: str, language: str) -> None:
    # Files that come without a name may or may not contain JSX.
    grammars = ("typescript", "tsx") if language == "typescript" else (language,)
    source = source_of(code)
    roots = [source.root(grammar) for grammar in grammars]
    if all(root.has_error for root in roots):
        line = _first_error(roots[0]).start_point.row + 1
        raise UnreadableError(f"line {line}: syntax error")


def _first_error(root: Node) -> Node:
    """Return the innermost node that contains the first error."""
    node = root
    while True:
        child = next((each for each in node.children if each.has_error), None)
        if child is None or child.is_missing or child.is_error:
            return child or node
        node = child
