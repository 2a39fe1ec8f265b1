"""Build self-contained programs from functions of Python's standard library.

The source is that of the running interpreter, read when the benchmark runs. A program is a function
with everything that it uses from its module: imports, constants and other functions.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass

MODULES = (
    "base64", "bisect", "calendar", "colorsys", "difflib", "email.base64mime", "email.quoprimime",
    "fnmatch", "fractions", "genericpath", "gettext", "heapq", "html", "json.encoder", "nturl2path",
    "ntpath", "numbers", "posixpath", "quopri", "shlex", "statistics", "string", "textwrap",
    "tokenize", "urllib.parse", "xml.sax.saxutils",
)  # fmt: skip
FORBIDDEN = frozenset(
    {"os", "sys", "open", "_builtin_open", "input", "print", "exec", "eval", "__import__"}
)
"""Names of what reaches outside of the program."""
MOST_LINES = 150
FEWEST_LINES = 4
MOST_PARAMETERS = 4


@dataclass(frozen=True)
class Program:
    """A function and what it needs, as one file.

    :param begin: number of characters before the function, which stands last.
    """

    module: str
    function: str
    text: str
    begin: int


def programs() -> Iterator[Program]:
    """Yield the programs, in order of module and position."""
    for name in MODULES:
        module = importlib.import_module(name)
        source = _Module(name, inspect.getsource(module))
        for function in source.functions():
            program = source.program(function)
            if program is not None:
                yield program


class _Module:
    """The source of a module, and where it binds its names."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text
        self._bound: dict[str, ast.stmt] = {}
        for statement in ast.parse(text).body:
            for bound in _binds(statement):
                self._bound.setdefault(bound, statement)

    def functions(self) -> Iterator[ast.FunctionDef]:
        for statement in self._bound.values():
            if isinstance(statement, ast.FunctionDef) and _can_be_called(statement):
                yield statement

    def program(self, function: ast.FunctionDef) -> Program | None:
        """The function as a program; None if it needs what cannot be taken along."""
        needed = self._needed(function)
        if needed is None or function.decorator_list:
            return None
        ahead = sorted((each for each in needed if each is not function), key=lambda s: s.lineno)
        before = "".join(f"{self._segment(each)}\n\n\n" for each in ahead)
        text = f"{before}{self._segment(function)}\n"
        if text.count("\n") > MOST_LINES:
            return None
        return Program(self._name, function.name, text, len(before))

    def _segment(self, statement: ast.stmt) -> str:
        found = ast.get_source_segment(self._text, statement)
        assert found is not None
        return found

    def _needed(self, function: ast.FunctionDef) -> set[ast.stmt] | None:
        needed: set[ast.stmt] = set()
        todo: list[ast.stmt] = [function]
        while todo:
            statement = todo.pop()
            if statement in needed:
                continue
            needed.add(statement)
            for name in _free_names(statement):
                if name in FORBIDDEN:
                    return None
                if name in self._bound:
                    todo.append(self._bound[name])
                elif not hasattr(builtins, name):
                    return None
        return None if any(isinstance(each, ast.ClassDef) for each in needed) else needed


def _can_be_called(function: ast.FunctionDef) -> bool:
    """Return whether the function is public, large enough, and needs only a few positional
    arguments."""
    given = function.args
    wanted = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    lines = (function.end_lineno or 0) - function.lineno + 1
    if function.name.startswith("_"):
        return False  # alone in a file it is not used by anyone
    plain = given.vararg is None and given.kwarg is None and None not in given.kw_defaults
    return plain and 1 <= wanted <= MOST_PARAMETERS and lines >= FEWEST_LINES


def _binds(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement of a module binds."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        if isinstance(statement, ast.ImportFrom) and statement.level:
            return
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name):
                yield target.id


def _free_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement reads and does not bind anywhere.

    Scopes are only approximated: a name is missing if a function has a local variable of the same
    name.
    """
    read: set[str] = set()
    bound: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.FunctionDef):
            if node is not statement:
                bound.add(node.name)
        elif isinstance(node, ast.ExceptHandler):
            bound.add(node.name or "")
        elif isinstance(node, ast.Global):
            read.update(FORBIDDEN)  # state of a module is not taken along
    imported = _imported(statement)
    return (read - bound) | (imported & FORBIDDEN)


def _imported(statement: ast.stmt) -> set[str]:
    """First parts of the modules that it imports."""
    found: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found
