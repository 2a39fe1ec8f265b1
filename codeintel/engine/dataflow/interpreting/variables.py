"""Read and assign variables, fields and parts of containers, and read sources."""

from __future__ import annotations

from collections.abc import Iterable

from codeintel.engine.dataflow.interpreting.guards import Guard
from codeintel.engine.dataflow.interpreting.interpreter import SELVES, Frame, Interpreter, labelled
from codeintel.engine.dataflow.interpreting.invoking import (
    go_through_closure,
    invoke,
    watch_assigned,
)
from codeintel.engine.dataflow.interpreting.naming import (
    classes_treated,
    dotted_name,
    dotted_of_part,
    is_field,
    is_helper,
    path_of,
)
from codeintel.engine.dataflow.ir import (
    Block,
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
)
from codeintel.engine.dataflow.table import TaintSource
from codeintel.engine.dataflow.values import (
    HARMLESS,
    Kind,
    Step,
    Value,
    cleaned,
    cleaned_of,
    join,
    of,
    through,
)

_TEXTUAL = frozenset({"String", "string", "CharSequence", "string?"})
_NUMBERS = frozenset({"length", "Length", "byteLength"})
_PARSERS = ("urlsplit", "urlparse")
# Knowledge about one of these parts says nothing about the others or the host.
_OF_ADDRESSES = frozenset({"path", "query", "fragment"})
_INERT_KEYS = frozenset(
    (
        *("tmp_name", "tempfile", "DOCUMENT_ROOT", "REQUEST_METHOD", "REMOTE_ADDR"),
        *("REQUEST_TIME", "REQUEST_TIME_FLOAT", "SERVER_ADDR", "SERVER_PORT"),
        *("SERVER_NAME", "SERVER_SOFTWARE", "SERVER_PROTOCOL"),
        *("SCRIPT_NAME", "SCRIPT_FILENAME", "HTTPS", "argc"),
        *("CONTENT_LENGTH", "GATEWAY_INTERFACE", "rack.input", "action_dispatch.request_id"),
    )
)
"""Keys that the server itself adds to what a request brings."""


def name_value(interpreter: Interpreter, expr: Name, frame: Frame) -> Value:
    known = frame.read(expr.id)
    if (assigned := frame.expr_of(expr.id)) is not None:
        interpreter.assigned[expr.span] = assigned.span
    if not known and is_field(interpreter, expr.id, frame):
        return _field(interpreter, expr.id)
    if known is not None:
        return known
    for source in interpreter.table.names.find(interpreter.program.aliases.get(expr.id, expr.id)):
        return read_source(interpreter, source, expr, frame)
    if (method := interpreter.bare.get(expr.id)) is not None:
        interpreter.called.add(method.name)
        return invoke(interpreter, method, [], expr.span)
    if frame.owner and expr.id in interpreter.readers:
        return interpreter.fields.get(f"@{expr.id}", HARMLESS)
    if frame.owner or expr.id.startswith("@"):
        return interpreter.fields.get(expr.id, HARMLESS)
    return HARMLESS


def _field(interpreter: Interpreter, name: str) -> Value:
    """Return a field's value. Constructor arguments count only if they are text, not services."""
    textual = interpreter.module.type_of(name) in _TEXTUAL
    return {
        key: label
        for key, label in interpreter.fields.get(name, HARMLESS).items()
        if textual or label.kind is not Kind.PARAMETER
    }


def member_value(interpreter: Interpreter, expr: Member, frame: Frame) -> Value:
    whole = interpreter.evaluate(expr.object, frame)
    for source in interpreter.table.names.find(dotted_name(interpreter, expr)):
        return read_source(interpreter, source, expr, frame)
    if expr.name in _NUMBERS:
        return HARMLESS
    if whole and (
        classes := classes_treated(interpreter, expr, dotted_of_part(interpreter, expr, frame))
    ):
        return cleaned(whole, classes)
    path = path_of(expr.object)
    if path:
        known = frame.read_part(path, path_of(expr))
        if path in SELVES:
            kept = interpreter.field_exprs.get(expr.name) or interpreter.module.expr_of(expr.name)
            if kept is not None:
                interpreter.assigned[expr.span] = kept.span
            own = frame.values.get(path_of(expr))
            return own if own is not None else interpreter.fields.get(expr.name, HARMLESS)
        if known is not None:
            alone = expr.name in _OF_ADDRESSES and _is_parsed(interpreter, expr.object, frame)
            return source_part(interpreter, path, expr, known, frame, alone)
    return whole


def _is_parsed(interpreter: Interpreter, whole: Expr, frame: Frame) -> bool:
    """Return whether a variable holds a parsed address."""
    kept = frame.expr_of(whole.id) if isinstance(whole, Name) else None
    return isinstance(kept, Call) and dotted_name(interpreter, kept.callee).endswith(_PARSERS)


def index_value(interpreter: Interpreter, expr: Index, frame: Frame) -> Value:
    for source in interpreter.table.names.find(f"{dotted_name(interpreter, expr.object)}[]"):
        return read_source(interpreter, source, expr, frame)
    whole = interpreter.evaluate(expr.object, frame)
    interpreter.evaluate(expr.key, frame)
    path = path_of(expr.object)
    if isinstance(expr.key, Literal) and expr.key.text in _INERT_KEYS:
        return HARMLESS
    if path and isinstance(expr.key, Literal):
        known = frame.read_part(path, f"{path}[{expr.key.text}]")
        if known is not None and _is_fixed(interpreter, expr.object, expr.key, frame):
            return HARMLESS
        if known is not None:
            return source_part(interpreter, path, expr, known, frame)
    return whole


def _is_fixed(interpreter: Interpreter, whole: Expr, key: Literal, frame: Frame) -> bool:
    """Return whether an element of a list literal is a constant."""
    kept = frame.expr_of(whole.id) if isinstance(whole, Name) and key.text.isdigit() else None
    if not isinstance(kept, Join) or interpreter.text[kept.span.start] not in "[(":
        return False
    position = int(key.text)
    return position < len(kept.parts) and isinstance(kept.parts[position], Literal)


def read_source(interpreter: Interpreter, source: TaintSource, expr: Expr, frame: Frame) -> Value:
    """Return a source's value. Later reads return the same value, which may have been checked."""
    path = path_of(expr)
    known = frame.read_part("", path) if path else None
    if known is None:
        known = labelled(source, expr.span)
        if path:
            frame.values[path] = known
            interpreter.sourced.add(path)
    return known


def called_source(interpreter: Interpreter, source: TaintSource, call: Call, frame: Frame) -> Value:
    """Return the result of calling a source. The same call returns the same value again."""
    given = [argument.value for argument in call.args[:1]]
    callee = call.callee
    if not all(isinstance(each, Literal) for each in given) or not isinstance(callee, Member):
        return labelled(source, call.span)
    texts = "".join(each.text for each in given if isinstance(each, Literal))
    path = f"{dotted_name(interpreter, callee)}({texts})"
    known = frame.read_part("", path)
    if known is None:
        known = labelled(source, call.span)
        frame.values[path] = known
    return known


def source_part(
    interpreter: Interpreter,
    whole: str,
    expr: Expr,
    value: Value,
    frame: Frame,
    alone: bool = False,
) -> Value:
    """Return a part of a source's value. Checking it says nothing about the other parts."""
    path = path_of(expr)
    if (alone or whole in interpreter.sourced) and not frame.knows(path):
        value = join(
            of(label._replace(origin=expr.span, steps=(Step(expr.span, label.what),)))
            for label in value.values()
        )
        frame.values[path] = value
        interpreter.sourced.add(path)
    return value


# Names next to a result that say whether the call succeeded.
_OUTCOMES = frozenset({"err", "ok", "error", "_"})


def assign(
    interpreter: Interpreter,
    target: Expr,
    value: Expr,
    augments: bool,
    frame: Frame,
    declares: bool = False,
) -> Value:
    if (
        isinstance(target, Join)
        and isinstance(value, Join)
        and 1 < len(target.parts) == len(value.parts)
    ):
        found = [interpreter.evaluate(part, frame) for part in value.parts]
        for each, known, part in zip(target.parts, found, value.parts, strict=True):
            store(interpreter, each, known, part, frame=frame, declares=declares)
        return join(found)
    if isinstance(target, Join) and (found := _columns(interpreter, target, value, frame)):
        for each, known in zip(target.parts, found, strict=True):
            store(interpreter, each, known, None, frame=frame, declares=declares)
        return join(found)
    if isinstance(value, Closure) and is_helper(interpreter, target, frame):
        known = go_through_closure(interpreter, value.function, frame, HARMLESS)
    else:
        known = interpreter.evaluate(value, frame)
    if isinstance(target, Name) and known and _is_untouched(known):
        interpreter.sourced.add(target.id)
    call = value  # Go wraps the value as a list of one
    while isinstance(call, Join) and len(call.parts) == 1:
        call = call.parts[0]
    if isinstance(target, Join) and isinstance(call, Call):
        row = interpreter.rows_of.get(call.span, [])
        if len(row) == len(target.parts) > 1:
            for each, one in zip(target.parts, row, strict=True):
                store(interpreter, each, one, None, frame=frame, declares=declares)
            return known
    if augments:
        known = join((known, interpreter.evaluate(target, frame)))
    kept = None if augments else value
    store(interpreter, target, known, kept, frame=frame, declares=declares)
    return known


def _columns(interpreter: Interpreter, target: Join, value: Expr, frame: Frame) -> list[Value]:
    """Return what each of several targets gets from `(a, b) if condition else (c, d)`."""
    if not isinstance(value, Choice) or len(target.parts) < 2:
        return []
    rows = [part.parts for part in value.parts if isinstance(part, Join)]
    if len(rows) < len(value.parts) or {len(row) for row in rows} != {len(target.parts)}:
        return []
    interpreter.evaluate(value, frame)
    columns = zip(*rows, strict=True)
    return [join([interpreter.evaluate(each, frame) for each in column]) for column in columns]


def store(
    interpreter: Interpreter,
    target: Expr,
    value: Value,
    expr: Expr | None,
    *,
    frame: Frame,
    declares: bool = True,
) -> None:
    interpreter.tick()
    if isinstance(target, Name):
        _store_name(interpreter, target, value, expr, frame, declares)
    elif isinstance(target, Member):
        _store_member(interpreter, target, value, expr, frame)
    elif isinstance(target, Index):
        _store_part(interpreter, target, value, expr, frame)
    elif isinstance(target, Keyed):
        _take_apart(interpreter, target, value, expr, frame, declares)
    elif isinstance(target, Join | Choice | Call):
        for part in _targets(target):
            outcome = isinstance(part, Name) and part.id in _OUTCOMES
            known = HARMLESS if outcome else value
            store(interpreter, part, known, expr, frame=frame, declares=declares)
    elif isinstance(target, Block):
        for statement in target.body:
            if isinstance(statement, Evaluate):
                store(interpreter, statement.value, value, expr, frame=frame, declares=declares)


def _store_name(
    interpreter: Interpreter,
    target: Name,
    value: Value,
    expr: Expr | None,
    frame: Frame,
    declares: bool,
) -> None:
    stepped = through(value, target.span, f"assigned to {target.id}")
    own_field = not declares and is_field(interpreter, target.id, frame)
    if not declares and frame.is_closure and frame.is_outer(target.id):
        frame.add(target.id, stepped)
    else:
        frame.write(target.id, stepped, expr)
    if target.id.startswith("@") or own_field:
        keep_field(interpreter, target.id, stepped)
    elif isinstance(expr, Keyed):
        _keyed_parts(interpreter, target.id, expr, frame)
    interpreter.see(target.span, value)
    watch_assigned(interpreter, target.id, target.span, stepped, expr, frame)


def _store_member(
    interpreter: Interpreter, target: Member, value: Value, expr: Expr | None, frame: Frame
) -> None:
    interpreter.evaluate(target.object, frame)
    whole, dotted = path_of(target.object), path_of(target)
    stepped = through(value, target.span, f"assigned to {target.name}")
    if whole:
        frame.write_part(whole, dotted, stepped)
        if whole in SELVES:
            keep_field(interpreter, target.name, stepped)
            if expr is not None:
                interpreter.field_exprs[target.name] = expr
    interpreter.see(target.span, value)
    watch_assigned(interpreter, dotted_name(interpreter, target), target.span, stepped, expr, frame)


def _store_part(
    interpreter: Interpreter, target: Index, value: Value, expr: Expr | None, frame: Frame
) -> None:
    interpreter.evaluate(target.object, frame)
    interpreter.evaluate(target.key, frame)
    whole = path_of(target.object)
    stepped = through(value, target.span, "put into a container")
    if whole and isinstance(target.key, Literal):
        frame.write_part(whole, f"{whole}[{target.key.text}]", stepped)
    elif whole:
        frame.add(whole, stepped)
    if whole.startswith("@"):
        keep_field(interpreter, whole, stepped)
    elif isinstance(target.object, Member) and path_of(target.object.object) in SELVES:
        keep_field(interpreter, target.object.name, stepped)
    watch_assigned(
        interpreter, dotted_name(interpreter, target.object), target.span, stepped, expr, frame
    )


def _take_apart(
    interpreter: Interpreter,
    target: Keyed,
    value: Value,
    expr: Expr | None,
    frame: Frame,
    declares: bool,
) -> None:
    """Assign each variable the part of the value that its key names."""
    while isinstance(expr, Join) and len(expr.parts) == 1:
        expr = expr.parts[0]
    for key, each in target.entries:
        part: Expr | None = None
        known = value
        if key is not None and isinstance(expr, Name | Member | Index):
            part = Member(each.span, expr, key)
            known = interpreter.evaluate(part, frame)
        store(interpreter, each, known, part, frame=frame, declares=declares)


def _keyed_parts(interpreter: Interpreter, name: str, keyed: Keyed, frame: Frame) -> None:
    """Store a container literal, with a separate value for each key."""
    rest = []
    for key, part in keyed.entries:
        value = interpreter.evaluate(part, frame)
        if key is None:
            rest.append(value)
        else:
            frame.write_part(name, f"{name}[{key}]", value)
            frame.write_part(name, f"{name}.{key}", value)
    frame.values[name] = join(rest)


def clean_fields(interpreter: Interpreter, guard: Guard) -> None:
    """Mark fields as checked after a method has checked values that they hold."""
    for name, value in interpreter.fields.items():
        interpreter.fields[name] = cleaned_of(value, guard.origins, guard.classes)


def keep_field(interpreter: Interpreter, name: str, value: Value) -> None:
    interpreter.fields[name] = join((interpreter.fields.get(name, HARMLESS), value))


def _is_untouched(value: Value) -> bool:
    """Return whether a value is unchanged request data, whose parts are checked one by one."""
    return all(e.kind is Kind.REMOTE and len(e.steps) == 1 for e in value.values())


def _targets(target: Join | Choice | Call) -> Iterable[Expr]:
    """Return the variables in a target of several."""
    if isinstance(target, Call):  # Rust: `Some(x)`, in C# and C++ a declaration
        return [argument.value for argument in target.args]
    return target.parts
