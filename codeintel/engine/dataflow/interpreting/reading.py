"""Reading variables, fields, parts of containers, and sources."""

from __future__ import annotations

from codeintel.engine.dataflow.interpreting.frame import Frame
from codeintel.engine.dataflow.interpreting.interpreter import SELVES, Interpreter, labelled
from codeintel.engine.dataflow.interpreting.invoking import invoke
from codeintel.engine.dataflow.interpreting.naming import (
    classes_treated,
    dotted_name,
    dotted_of_part,
    path_of,
)
from codeintel.engine.dataflow.ir import Call, Expr, Index, Join, Literal, Member, Name
from codeintel.engine.dataflow.table import Source
from codeintel.engine.dataflow.values import HARMLESS, Kind, Step, Value, cleaned, join, of

_TEXTUAL = frozenset({"String", "string", "CharSequence", "string?"})
_NUMBERS = frozenset({"length", "Length", "byteLength"})
_PARSERS = ("urlsplit", "urlparse")
# What is known of one of these parts says nothing of the other, or of the host.
_OF_ADDRESSES = frozenset({"path", "query", "fragment"})
_INERT_KEYS = frozenset(
    [
        "tmp_name",
        "tempfile",
        "DOCUMENT_ROOT",
        "REQUEST_METHOD",
        "REMOTE_ADDR",
        "REQUEST_TIME",
        "REQUEST_TIME_FLOAT",
        "SERVER_ADDR",
        "SERVER_PORT",
        "SERVER_NAME",
        "SERVER_SOFTWARE",
        "SERVER_PROTOCOL",
        "SCRIPT_NAME",
        "SCRIPT_FILENAME",
        "HTTPS",
        "argc",
        "CONTENT_LENGTH",
        "GATEWAY_INTERFACE",
        "rack.input",
        "action_dispatch.request_id",
    ]
)
"""What the server itself puts beside what a request brings."""


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


def is_field(interpreter: Interpreter, name: str, frame: Frame) -> bool:
    """Whether a name without `this` stands for a field."""
    return (
        interpreter.program.bare_fields
        and bool(frame.owner)
        and interpreter.module.knows(name)
        and not frame.is_local(name)
    )


def _field(interpreter: Interpreter, name: str) -> Value:
    """What methods put into a field. What a constructor was given counts if it is text; the
    rest are mostly services."""
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
    """Whether a variable has an address taken apart."""
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
    """Whether an element of a list that was written out is a constant."""
    kept = frame.expr_of(whole.id) if isinstance(whole, Name) and key.text.isdigit() else None
    if not isinstance(kept, Join) or interpreter.text[kept.span.start] not in "[(":
        return False
    position = int(key.text)
    return position < len(kept.parts) and isinstance(kept.parts[position], Literal)


def read_source(interpreter: Interpreter, source: Source, expr: Expr, frame: Frame) -> Value:
    """A source's value; reading it again gives the same, which may have been checked."""
    path = path_of(expr)
    known = frame.read_part("", path) if path else None
    if known is None:
        known = labelled(source, expr.span)
        if path:
            frame.values[path] = known
            interpreter.sourced.add(path)
    return known


def called_source(interpreter: Interpreter, source: Source, call: Call, frame: Frame) -> Value:
    """What a source gives when it is called; the same call gives the same again."""
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
    """A part of a source's value; to check it says nothing of the other parts."""
    path = path_of(expr)
    if (alone or whole in interpreter.sourced) and not frame.knows(path):
        value = join(
            of(label._replace(origin=expr.span, steps=(Step(expr.span, label.what),)))
            for label in value.values()
        )
        frame.values[path] = value
        interpreter.sourced.add(path)
    return value
