"""Evaluate expressions, and execute statements and a whole program."""

from __future__ import annotations

import re

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.interpreting.guards import GuardFinder
from codeintel.engine.dataflow.interpreting.interpreter import (
    HOSTED,
    Exhausted,
    Frame,
    Interpreter,
    is_numeric,
    labelled,
)
from codeintel.engine.dataflow.interpreting.invoking import (
    go_through,
    go_through_closure,
    is_predicate,
)
from codeintel.engine.dataflow.interpreting.naming import dotted_name, resolve
from codeintel.engine.dataflow.interpreting.variables import (
    assign,
    clean_fields,
    read_source,
    store,
)
from codeintel.engine.dataflow.ir import (
    Assign,
    Assignment,
    Block,
    Branch,
    Call,
    Choice,
    Closure,
    Define,
    Evaluate,
    Expr,
    Join,
    Keyed,
    Leave,
    Literal,
    Loop,
    Member,
    Name,
    Return,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.values import (
    HARMLESS,
    Value,
    begins_fixed,
    begins_interpolated,
    cleaned,
    is_tainted,
    join,
    names_address,
    origins,
)


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
    """Return no value, except that `a and b` may be b, which is evaluated only if a is true."""
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
    """Return whether concatenated text starts with a host, or with a path of the same site."""
    source = interpreter.text[expr.span.start : min(expr.span.end, expr.span.start + 300)]
    if begins_fixed(source):
        return True
    first: Expr = expr
    while isinstance(first, Join) and first.parts:
        first = first.parts[0]
    if not isinstance(first, Name | Member) or is_tainted(interpreter.seen.get(first.span)):
        return False
    plain = first.span.start == expr.span.start and first.span.end < expr.span.end
    return (plain or begins_interpolated(source)) and names_address(
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
        lambda expr: is_tainted(interpreter.evaluate(expr, frame)),
        lambda call: interpreter.recorder.mark(call) if interpreter.recorder is not None else "",
    )


_COMMA = re.compile(r"[\s)\]\"']*,")


def run(interpreter: Interpreter) -> None:
    """Execute everything twice, because one method may read fields that another sets.

    A recorder can tell that the second time would find nothing new.
    """
    at = ""
    try:
        for _ in range(2):
            interpreter.memo.clear()
            interpreter.module = Frame()
            interpreter.module.holds_fields = interpreter.program.bare_fields
            interpreter.execute(interpreter.program.body, interpreter.module)
            at = ""
            for function in interpreter.program.functions:
                at = function.name
                go_through(interpreter, function)
            if interpreter.recorder is not None and interpreter.recorder.is_settled(interpreter):
                break
    except Exhausted as exhausted:
        place = f"the function `{at}`" if at else "the code outside of functions"
        interpreter.exhausted = f"{exhausted}, so the analysis stopped in {place}"


def do_assign(interpreter: Interpreter, statement: Assign, frame: Frame) -> bool:
    if statement.type and isinstance(statement.target, Name):
        frame.types[statement.target.id] = statement.type
    assign(
        interpreter,
        statement.target,
        statement.value,
        statement.augments,
        frame,
        statement.declares,
    )
    if isinstance(statement.target, Name) and is_numeric(statement.type):
        frame.write(statement.target.id, HARMLESS, statement.value)
    return False


def do_evaluate(interpreter: Interpreter, statement: Evaluate, frame: Frame) -> bool:
    interpreter.evaluate(statement.value, frame)
    return _exits(interpreter, statement.value)


def do_sequence(interpreter: Interpreter, statement: Sequence, frame: Frame) -> bool:
    return interpreter.execute(statement.body, frame)


def do_leave(interpreter: Interpreter, statement: Return | Leave, frame: Frame) -> bool:
    if statement.value is not None:
        value = interpreter.evaluate(statement.value, frame)
        if isinstance(statement, Return):
            frame.returned.append((statement.span, value))
            frame.rows.append(_row(interpreter, statement.value, frame))
    return True


def block_value(interpreter: Interpreter, expr: Block, frame: Frame) -> Value:
    return _block(interpreter, expr.body, frame)[0]


def do_define(interpreter: Interpreter, statement: Define, frame: Frame) -> bool:
    if frame is not interpreter.module:
        interpreter.homes[statement.function.span] = frame
    return False


def _row(interpreter: Interpreter, returned: Expr, frame: Frame) -> list[Value]:
    """Return the value of each part if several are returned together."""
    if not isinstance(returned, Join) or len(returned.parts) < 2:
        return []
    ends = [part.span.end for part in returned.parts]
    between = interpreter.text[ends[0] : returned.parts[1].span.start]
    if _COMMA.match(between) is None:
        return []
    checked = frame.fork()  # callers use the value if the last part says that it is good
    for guard in guards_of(interpreter, frame).find(returned.parts[-1]):
        if guard.holds:
            checked.clean(guard.origins, guard.classes)
    return [interpreter.evaluate(part, checked) for part in returned.parts]


def _exits(interpreter: Interpreter, value: Expr) -> bool:
    while isinstance(value, Join) and len(value.parts) == 1:
        value = value.parts[0]
    if isinstance(value, Call):
        return dotted_name(interpreter, value.callee) in kinds.EXIT_CALLS
    return isinstance(value, Name) and value.id in ("exit", "die", "abort")


def do_branch(
    interpreter: Interpreter, branch: Branch, frame: Frame, values: list[Value] | None = None
) -> bool:
    """Return whether both paths leave. Add the values of those that do not to `values`."""
    interpreter.evaluate(branch.condition, frame)
    guards = list(guards_of(interpreter, frame).find(branch.condition))
    then, otherwise = frame.fork(), frame.fork()
    for guard in guards:
        (then if guard.holds else otherwise).clean(guard.origins, guard.classes)
    if values is None:
        then_leaves = interpreter.execute(branch.then, then)
        otherwise_leaves = interpreter.execute(branch.otherwise, otherwise)
    else:
        one, then_leaves = _block(interpreter, branch.then, then)
        other, otherwise_leaves = _block(interpreter, branch.otherwise, otherwise)
        values += [HARMLESS if then_leaves else one, HARMLESS if otherwise_leaves else other]
    if then_leaves and otherwise_leaves:
        return True
    for guard in guards:
        if otherwise_leaves if guard.holds else then_leaves:
            clean_fields(interpreter, guard)
    if then_leaves:
        frame.become(otherwise)
    elif otherwise_leaves:
        frame.become(then)
    else:
        frame.merge(then, otherwise)
    return False


def do_loop(interpreter: Interpreter, loop: Loop, frame: Frame) -> bool:
    for _ in range(2):
        value = interpreter.evaluate(loop.source, frame) if loop.source is not None else HARMLESS
        if loop.target is not None and loop.source is not None:
            for source in interpreter.table.names.find(
                f"{dotted_name(interpreter, loop.source)}.[]"
            ):
                value = labelled(source, loop.source.span)
        inner = frame.fork()
        if loop.target is not None:
            store(interpreter, loop.target, value, None, frame=inner)
        elif loop.source is not None:
            for guard in guards_of(interpreter, frame).find(loop.source):
                if guard.holds:
                    inner.clean(guard.origins, guard.classes)
        interpreter.execute(loop.body, inner)
        frame.merge(frame.fork(), inner)
    return False


def _block(interpreter: Interpreter, body: tuple[Stmt, ...], frame: Frame) -> tuple[Value, bool]:
    """Return the value of statements at the position of an expression, and whether they leave."""
    if not body:
        return HARMLESS, False
    if interpreter.execute(body[:-1], frame):
        return HARMLESS, True
    last = body[-1]
    if isinstance(last, Evaluate):
        return interpreter.evaluate(last.value, frame), _exits(interpreter, last.value)
    if isinstance(last, Sequence):
        return _block(interpreter, last.body, frame)
    if isinstance(last, Branch):
        values: list[Value] = []
        left = do_branch(interpreter, last, frame, values)
        return join(values), left
    return HARMLESS, interpreter.statement(last, frame)
