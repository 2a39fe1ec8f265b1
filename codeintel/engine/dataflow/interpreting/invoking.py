"""Execute functions of the file with the values of a call, and find those that check values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.interpreting.interpreter import (
    MAX_DEPTH,
    SELVES,
    Frame,
    Hit,
    Interpreter,
    annotation_of,
    invocation_key,
    is_numeric,
    labelled,
    new_label,
)
from codeintel.engine.dataflow.interpreting.naming import dotted_name, resolve
from codeintel.engine.dataflow.ir import (
    Assign,
    Block,
    Branch,
    Call,
    Choice,
    Evaluate,
    Expr,
    Function,
    Join,
    Keyed,
    Leave,
    Literal,
    Loop,
    Name,
    Param,
    Return,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.table import Sink, TaintSource, first_source
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import HARMLESS, Kind, Value, checked, join, of, through

_TRUTHS = frozenset({"true", "false", "none", "null", "nil", "0", "1"})
_ANSWERS = frozenset(
    {
        "all",
        "all?",
        "any",
        "any?",
        "array_key_exists",
        "bool",
        "boolval",
        "ctype_alnum",
        "ctype_digit",
        "fullmatch",
        "in_array",
        "include?",
        "is_match",
        "is_relative_to",
        "issubset",
        "isset",
        "key?",
        "match",
        "match?",
        "preg_match",
        "start_with?",
        "startswith",
        "str_starts_with",
        "test",
    }
)


def is_predicate(function: Function) -> bool:
    """Return whether a function only returns yes or no, and computes or branches for at least
    one.
    """
    returned = [each for each, _ in _returns(function.body, nested=False)]
    return bool(returned) and all(map(_is_answer, returned)) and not _is_constant(returned)


def refuses(function: Function) -> bool:
    """Return whether a function raises unless its values are good, and returns no answer in a
    branch.
    """
    returns = list(_returns(function.body, nested=False))
    return _leaves(function.body) and not any(inside for _, inside in returns)


def returned_values(function: Function) -> list[Expr]:
    """Return the result of a function.

    For a variable, return its last value at the top level.
    """
    kept = {
        statement.target.id: statement.value
        for statement in function.body
        if isinstance(statement, Assign) and isinstance(statement.target, Name)
    }
    found = [value for value, _ in _returns(function.body, nested=False)]
    return [kept.get(each.id, each) if isinstance(each, Name) else each for each in found]


def tested_by(generator: Expr) -> Iterator[Expr]:
    """Yield what a comprehension iterates over, as in `all(check(c) for c in value)`."""
    if isinstance(generator, Block):
        for statement in generator.body:
            if isinstance(statement, Assign):
                yield statement.value


def _returns(body: Iterable[Stmt], *, nested: bool) -> Iterator[tuple[Expr, bool]]:
    for statement in body:
        if isinstance(statement, Return):
            yield statement.value or Literal(Span(0, 0), "none"), nested and bool(statement.value)
        elif isinstance(statement, Branch):
            yield from _returns((*statement.then, *statement.otherwise), nested=True)
        elif isinstance(statement, Loop):
            yield from _returns(statement.body, nested=True)
        elif isinstance(statement, Sequence):
            yield from _returns(statement.body, nested=nested)


def _leaves(body: Iterable[Stmt]) -> bool:
    for statement in body:
        if isinstance(statement, Leave):
            return True
        if isinstance(statement, Evaluate) and _called(statement.value) in kinds.EXIT_CALLS:
            return True
        if isinstance(statement, Branch) and _leaves((*statement.then, *statement.otherwise)):
            return True
        if isinstance(statement, Loop | Sequence) and _leaves(statement.body):
            return True
    return False


def _called(value: Expr) -> str:
    callee = value.callee if isinstance(value, Call) else None
    return getattr(callee, "name", getattr(callee, "id", ""))


def _is_answer(value: Expr) -> bool:
    if isinstance(value, Literal):
        return value.text.lower() in _TRUTHS
    if isinstance(value, Test):
        return True
    if isinstance(value, Choice | Join):
        return bool(value.parts) and all(map(_is_answer, value.parts))
    return _called(value) in _ANSWERS


def _is_constant(returned: list[Expr]) -> bool:
    return len({each.text for each in returned if isinstance(each, Literal)}) == 1 and all(
        isinstance(each, Literal) for each in returned
    )


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
    """Return the values under some keys of an object literal, or the whole value of anything
    else.
    """
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
            key = (sink.class_, call, label.origin, label.kind, label.via)
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


_COUNTERS = frozenset({"i", "j", "n", "idx", "index", "pos", "position"})
_CONVERTED = re.compile(r"<(?:int|float|uuid):(\w+)>")
"""A part of a path that a web framework converts to a number before it calls the handler."""
_STATEMENT = re.compile(r"\$?(?:sql|stmt|statement)", re.IGNORECASE)
"""A parameter that is meant to be a whole statement.

The caller is responsible for keeping it constant.
"""
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
        elif interpreter.recorder is not None:
            value = interpreter.recorder.given(param, value)
        frame.write(param.name, value)
        interpreter.see(param.span, value)
    interpreter.stack.append(function.span)
    interpreter.execute(function.body, frame)
    interpreter.stack.pop()
    watch_returned(interpreter, function, frame)
    if interpreter.recorder is not None:
        interpreter.recorder.returned(function, frame)


def _given_to(interpreter: Interpreter, param: Param, source: TaintSource | None) -> Value:
    """Return what a parameter holds, judging by its own text and its function's."""
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
    if interpreter.recorder is not None:
        args = interpreter.recorder.limited(function, args)
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
    """Execute a closure in place. `given` is the value that it is called with, if known."""
    inner = Frame(frame.owner, frame, is_closure=True)
    handler = first_source(interpreter.table.handlers, function.decoration)
    for position, param in enumerate(function.params):
        source = first_source(interpreter.table.parameters, param.decoration) or handler
        inner.types[param.name] = param.type
        value = _given_to(interpreter, param, source)
        if source is None and given is not None:
            value = HARMLESS if position and param.name in _COUNTERS else given
        elif interpreter.recorder is not None and frame is interpreter.module:
            value = interpreter.recorder.given(param, value)
        inner.write(param.name, value)
        interpreter.see(param.span, value)
    if len(interpreter.stack) < MAX_DEPTH + 5:
        interpreter.stack.append(function.span)
        interpreter.execute(function.body, inner)
        interpreter.stack.pop()
    if interpreter.recorder is not None and given is None and frame is interpreter.module:
        interpreter.recorder.returned(function, inner)
    return join(value for _, value in inner.returned)
