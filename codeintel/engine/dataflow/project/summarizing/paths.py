"""Name what a file uses of other files: from expressions to dotted names with types for objects."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.interpreting.interpreter import SELVES, Frame, Interpreter
from codeintel.engine.dataflow.ir import (
    Assignment,
    Call,
    Choice,
    Expr,
    Function,
    Index,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
)
from codeintel.engine.dataflow.project.summarizing.declarations import Declared, plain_type

if TYPE_CHECKING:
    from codeintel.engine.dataflow.project.records import Import

UNKNOWN = "?"
"""Stands for an object of unknown type."""
SUPER = "super"
_SUPERS = frozenset({"super", "parent", "base", "super()"})
MAX_DEPTH = 12
_MAX_TARGET = 200

_JAVA_LIBRARIES = (
    "java.", "javax.", "jakarta.", "org.springframework.", "org.apache.", "com.google.", "kotlin.",
    "com.fasterxml.", "org.slf4j.", "org.junit.", "lombok.", "android.", "androidx.", "io.netty.",
    "org.hibernate.", "scala.", "io.micrometer.", "org.mockito.", "com.amazonaws.",
)  # fmt: skip
_GO_NAMES = """
    append cap clear close complex copy delete imag len make max min new panic print println
    real recover string int int64 uint byte rune float64 error bool
"""
_GO_FOLDERS = """
    archive arena bufio bytes cmp compress container context crypto database debug embed
    encoding errors expvar flag fmt go hash html image index io iter log maps math mime net os path
    plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text
    time unicode unique unsafe weak
"""
_GO_BUILTINS = frozenset(_GO_NAMES.split())
_GO_LIBRARY = frozenset(_GO_FOLDERS.split())
_PRIMITIVE = re.compile(
    r"(?i)(?:std\.)?(?:u?int\d*|long|short|byte|char|bool(?:ean)?|float\d*|double|decimal|str(?:ing)?"
    r"|object|any|unknown|void|var|let|dynamic|dict|list|set|map|tuple|array|bytes|number|error|iterable"
    r"|mixed|callable|self|date|datetime|charsequence)\Z"
)
_DEPENDS = re.compile(r"\bDepends\(\s*([\w.]+)")
_COMPOSITE = re.compile(r"&?([A-Za-z_][\w.]*)\s*\{")
_HANDLED = frozenset({"super", "self", "this"})


def is_library(module: str, language: str) -> bool:
    """Return whether a module cannot be a part of the project."""
    if language == "python":
        return module.partition(".")[0] in sys.stdlib_module_names
    if language in ("javascript", "typescript"):
        return not is_relative(module, language)
    if language == "java":
        return module.startswith(_JAVA_LIBRARIES)
    if language == "go":
        return module.partition("/")[0] in _GO_LIBRARY
    return False


def is_relative(module: str, language: str) -> bool:
    """Return whether a module is certainly a part of the project."""
    if language in ("javascript", "typescript"):
        return module.startswith((".", "@/", "~/", "src/", "#"))
    return language == "python" and module.startswith(".")


@dataclass(frozen=True)
class Scope:
    """The names of a file: its imports by local name, and its declarations."""

    language: str
    imports: Mapping[str, Import]
    declared: Declared
    has_stars: bool

    @property
    def has_bare_fields(self) -> bool:
        """Return whether fields are read by their name alone."""
        return self.language in ("java", "csharp", "ruby")

    @property
    def is_typed(self) -> bool:
        """Whether names of members of the own class need no object."""
        return self.language in ("java", "csharp")


class Paths:
    """Names expressions of one file for the other files.

    The names start with an import, a class, a function or a variable of the file. An object is
    named by its class.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._classes = frozenset(each.name for each in scope.declared.classes)

    def is_own_member(self, target: str) -> bool:
        """Return whether a name is a member of a class of this file, such as `Store.read`."""
        return target.count(".") == 1 and target.partition(".")[0] in self._classes

    def library(self, target: str) -> bool:
        """Return whether a name belongs to an import from a library."""
        found = self._scope.imports.get(target.partition(".")[0])
        return found is not None and is_library(found.module, self._scope.language)

    def certain(self, target: str) -> bool:
        """Return whether a name belongs to an import of a file of the project."""
        found = self._scope.imports.get(target.partition(".")[0])
        return found is not None and is_relative(found.module, self._scope.language)

    def callee(self, interpreter: Interpreter, callee: Expr, frame: Frame) -> str:
        """Return the name of a function that is not in this file, or an empty text."""
        if isinstance(callee, Name):
            return self._function(interpreter, callee.id, frame)[:_MAX_TARGET]
        if isinstance(callee, Member):
            whole = self.path(interpreter, callee.object, frame)
            target = f"{whole}.{callee.name}" if whole else ""
            return "" if self.library(target) else target[:_MAX_TARGET]
        return ""

    def _function(self, interpreter: Interpreter, name: str, frame: Frame) -> str:
        scope = self._scope
        if name.startswith("new "):
            made = name[4:]
            return "" if made in self._classes or self.library(made) else made
        if name in _SUPERS:
            return f"{frame.owner}.{SUPER}" if frame.owner else ""
        if name in interpreter.functions or name in self._classes:
            return ""
        if name in scope.imports:
            return "" if self.library(name) else name
        if frame.is_local(name):
            return ""
        if scope.language == "go":
            return "" if name in _GO_BUILTINS else name
        if scope.language == "php":
            return name
        if scope.language in ("java", "csharp", "ruby") and frame.owner:
            return f"{frame.owner}.{name}"
        return name if scope.language == "ruby" or scope.has_stars else ""

    def path(self, interpreter: Interpreter, expr: Expr, frame: Frame, depth: int = 0) -> str:
        """Return the name of an object, `?` if its type is unknown, or an empty text for text,
        numbers and objects of libraries.
        """
        if depth > MAX_DEPTH:
            return UNKNOWN
        if isinstance(expr, Name):
            return self._name(interpreter, expr.id, frame, depth)
        if isinstance(expr, Member):
            whole = self.path(interpreter, expr.object, frame, depth + 1)
            return f"{whole}.{expr.name}" if whole not in ("", UNKNOWN) else whole
        return self.made(interpreter, expr, frame, depth + 1)

    def _name(self, interpreter: Interpreter, name: str, frame: Frame, depth: int) -> str:
        scope = self._scope
        if name.startswith("new "):
            return name[4:]
        if name in SELVES or name in _HANDLED:
            return frame.owner or UNKNOWN
        if name in _SUPERS:
            return f"{frame.owner}.{SUPER}" if frame.owner else UNKNOWN
        receiver = self._receiver(interpreter, name)
        if receiver:
            return receiver
        if name.startswith("@") and frame.owner:
            return f"{frame.owner}.{name}"
        if declared := frame.type_of(name):
            found = plain_type(declared)
            if found:
                return "" if _PRIMITIVE.match(found) or self.library(found) else found
        if name in scope.imports and not frame.is_local(name):
            return "" if self.library(name) else name
        if (kept := frame.expr_of(name)) is not None and kept != Name(kept.span, name):
            made = self.made(interpreter, kept, frame, depth + 1)
            if made not in ("", UNKNOWN) or frame.is_local(name):
                return made
        if frame.is_local(name):
            return UNKNOWN
        if scope.is_typed and frame.owner and not name[:1].isupper():
            return f"{frame.owner}.{name}"
        return name

    def _receiver(self, interpreter: Interpreter, name: str) -> str:
        receivers = self._scope.declared.receivers
        for place in reversed(interpreter.stack) if receivers else ():
            if place in receivers:
                known, type_ = receivers[place]
                return type_ if known == name else ""
        return ""

    def made(self, interpreter: Interpreter, expr: Expr, frame: Frame, depth: int = 0) -> str:
        """Return the class of what an expression makes, as far as it is written there."""
        while isinstance(expr, Join) and len(expr.parts) == 1:
            expr = expr.parts[0]
        if depth > MAX_DEPTH or isinstance(expr, Literal):
            return "" if isinstance(expr, Literal) and expr.text else UNKNOWN
        if isinstance(expr, Assignment):
            return self.made(interpreter, expr.value, frame, depth + 1)
        if isinstance(expr, Choice):
            for part in expr.parts:
                made = self.made(interpreter, part, frame, depth + 1)
                if made not in ("", UNKNOWN):
                    return made
            return UNKNOWN
        if isinstance(expr, Name | Member):
            return self.path(interpreter, expr, frame, depth + 1)
        if isinstance(expr, Keyed | Join) and self._scope.language == "go":
            text = interpreter.text[expr.span.start : expr.span.start + 80]
            composite = _COMPOSITE.match(text)
            return composite[1] if composite else UNKNOWN
        if isinstance(expr, Call):
            return self._result(interpreter, expr, frame, depth)
        return UNKNOWN if isinstance(expr, Index) else ""

    def _result(self, interpreter: Interpreter, call: Call, frame: Frame, depth: int) -> str:
        callee = call.callee
        if isinstance(callee, Name):
            if callee.id.startswith("new "):
                made = callee.id[4:]
                return "" if self.library(made) else made
            if callee.id == SUPER and frame.owner:
                return f"{frame.owner}.{SUPER}"
        if isinstance(callee, Member) and callee.name == "new":  # Ruby
            return self.path(interpreter, callee.object, frame, depth + 1)
        whole = self.path(interpreter, callee, frame, depth + 1)
        if whole in ("", UNKNOWN):
            return whole
        last = whole.rpartition(".")[2]
        return whole if last[:1].isupper() and not last.isupper() else f"{whole}()"


def default_type(decoration: str) -> str:
    """Return the provider that FastAPI's `Depends(provider)` names, as a call."""
    found = _DEPENDS.search(decoration)
    return f"{found[1]}()" if found else ""


_RESULTS = {
    "python": re.compile(r"->\s*([\w.\"'\[\]| ]+?)\s*:?\s*\Z"),
    "typescript": re.compile(r"\)\s*:\s*([\w.<>\[\]| ]+?)\s*(?:=>)?\s*\Z"),
    "php": re.compile(r"\)\s*:\s*(\??[\w\\|]+)\s*\Z"),
    "go": re.compile(r"\)\s*\(?\s*(?:\w+\s+)?(\*?[\w.]+)[^()]*\)?\s*\Z"),
}


def result_type(function: Function, language: str) -> str:
    """Return the declared type of a function's result, or an empty text."""
    if language in ("java", "csharp"):
        name = re.escape(function.name)
        found = re.search(rf"([\w.<>\[\]?]+)\s+{name}\s*[(<]", function.decoration)
    else:
        pattern = _RESULTS.get(language)
        found = pattern.search(function.decoration) if pattern is not None else None
    made = plain_type(found[1]) if found else ""
    return "" if not made or _PRIMITIVE.match(made) else made
