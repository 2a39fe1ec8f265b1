"""The value of an expression."""

from __future__ import annotations

from codeintel.engine.dataflow import prefixes
from codeintel.engine.dataflow.interpreting.frame import Frame
from codeintel.engine.dataflow.interpreting.guards import GuardFinder
from codeintel.engine.dataflow.interpreting.interpreter import HOSTED, Interpreter
from codeintel.engine.dataflow.interpreting.invoking import go_through_closure
from codeintel.engine.dataflow.interpreting.naming import dotted_name, resolve
from codeintel.engine.dataflow.interpreting.reading import read_source
from codeintel.engine.dataflow.interpreting.storing import assign
from codeintel.engine.dataflow.interpreting.validators import is_predicate
from codeintel.engine.dataflow.ir import (
    Assignment,
    Call,
    Choice,
    Closure,
    Expr,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
    Test,
)
from codeintel.engine.dataflow.values import HARMLESS, Value, cleaned, join, origins


def literal_value(interpreter: Interpreter, expr: Literal, frame: Frame) -> Value:
    if expr.text.startswith("php://"):
        for source in interpreter.table.names.find(expr.text):
            return read_source(interpreter, source, expr, frame)
    return HARMLESS


def keyed_value(interpreter: Interpreter, expr: Keyed, frame: Frame) -> Value:
    return join([interpreter.evaluate(part, frame) for _, part in expr.entries])


def closure_value(interpreter: Interpreter, expr: Closure, frame: Frame) -> Value:
    return go_through_closure(interpreter, expr.function, frame, None)


def assignment_value(interpreter: Interpreter, expr: Assignment, frame: Frame) -> Value:
    return assign(interpreter, expr.target, expr.value, expr.augments, frame)


def test_value(interpreter: Interpreter, test: Test, frame: Frame) -> Value:
    """Nothing; but what `a and b` is may be b, which is looked at only if a holds."""
    if test.operator not in ("&&", "and") or len(test.parts) != 2:
        for part in test.parts:
            interpreter.evaluate(part, frame)
        return HARMLESS
    interpreter.evaluate(test.parts[0], frame)
    way = frame.fork()
    for guard in guards_of(interpreter, frame).find(test.parts[0]):
        if guard.holds:
            way.clean(guard.origins, guard.classes)
    value = interpreter.evaluate(test.parts[1], way)
    return value if test.operator == "and" else HARMLESS


def joined_value(interpreter: Interpreter, expr: Join, frame: Frame) -> Value:
    value = join([interpreter.evaluate(part, frame) for part in expr.parts])
    if len(expr.parts) == 1 and expr.parts[0].span in interpreter.assigned:
        interpreter.assigned[expr.span] = interpreter.assigned[expr.parts[0].span]
    if value and _settles_host(interpreter, expr):
        return cleaned(value, HOSTED)
    return value


def _settles_host(interpreter: Interpreter, expr: Join) -> bool:
    """Whether text that is put together begins with a host, or with a path of this site."""
    source = interpreter.text[expr.span.start : min(expr.span.end, expr.span.start + 300)]
    if prefixes.begins_fixed(source):
        return True
    first: Expr = expr
    while isinstance(first, Join) and first.parts:
        first = first.parts[0]
    if not isinstance(first, Name | Member) or interpreter.seen.get(first.span):
        return False
    plain = first.span.start == expr.span.start and first.span.end < expr.span.end
    return (plain or prefixes.begins_interpolated(source)) and prefixes.names_address(
        first.id if isinstance(first, Name) else first.name
    )


def choice_value(interpreter: Interpreter, expr: Choice, frame: Frame) -> Value:
    if expr.condition is None:
        return join([interpreter.evaluate(part, frame) for part in expr.parts])
    interpreter.evaluate(expr.condition, frame)
    guards = list(guards_of(interpreter, frame).find(expr.condition))
    found = []
    for position, part in enumerate(expr.parts):
        way = frame.fork()
        for guard in guards:
            if guard.holds == (position == 0):
                way.clean(guard.origins, guard.classes)
        found.append(interpreter.evaluate(part, way))
    return join(found)


def guards_of(interpreter: Interpreter, frame: Frame) -> GuardFinder:
    def predicate(call: Call) -> bool:
        function = resolve(interpreter, call, frame)
        return function is not None and is_predicate(function)

    return GuardFinder(
        interpreter.table,
        lambda expr: origins(interpreter.evaluate(expr, frame)),
        lambda expr: dotted_name(interpreter, expr),
        frame.expr_of,
        predicate,
    )
