"""Values that reach places where they do harm."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.interpreting.frame import Frame
from codeintel.engine.dataflow.interpreting.interpreter import Hit, Interpreter
from codeintel.engine.dataflow.interpreting.naming import dotted_name, resolve
from codeintel.engine.dataflow.interpreting.validators import returned_values
from codeintel.engine.dataflow.ir import Call, Expr, Function, Join, Keyed, Name
from codeintel.engine.dataflow.table import Sink
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import HARMLESS, Value, join

_LIST_HEADS = ("[", "new String[", "new[]", "new string[", "array(", "(", "{")
_LISTS = frozenset({"List.of", "Arrays.asList", "new ArrayList", "new LinkedList", "new List"})


def watch_call(
    interpreter: Interpreter,
    expr: Call,
    names: tuple[str, str],
    receiver: Value,
    values: list[Value],
    frame: Frame,
) -> bool:
    found = False
    sinks = interpreter.table.sink_calls
    for sink in dict.fromkeys(s for name in names if name for s in sinks.find(name)):
        found = True
        text = interpreter.own_text(expr)
        if sink.with_text and not re.search(sink.with_text, text):
            continue
        if sink.without_text and re.search(sink.without_text, text):
            continue
        if sink.receiver:
            _reach(interpreter, sink, expr.span, expr.span, receiver)
        position = 0
        for argument, value in zip(expr.args, values, strict=True):
            if argument.keyword is not None:
                wanted = argument.keyword in sink.keywords
            else:
                wanted = position in sink.arguments or -1 in sink.arguments
                position += 1
                if wanted and sink.keywords:
                    value = _keys_of(interpreter, argument.value, sink.keywords, value, frame)
            if (
                wanted
                and value
                and not (sink.no_lists and _is_list(interpreter, argument.value, frame))
            ):
                _reach(interpreter, sink, expr.span, argument.value.span, value)
    return found


def _keys_of(
    interpreter: Interpreter, expr: Expr, keys: tuple[str, ...], value: Value, frame: Frame
) -> Value:
    """What some keys of an object that is written out hold; of anything else, all of it."""
    if isinstance(expr, Name):
        name, kept = expr.id, frame.expr_of(expr.id)
        if isinstance(kept, Keyed):
            return join([frame.read_part(name, f"{name}.{key}") or HARMLESS for key in keys])
    if isinstance(expr, Keyed):
        return join(
            [interpreter.evaluate(part, frame) for key, part in expr.entries if key in keys]
        )
    return value


def _reach(interpreter: Interpreter, sink: Sink, call: Span, argument: Span, value: Value) -> None:
    for label in value.values():
        if label.harms(sink.class_):
            key = (sink.class_, call, label.origin)
            known = interpreter.hits.get(key)
            if known is None or len(known.label.steps) > len(label.steps):
                interpreter.hits[key] = Hit(sink, call, argument, label)


def _is_list(interpreter: Interpreter, expr: Expr, frame: Frame) -> bool:
    if isinstance(expr, Name):
        kept = frame.expr_of(expr.id)
        if kept is None or isinstance(kept, Name):
            return False
        expr = kept
    head = interpreter.text[expr.span.start : expr.span.start + 12]
    if isinstance(expr, Keyed) and head.startswith("{"):
        return True
    if isinstance(expr, Call):
        own = resolve(interpreter, expr, frame)
        if own is not None and own.span not in interpreter.stack:
            found = returned_values(own)
            return bool(found) and all(
                not isinstance(each, Name | Call) and _is_list(interpreter, each, frame)
                for each in found
            )
        return dotted_name(interpreter, expr.callee) in _LISTS
    if isinstance(expr, Join) and not head.startswith(_LIST_HEADS):
        return any(isinstance(e, Join) and _is_list(interpreter, e, frame) for e in expr.parts)
    return isinstance(expr, Join)


def watch_assigned(
    interpreter: Interpreter,
    dotted: str,
    place: Span,
    value: Value,
    expr: Expr | None,
    frame: Frame,
) -> None:
    for sink in interpreter.table.sink_assigns.find(dotted) if value else ():
        if not (sink.no_lists and expr is not None and _is_list(interpreter, expr, frame)):
            _reach(interpreter, sink, place, place, value)


def watch_returned(interpreter: Interpreter, function: Function, frame: Frame) -> None:
    for pattern, sink in interpreter.table.sink_returns:
        if pattern.search(function.decoration):
            for place, value in frame.returned:
                _reach(interpreter, sink, place, place, value)
