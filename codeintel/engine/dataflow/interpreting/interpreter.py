"""The state of an interpreter: the program, variables, values seen, and a limit on all steps.

The interpreter receives tables of functions (:class:`Handlers`) for each type of expression and
statement, so the parts do not import each other. Their order is: naming, invoking, variables,
calling, statements.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from codeintel.engine.dataflow.ir import (
    FINALLY,
    HANDLER,
    Branch,
    Call,
    Expr,
    Function,
    Literal,
    Member,
    Param,
    Program,
    Stmt,
)
from codeintel.engine.dataflow.table import Sink, Table, TaintSource
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import (
    Kind,
    Label,
    Step,
    Value,
    cleaned_of,
    is_fixed,
    join,
    of,
)


class Frame:
    """Variables and their values.

    Parts of a variable, such as `a.b` or `a[k]`, have their own value under a longer name, so that
    one key of a container does not taint another.

    :param outer: the frame around a closure, whose variables the closure sees.
    """

    def __init__(
        self, owner: str = "", outer: Frame | None = None, *, is_closure: bool = False
    ) -> None:
        self.owner = owner
        self.outer = outer
        self.is_closure = is_closure
        """Whether assignments may change the variables around it."""
        self.holds_fields = False
        """Whether its variables are fields that methods name without their object."""
        self.values: dict[str, Value] = {}
        self.parts: dict[str, set[str]] = {}
        self.exprs: dict[str, Expr] = {}
        """What was last assigned to a variable, because that may be a condition."""
        self.types: dict[str, str] = {}
        self.returned: list[tuple[Span, Value]] = []
        """The values that are returned, each with the place of its statement."""
        self.rows: list[list[Value]] = []
        """For each return, the values of the parts if several are returned together."""

    def fork(self) -> Frame:
        """Return a copy of the frame for one of two paths. Both share what is returned."""
        twin = Frame(self.owner, self.outer, is_closure=self.is_closure)
        twin.values, twin.exprs = dict(self.values), dict(self.exprs)
        twin.parts = {name: set(parts) for name, parts in self.parts.items()}
        twin.types, twin.returned, twin.rows = self.types, self.returned, self.rows
        twin.holds_fields = self.holds_fields
        return twin

    def become(self, other: Frame) -> None:
        """Continue with the variables as the other path left them."""
        self.values, self.parts, self.exprs = other.values, other.parts, other.exprs

    def merge(self, one: Frame, other: Frame) -> None:
        """Continue after two paths: a variable has its values from both."""
        if one.values is not other.values:
            for name in other.values.keys() | one.values.keys():
                first, second = one.values.get(name), other.values.get(name)
                if first != second:
                    one.values[name] = join((first or {}, second or {}))
            for name, parts in other.parts.items():
                one.parts.setdefault(name, set()).update(parts)
            one.exprs.update(other.exprs)
        self.become(one)

    def knows(self, name: str) -> bool:
        """Return whether this function, or one around it, has the variable."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.values:
                return True
            frame = frame.outer
        return False

    def is_local(self, name: str) -> bool:
        """Return whether the variable belongs to a function, not to the whole file."""
        frame: Frame | None = self
        while frame is not None and frame.outer is not None:
            if name in frame.values:
                return True
            frame = frame.outer
        return False

    def is_outer(self, name: str) -> bool:
        """Return whether the variable belongs only to the functions around this one."""
        return name not in self.values and self.outer is not None and self.outer.knows(name)

    def read(self, name: str) -> Value | None:
        """Return a variable's value with all its parts, or None if it is unknown here."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.values or name in frame.parts:
                value = frame.values.get(name, {})
                parts = frame.parts.get(name)
                if not parts:
                    return value
                return join((value, *(frame.values.get(part, {}) for part in sorted(parts))))
            frame = frame.outer
        return None

    def read_part(self, whole: str, part: str) -> Value | None:
        """Return the value of a part. A part that was never set has the value of the whole."""
        frame: Frame | None = self
        while frame is not None:
            if part in frame.values:
                return frame.values[part]
            if whole in frame.values or whole in frame.parts:
                return frame.values.get(whole, {})
            frame = frame.outer
        return None

    def write(self, name: str, value: Value, expr: Expr | None = None) -> None:
        """Set a variable, and forget its parts."""
        self.values[name] = value
        for part in self.parts.pop(name, ()):
            self.values.pop(part, None)
        if expr is not None:
            self.exprs[name] = expr
        else:
            self.exprs.pop(name, None)

    def write_part(self, whole: str, part: str, value: Value) -> None:
        """Set a part of a variable."""
        home = self._home(whole)
        home.values[part] = value
        home.parts.setdefault(whole, set()).add(part)

    def add(self, name: str, value: Value) -> None:
        """Add a value to what a variable already holds."""
        if value:
            home = self._home(name)
            home.values[name] = join((home.values.get(name, {}), value))

    def expr_of(self, name: str) -> Expr | None:
        """Return what a variable was last assigned, or None."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.exprs:
                return frame.exprs[name]
            if name in frame.values:
                return None
            frame = frame.outer
        return None

    def type_of(self, name: str) -> str:
        """Return a variable's declared type, or an empty text."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.types:
                return frame.types[name]
            frame = frame.outer
        return ""

    def clean(self, known: frozenset[Span], classes: frozenset[str]) -> None:
        """Note that values from some origins were checked."""
        if not known:
            return
        frame: Frame | None = self
        own = True
        while frame is not None:
            for name, value in list(frame.values.items()):
                good = cleaned_of(value, known, classes) if value else value
                if own or frame.holds_fields:
                    frame.values[name] = good
                elif (
                    good is not value
                ):  # only in this frame, because other callers may not have checked
                    self.values.setdefault(name, good)
            own = own and frame.is_closure
            frame = frame.outer

    def _home(self, name: str) -> Frame:
        frame: Frame | None = self
        while frame is not None:
            if name in frame.values or name in frame.parts:
                return frame
            frame = frame.outer
        return self


MAX_STEPS = 300_000
MAX_SECONDS = 3.0
"""Limit in seconds of wall time, after which an analyzer reports what it has found so far."""
_STEPS_BETWEEN = 200
"""Number of steps between two checks of the time."""
MAX_DEPTH = 5
MAX_TEXT = 5_000
"""Maximum number of characters of a call that the tables see."""
SELVES = frozenset({"self", "this", "$this", "cls", "@"})
NUMERIC = re.compile(
    r"(?i)\W*(?:u?int(?:eger|8|16|32|64)?_?t?|[iu](?:8|16|32|64|128|size)|f(?:32|64)|float|double|long"
    r"|short|byte|bool(?:ean)?|size_t|ssize_t|number|decimal|uuid|guid|datetime|date|localdate|bigint"
    r"|nat|char|time\.duration|unsigned(?: int| long| char)?|bigdecimal|optional\[int\]|int \| none"
    r")\W*\Z"
)
BYTES = re.compile(r"(?i)(?:byte|char)\s*\[|\[\]\s*(?:byte|u8)|\[u8|char\s*[*&]")
HOSTED = frozenset({"url", "redirect"})
READS = frozenset(
    {"get", "getOrDefault", "fetch", "at", "pop", "dig", "Get", "get_or", "setdefault"}
)
ENUM = re.compile(r"\benum\s+(?:class\s+|struct\s+)?(\w+)|\bclass\s+(\w+)\([^)\n]{0,80}Enum\)")
BARE = re.compile(r"def (?:self\.)?\w+[?!]?\s*(?:=\s*)?")
"""Matches the start of a Ruby method without parameters, which is called by its name alone."""
READERS = re.compile(r"\battr_(?:reader|accessor)[ (]+([^\n]+)")
"""Ruby: names that stand for the field with `@` before it."""
_DECLARED = re.compile(
    r"\b(?:class|struct|enum|interface|trait|record|object|module|impl|type|const)\s{1,9}([A-Z]\w*)"
)


class Hit(NamedTuple):
    """Untrusted input reaches a sink. `call` is the sink's place, `argument` the value's."""

    sink: Sink
    call: Span
    argument: Span
    label: Label


class Exhausted(Exception):  # noqa: N818 - a signal, not an error
    """Raised when the program is too large to execute. The text says why."""


Evaluates = Callable[["Interpreter", Any, Frame], Value]
"""Returns the value of an expression."""
Executes = Callable[["Interpreter", Any, Frame], bool]
"""Executes a statement and returns whether it leaves."""


@dataclass(frozen=True, slots=True)
class Handlers:
    """The functions that interpret expressions and statements, by type."""

    expressions: Mapping[type, Evaluates]
    statements: Mapping[type, Executes]


Arguments = list[tuple[str | None, Value]]
"""The values of a call's arguments, with their keywords."""


class Records(Protocol):
    """Records what the other files of a project need to know about the functions of this one."""

    def given(self, param: Param, value: Value) -> Value:
        """Return a parameter's value, with a label for what callers in other files pass."""

    def returned(self, function: Function, frame: Frame) -> None:
        """Note what a function returns if its parameters have only their own labels."""

    def limited(self, function: Function, args: Arguments) -> Arguments:
        """Return the arguments of a call, without labels of other files after many calls."""

    def is_settled(self, interpreter: Interpreter) -> bool:
        """Return whether executing the program again would find nothing new."""

    def mark(self, call: Call) -> str:
        """Return a mark for values that a call of another file checks, or an empty text."""


class Interpreter:
    """An execution of a program.

    `seen` has the value of each expression, by place. `hits` has the values that reach sinks.
    """

    def __init__(
        self,
        program: Program,
        table: Table,
        text: str,
        handlers: Handlers,
        recorder: Records | None = None,
    ) -> None:
        self._handlers = handlers
        self.recorder = recorder
        """Records what other files need to know, or None by default."""
        self.seen: dict[Span, Value] = {}
        self.assigned: dict[Span, Span] = {}
        """The place of the value last assigned, by the place where the variable is used."""
        self.hits: dict[tuple[str, Span, Span, Kind, frozenset[Span]], Hit] = {}
        self.exhausted = ""
        """Why execution stopped early, in words, or an empty text."""
        self.program = program
        self.table = table.within(text)
        self.text = text
        self.module = Frame()
        self.fields: dict[str, Value] = {}
        self.functions: dict[str, list[Function]] = {}
        for function in program.functions:
            self.functions.setdefault(function.name, []).append(function)
        self.readers = frozenset(
            name for words in READERS.findall(text) for name in re.findall(r":(\w+)", words)
        )
        self.bare = {f.name: f for f in program.functions if BARE.fullmatch(f.decoration)}
        self.called: set[str] = set()
        self.enums = frozenset(map("".join, ENUM.findall(text)))
        self.checks: dict[tuple[object, ...], list[tuple[frozenset[Span], frozenset[str]]]] = {}
        self.sourced: set[str] = set()
        self.field_exprs: dict[str, Expr] = {}
        self.homes: dict[Span, Frame] = {}
        self.settling: list[tuple[str, list[Value]]] = []
        self.stack: list[Span] = []
        self.memo: dict[tuple[object, ...], Value] = {}
        self.shared_of: dict[tuple[object, ...], dict[str, Value]] = {}
        """What a call sets for its caller, by function and arguments."""
        self.rows: dict[tuple[object, ...], list[Value]] = {}
        """What a call returns for each of several variables, by function and arguments."""
        self.rows_of: dict[Span, list[Value]] = {}
        """The same, by the place of the last executed call."""
        self.steps = 0
        self._deadline = time.monotonic() + MAX_SECONDS

    def see(self, place: Span, value: Value) -> None:
        """Note the value at a place."""
        known = self.seen.get(place)
        self.seen[place] = value if not known else join((known, value))

    def tick(self) -> None:
        """Count a step.

        :raises Exhausted: if there were too many steps or the time is up.
        """
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Exhausted("the code has too many paths")
        if not self.steps % _STEPS_BETWEEN and time.monotonic() > self._deadline:
            raise Exhausted("following the code took too long")

    def own_text(self, expr: Expr) -> str:
        """Return an expression's text, cut to a length that the tables' expressions can be
        searched for.
        """
        return self.text[expr.span.start : min(expr.span.end, expr.span.start + MAX_TEXT)]

    @cached_property
    def declared(self) -> frozenset[str]:
        """The names of the classes and similar types that the text declares."""
        return frozenset(_DECLARED.findall(self.text))

    def evaluate(self, expr: Expr, frame: Frame) -> Value:
        """Return the value of an expression."""
        self.tick()
        value = self._handlers.expressions[type(expr)](self, expr, frame)
        self.see(expr.span, value)
        return value

    def statement(self, statement: Stmt, frame: Frame) -> bool:
        """Execute a statement. Return whether it leaves."""
        self.tick()
        return self._handlers.statements[type(statement)](self, statement, frame)

    def execute(self, body: Iterable[Stmt], frame: Frame) -> bool:
        """Execute statements. Return whether they leave."""
        left = False
        for statement in body:
            if not left:
                left = self.statement(statement, frame)
            elif isinstance(statement, Branch) and isinstance(statement.condition, Literal):
                if statement.condition.text == HANDLER:
                    left = self.execute(statement.then, frame)
                elif statement.condition.text == FINALLY:
                    self.execute(statement.then, frame)
        return left


def invocation_key(function: Function, args: list[tuple[str | None, Value]]) -> tuple[object, ...]:
    return function.span, tuple((name, frozenset(value)) for name, value in args)


def new_label(kind: Kind, place: Span, what: str) -> Label:
    return Label(kind, place, what, steps=(Step(place, what),))


def labelled(source: TaintSource, place: Span) -> Value:
    label = new_label(source.kind, place, source.what)
    return of(label._replace(clean=frozenset(source.clean)))


def is_numeric(type_: str) -> bool:
    return NUMERIC.match(type_) is not None and BYTES.search(type_) is None


def format_settles_host(call: Call) -> bool:
    """Return whether a format such as `https://host/%s` fixes the host for all its values."""
    texts = [argument.value for argument in call.args[:1]]
    if isinstance(call.callee, Member):
        texts.insert(0, call.callee.object)
    return any(isinstance(each, Literal) and is_fixed(each.text) for each in texts)


def annotation_of(decoration: str) -> str:
    return decoration.partition(":")[2].partition("=")[0].strip()


def arity(function: Function) -> int:
    return sum(param.name not in SELVES for param in function.params)
