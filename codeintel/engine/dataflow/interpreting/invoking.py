"""Functions gone through: by themselves, with the values of a call, and where they stand."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.interpreting.frame import Frame
from codeintel.engine.dataflow.interpreting.interpreter import (
    MAX_DEPTH,
    SELVES,
    Interpreter,
    annotation_of,
    first_source,
    invocation_key,
    is_numeric,
    labelled,
    new_label,
)
from codeintel.engine.dataflow.interpreting.sinks import watch_returned
from codeintel.engine.dataflow.interpreting.validators import refuses
from codeintel.engine.dataflow.ir import Function, Param
from codeintel.engine.dataflow.table import Source
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import HARMLESS, Kind, Value, checked, join, of, through

_COUNTERS = frozenset({"i", "j", "n", "idx", "index", "pos", "position"})
_CONVERTED = re.compile(r"<(?:int|float|uuid):(\w+)>")
"""A part of a path that a web framework turns into a number before it calls the handler."""
_STATEMENT = re.compile(r"\$?(?:sql|stmt|statement)", re.IGNORECASE)
"""A parameter that is meant to be a whole statement: it is for the caller to keep it constant."""
_PRIVATE = re.compile(r"\b(?:private|static)\b")


def go_through(interpreter: Interpreter, function: Function) -> None:
    frame = Frame(function.owner, interpreter.homes.get(function.span, interpreter.module))
    handler = first_source(interpreter.table.handlers, function.decoration)
    private = function.name in interpreter.called and (
        function.name.startswith("_")
        or _PRIVATE.search(function.decoration) is not None
        or function.span in interpreter.homes
    )
    for param in function.params:
        frame.types[param.name] = param.type
        if param.name in SELVES:
            continue
        source = first_source(interpreter.table.parameters, param.decoration) or handler
        value = HARMLESS if private and source is None else _given_to(interpreter, param, source)
        if param.name in _CONVERTED.findall(function.decoration):
            value = HARMLESS
        frame.write(param.name, value)
        interpreter.see(param.span, value)
    interpreter.stack.append(function.span)
    interpreter.execute(function.body, frame)
    interpreter.stack.pop()
    watch_returned(interpreter, function, frame)


def _given_to(interpreter: Interpreter, param: Param, source: Source | None) -> Value:
    """What a parameter holds as far as its own text and its function's tell."""
    type_ = param.type or annotation_of(param.decoration)
    if is_numeric(type_) or type_ in interpreter.enums:
        return HARMLESS
    neutral = interpreter.table.neutral
    if source is not None and not (neutral and neutral.search(param.decoration)):
        return labelled(source, param.span)
    label = new_label(Kind.PARAMETER, param.span, f"the parameter {param.name}")
    if _STATEMENT.fullmatch(param.name):
        label = label._replace(clean=frozenset({"sql"}))
    return of(label)


def invoke(
    interpreter: Interpreter, function: Function, args: list[tuple[str | None, Value]], place: Span
) -> Value:
    key = invocation_key(function, args)
    if key in interpreter.memo:
        return interpreter.memo[key]
    if function.span in interpreter.stack or len(interpreter.stack) >= MAX_DEPTH:
        return join(value for _, value in args)
    interpreter.memo[key] = HARMLESS
    frame = Frame(function.owner, interpreter.homes.get(function.span, interpreter.module))
    params = [p for p in function.params if p.name not in SELVES]
    for param in params:
        frame.types[param.name] = param.type
        frame.write(param.name, HARMLESS)
    by_name = {param.name: param for param in params}
    for position, (keyword, value) in enumerate(args):
        found = by_name.get(keyword) if keyword else None
        if found is None and position < len(params):
            found = params[position]
        if found is not None:
            if not is_numeric(found.type):
                step = f"passed to {function.name}() as {found.name}"
                frame.write(found.name, through(value, place, step))
                frame.write(f"{found.name} as given", value)
        elif params:
            frame.add(params[-1].name, value)
    interpreter.stack.append(function.span)
    interpreter.execute(function.body, frame)
    interpreter.stack.pop()
    value = join(value for _, value in frame.returned)
    interpreter.memo[key] = value
    widths = {len(row) for row in frame.rows}
    if len(widths) == 1 and widths != {0}:
        columns = zip(*frame.rows, strict=True)
        interpreter.rows[key] = [
            through(join(each), place, f"returned by {function.name}()") for each in columns
        ]
    interpreter.shared_of[key] = {
        name: frame.values[name] for name in interpreter.program.shared & frame.values.keys()
    }
    if refuses(function):
        given = [value for _, value in args]
        left = [frame.values.get(f"{param.name} as given", HARMLESS) for param in params]
        interpreter.checks[key] = list(checked(join(given), join(left)))
    return through(value, place, f"returned by {function.name}()")


def go_through_closure(
    interpreter: Interpreter, function: Function, frame: Frame, given: Value | None
) -> Value:
    """Go through a function where it stands; `given` is what it is called with, if known."""
    inner = Frame(frame.owner, frame, is_closure=True)
    handler = first_source(interpreter.table.handlers, function.decoration)
    for position, param in enumerate(function.params):
        source = first_source(interpreter.table.parameters, param.decoration) or handler
        inner.types[param.name] = param.type
        value = _given_to(interpreter, param, source)
        if source is None and given is not None:
            value = HARMLESS if position and param.name in _COUNTERS else given
        inner.write(param.name, value)
        interpreter.see(param.span, value)
    if len(interpreter.stack) < MAX_DEPTH + 5:
        interpreter.stack.append(function.span)
        interpreter.execute(function.body, inner)
        interpreter.stack.pop()
    return join(value for _, value in inner.returned)
