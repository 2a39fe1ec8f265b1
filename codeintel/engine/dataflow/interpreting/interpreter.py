"""The state of an interpreter: the program, variables, what was seen, and a bound on all steps.

What depends on the type of an expression or statement stands in tables of functions
(:class:`Handlers`), which the interpreter is given: so the parts that interpret need not know each
other. Each needs those before it: naming, invoking, variables, calling, and statements.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from codeintel.engine.dataflow.ir import (
    FINALLY,
    HANDLER,
    Branch,
    Call,
    Expr,
    Function,
    Literal,
    Member,
    Program,
    Stmt,
)
from codeintel.engine.dataflow.table import Sink, Source, Table
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
    """Variables and their values. Parts of a variable, such as `a.b` or `a[k]`, have a value of
    their own under a longer name, so that one key of a container does not stain another.

    :param outer: the frame around a closure, whose variables it sees.
    """

    def __init__(
        self, owner: str = "", outer: Frame | None = None, *, is_closure: bool = False
    ) -> None:
        self.owner = owner
        self.outer = outer
        self.is_closure = is_closure
        """Whether assignments may be to the variables around it."""
        self.holds_fields = False
        """Whether its variables are fields that methods name without their object."""
        self.values: dict[str, Value] = {}
        self.parts: dict[str, set[str]] = {}
        self.exprs: dict[str, Expr] = {}
        """What was last assigned to a variable: a condition may have been kept in one."""
        self.types: dict[str, str] = {}
        self.returned: list[tuple[Span, Value]] = []
        """The values that are returned, each with the place of its statement."""
        self.rows: list[list[Value]] = []
        """For each return the values of the parts, if several are returned at once."""

    def fork(self) -> Frame:
        """The same frame for one of two ways; what is returned on either counts."""
        twin = Frame(self.owner, self.outer, is_closure=self.is_closure)
        twin.values, twin.exprs = dict(self.values), dict(self.exprs)
        twin.parts = {name: set(parts) for name, parts in self.parts.items()}
        twin.types, twin.returned, twin.rows = self.types, self.returned, self.rows
        twin.holds_fields = self.holds_fields
        return twin

    def become(self, other: Frame) -> None:
        """Go on as the other way left it."""
        self.values, self.parts, self.exprs = other.values, other.parts, other.exprs

    def merge(self, one: Frame, other: Frame) -> None:
        """Go on after two ways: a variable has what it has on either."""
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
        """Whether the variable is one of this function, or of those around it."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.values:
                return True
            frame = frame.outer
        return False

    def is_local(self, name: str) -> bool:
        """Whether the variable is one of a function, not of the whole file."""
        frame: Frame | None = self
        while frame is not None and frame.outer is not None:
            if name in frame.values:
                return True
            frame = frame.outer
        return False

    def is_outer(self, name: str) -> bool:
        """Whether the variable is only one of the functions around this."""
        return name not in self.values and self.outer is not None and self.outer.knows(name)

    def read(self, name: str) -> Value | None:
        """A variable's value with all its parts, or None if it is not known here."""
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
        """The value of a part; of one that nobody set, that of the whole without its set parts."""
        frame: Frame | None = self
        while frame is not None:
            if part in frame.values:
                return frame.values[part]
            if whole in frame.values or whole in frame.parts:
                return frame.values.get(whole, {})
            frame = frame.outer
        return None

    def write(self, name: str, value: Value, expr: Expr | None = None) -> None:
        """Set a variable, which forgets its parts."""
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
        """Let a variable have a value besides what it has."""
        if value:
            home = self._home(name)
            home.values[name] = join((home.values.get(name, {}), value))

    def expr_of(self, name: str) -> Expr | None:
        """What a variable was last assigned."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.exprs:
                return frame.exprs[name]
            if name in frame.values:
                return None
            frame = frame.outer
        return None

    def type_of(self, name: str) -> str:
        """A variable's declared type, or nothing."""
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
                elif good is not value:  # only here: whoever called may not have asked
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
"""Of the wall; what was found by then counts. An analyzer that takes much longer is killed."""
_STEPS_BETWEEN = 200
"""Steps from one look at the clock to the next."""
MAX_DEPTH = 5
MAX_TEXT = 5_000
"""Characters of a call that the tables look at."""
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
"""How a method of Ruby without parameters begins, which is called by its name alone."""
READERS = re.compile(r"\battr_(?:reader|accessor)[ (]+([^\n]+)")
"""Ruby: names that stand for the field with an `@` before it."""
_DECLARED = re.compile(
    r"\b(?:class|struct|enum|interface|trait|record|object|module|impl|type|const)\s{1,9}([A-Z]\w*)"
)


class Hit(NamedTuple):
    """A value from outside reaches a sink. `call` is the sink's place, `argument` the value's."""

    sink: Sink
    call: Span
    argument: Span
    label: Label


class Exhausted(Exception):  # noqa: N818 - a signal, not an error
    """The program is too large to be gone through; the text says what was too much."""


Evaluates = Callable[["Interpreter", Any, Frame], Value]
"""Gives the value of an expression."""
Executes = Callable[["Interpreter", Any, Frame], bool]
"""Goes through a statement, and tells whether it leads away."""


@dataclass(frozen=True, slots=True)
class Handlers:
    """What interprets expressions and statements, by their types."""

    expressions: Mapping[type, Evaluates]
    statements: Mapping[type, Executes]


class Interpreter:
    """One program gone through. `seen` has the value of each expression at its place; `hits` the
    values that reach sinks."""

    def __init__(self, program: Program, table: Table, text: str, handlers: Handlers) -> None:
        self._handlers = handlers
        self.seen: dict[Span, Value] = {}
        self.assigned: dict[Span, Span] = {}
        """By the place of a variable's use, the place of what it was assigned last."""
        self.hits: dict[tuple[str, Span, Span], Hit] = {}
        self.exhausted = ""
        """Why the program was not gone through to its end, in words; empty if it was."""
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
        """What a call sets for its caller, by its function and arguments."""
        self.rows: dict[tuple[object, ...], list[Value]] = {}
        """What a call returns for each of several variables, by its function and arguments."""
        self.rows_of: dict[Span, list[Value]] = {}
        """The same by the place of the call that was gone through last."""
        self.steps = 0
        self._deadline = time.monotonic() + MAX_SECONDS

    def see(self, place: Span, value: Value) -> None:
        """Note the value of what stands at a place."""
        known = self.seen.get(place)
        self.seen[place] = value if not known else join((known, value))

    def tick(self) -> None:
        """Count a step.

        :raises Exhausted: if there were too many, or the time is over.
        """
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Exhausted("the code has too many ways through it")
        if not self.steps % _STEPS_BETWEEN and time.monotonic() > self._deadline:
            raise Exhausted("following them took too long")

    def own_text(self, expr: Expr) -> str:
        """The text of an expression, of a very long one the beginning: calls stand in calls, and
        the tables' expressions are searched for in each."""
        return self.text[expr.span.start : min(expr.span.end, expr.span.start + MAX_TEXT)]

    @cached_property
    def declared(self) -> frozenset[str]:
        """The names of the classes and the like that the text declares."""
        return frozenset(_DECLARED.findall(self.text))

    def evaluate(self, expr: Expr, frame: Frame) -> Value:
        """The value of an expression."""
        self.tick()
        value = self._handlers.expressions[type(expr)](self, expr, frame)
        self.see(expr.span, value)
        return value

    def statement(self, statement: Stmt, frame: Frame) -> bool:
        """Go through a statement; whether it leads away."""
        self.tick()
        return self._handlers.statements[type(statement)](self, statement, frame)

    def execute(self, body: Iterable[Stmt], frame: Frame) -> bool:
        """Go through statements; whether they lead away."""
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


def first_source(patterns: list[tuple[re.Pattern[str], Source]], text: str) -> Source | None:
    return next((source for pattern, source in patterns if pattern.search(text)), None)


def invocation_key(function: Function, args: list[tuple[str | None, Value]]) -> tuple[object, ...]:
    return function.span, tuple((name, frozenset(value)) for name, value in args)


def new_label(kind: Kind, place: Span, what: str) -> Label:
    return Label(kind, place, what, steps=(Step(place, what),))


def labelled(source: Source, place: Span) -> Value:
    label = new_label(source.kind, place, source.what)
    return of(label._replace(clean=frozenset(source.clean)))


def is_numeric(type_: str) -> bool:
    return NUMERIC.match(type_) is not None and BYTES.search(type_) is None


def format_settles_host(call: Call) -> bool:
    """Whether a format such as `https://host/%s` lets its values choose no host."""
    texts = [argument.value for argument in call.args[:1]]
    if isinstance(call.callee, Member):
        texts.insert(0, call.callee.object)
    return any(isinstance(each, Literal) and is_fixed(each.text) for each in texts)


def annotation_of(decoration: str) -> str:
    return decoration.partition(":")[2].partition("=")[0].strip()


def arity(function: Function) -> int:
    return sum(param.name not in SELVES for param in function.params)
