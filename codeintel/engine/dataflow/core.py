"""What all parts of the interpreter share: the program, what was seen, and a bound on all steps."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import NamedTuple

from codeintel.engine.dataflow import prefixes
from codeintel.engine.dataflow.frame import Frame
from codeintel.engine.dataflow.guards import GuardFinder
from codeintel.engine.dataflow.ir import (
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
from codeintel.engine.dataflow.values import Kind, Label, Step, Value, join, of

MAX_STEPS = 300_000
MAX_SECONDS = 3.0
"""Of the wall; what was found by then counts. An analyser that takes much longer is killed."""
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


class Hit(NamedTuple):
    """A value from outside reaches a sink. `call` is the sink's place, `argument` the value's."""

    sink: Sink
    call: Span
    argument: Span
    label: Label


class Exhausted(Exception):  # noqa: N818 - a signal, not an error
    """The program is too large to be gone through; the text says what was too much."""


class Core:
    """The state of one interpreter. `seen` has the value of each expression at its place; `hits`
    the values that reach sinks.

    The interpreter is one class in layers, a file each, as each part needs those before it: names,
    sinks, reading, storing, evaluating, calling, invoking, and statements on top.
    """

    def __init__(self, program: Program, table: Table, text: str) -> None:
        self.seen: dict[Span, Value] = {}
        self.assigned: dict[Span, Span] = {}
        """By the place of a variable's use, the place of what it was assigned last."""
        self.hits: dict[tuple[str, Span, Span], Hit] = {}
        self.exhausted = ""
        """Why the program was not gone through to its end, in words; empty if it was."""
        self._program = program
        self._table = table.within(text)
        self.text = text
        self._module = Frame()
        self._fields: dict[str, Value] = {}
        self._functions: dict[str, list[Function]] = {}
        for function in program.functions:
            self._functions.setdefault(function.name, []).append(function)
        self._readers = frozenset(
            name for words in READERS.findall(text) for name in re.findall(r":(\w+)", words)
        )
        self._bare = {f.name: f for f in program.functions if BARE.fullmatch(f.decoration)}
        self._called: set[str] = set()
        self._enums = frozenset(map("".join, ENUM.findall(text)))
        self._checks: dict[tuple[object, ...], list[tuple[frozenset[Span], frozenset[str]]]] = {}
        self._sourced: set[str] = set()
        self._field_exprs: dict[str, Expr] = {}
        self._homes: dict[Span, Frame] = {}
        self._settling: list[tuple[str, list[Value]]] = []
        self._stack: list[Span] = []
        self._memo: dict[tuple[object, ...], Value] = {}
        self._set: dict[tuple[object, ...], dict[str, Value]] = {}
        """What a call sets for its caller, by its function and arguments."""
        self._rows: dict[tuple[object, ...], list[Value]] = {}
        """What a call returns for each of several variables, by its function and arguments."""
        self._rows_of: dict[Span, list[Value]] = {}
        """The same by the place of the call that was gone through last."""
        self._steps = 0
        self._deadline = time.monotonic() + MAX_SECONDS

    def _see(self, place: Span, value: Value) -> None:
        known = self.seen.get(place)
        self.seen[place] = value if not known else join((known, value))

    def _tick(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Exhausted("the code has too many ways through it")
        if not self._steps % _STEPS_BETWEEN and time.monotonic() > self._deadline:
            raise Exhausted("following them took too long")

    def _own_text(self, expr: Expr) -> str:
        """The text of an expression, of a very long one the beginning: calls stand in calls, and
        the tables' expressions are searched for in each."""
        return self.text[expr.span.start : min(expr.span.end, expr.span.start + MAX_TEXT)]

    # What later parts define

    def _eval(self, expr: Expr, frame: Frame) -> Value:
        raise NotImplementedError

    def _call(self, expr: Call, frame: Frame) -> Value:
        raise NotImplementedError

    def _treats(self, call: Call | Member, name: str) -> frozenset[str]:
        raise NotImplementedError

    def _exec(self, body: Iterable[Stmt], frame: Frame) -> bool:
        raise NotImplementedError

    def _invoke(
        self, function: Function, args: list[tuple[str | None, Value]], place: Span
    ) -> Value:
        raise NotImplementedError

    def _statement(self, statement: Stmt, frame: Frame) -> bool:
        raise NotImplementedError

    def _branch(self, branch: Branch, frame: Frame, values: list[Value] | None = None) -> bool:
        raise NotImplementedError

    def _exits(self, value: Expr) -> bool:
        raise NotImplementedError

    def _closure(self, function: Function, frame: Frame, given: Value | None) -> Value:
        raise NotImplementedError

    def _guards(self, frame: Frame) -> GuardFinder:
        raise NotImplementedError


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
    return any(isinstance(each, Literal) and prefixes.is_fixed(each.text) for each in texts)


def annotation_of(decoration: str) -> str:
    return decoration.partition(":")[2].partition("=")[0].strip()


def arity(function: Function) -> int:
    return sum(param.name not in SELVES for param in function.params)
