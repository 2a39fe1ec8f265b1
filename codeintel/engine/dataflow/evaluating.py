"""The value of an expression."""

from __future__ import annotations

from codeintel.engine.dataflow import prefixes
from codeintel.engine.dataflow.core import HOSTED
from codeintel.engine.dataflow.frame import Frame
from codeintel.engine.dataflow.ir import (
    Assignment,
    Branch,
    Call,
    Choice,
    Closure,
    Evaluate,
    Expr,
    Index,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.storing import Storing
from codeintel.engine.dataflow.values import HARMLESS, Value, cleaned, join


class Evaluating(Storing):
    """Evaluates."""

    def _eval(self, expr: Expr, frame: Frame) -> Value:
        self._tick()
        value = self._value(expr, frame)
        self._see(expr.span, value)
        return value

    def _value(self, expr: Expr, frame: Frame) -> Value:
        if isinstance(expr, Literal):
            if expr.text.startswith("php://"):
                for source in self._table.names.find(expr.text):
                    return self._read_source(source, expr, frame)
            return HARMLESS
        if isinstance(expr, Name):
            return self._name(expr, frame)
        if isinstance(expr, Member):
            return self._member(expr, frame)
        if isinstance(expr, Call):
            return self._call(expr, frame)
        if isinstance(expr, Join):
            return self._joined(expr, frame)
        if isinstance(expr, Index):
            return self._index(expr, frame)
        if isinstance(expr, Choice):
            return self._choice(expr, frame)
        if isinstance(expr, Keyed):
            return join([self._eval(part, frame) for _, part in expr.entries])
        if isinstance(expr, Test):
            return self._test(expr, frame)
        if isinstance(expr, Closure):
            return self._closure(expr.function, frame, None)
        if isinstance(expr, Assignment):
            return self._assign(expr.target, expr.value, expr.augments, frame)
        return self._block(expr.body, frame)[0]

    def _test(self, test: Test, frame: Frame) -> Value:
        """Nothing; but what `a and b` is may be b, which is looked at only if a holds."""
        if test.operator not in ("&&", "and") or len(test.parts) != 2:
            for part in test.parts:
                self._eval(part, frame)
            return HARMLESS
        self._eval(test.parts[0], frame)
        way = frame.fork()
        for guard in self._guards(frame).find(test.parts[0]):
            if guard.holds:
                way.clean(guard.origins, guard.classes)
        value = self._eval(test.parts[1], way)
        return value if test.operator == "and" else HARMLESS

    def _block(self, body: tuple[Stmt, ...], frame: Frame) -> tuple[Value, bool]:
        """The value of statements in the place of an expression, and whether they lead away."""
        if not body:
            return HARMLESS, False
        if self._exec(body[:-1], frame):
            return HARMLESS, True
        last = body[-1]
        if isinstance(last, Evaluate):
            return self._eval(last.value, frame), self._exits(last.value)
        if isinstance(last, Sequence):
            return self._block(last.body, frame)
        if isinstance(last, Branch):
            values: list[Value] = []
            left = self._branch(last, frame, values)
            return join(values), left
        return HARMLESS, self._statement(last, frame)

    def _joined(self, expr: Join, frame: Frame) -> Value:
        value = join([self._eval(part, frame) for part in expr.parts])
        if len(expr.parts) == 1 and expr.parts[0].span in self.assigned:
            self.assigned[expr.span] = self.assigned[expr.parts[0].span]
        if value and self._settles_host(expr):
            return cleaned(value, HOSTED)
        return value

    def _settles_host(self, expr: Join) -> bool:
        """Whether text that is put together begins with a host, or with a path of this site."""
        source = self.text[expr.span.start : min(expr.span.end, expr.span.start + 300)]
        if prefixes.begins_fixed(source):
            return True
        first: Expr = expr
        while isinstance(first, Join) and first.parts:
            first = first.parts[0]
        if not isinstance(first, Name | Member) or self.seen.get(first.span):
            return False
        plain = first.span.start == expr.span.start and first.span.end < expr.span.end
        return (plain or prefixes.begins_interpolated(source)) and prefixes.names_address(
            first.id if isinstance(first, Name) else first.name
        )

    def _choice(self, expr: Choice, frame: Frame) -> Value:
        if expr.condition is None:
            return join([self._eval(part, frame) for part in expr.parts])
        self._eval(expr.condition, frame)
        guards = list(self._guards(frame).find(expr.condition))
        found = []
        for position, part in enumerate(expr.parts):
            way = frame.fork()
            for guard in guards:
                if guard.holds == (position == 0):
                    way.clean(guard.origins, guard.classes)
            found.append(self._eval(part, way))
        return join(found)
