"""Calls of functions of the file, of functions in the tables, and of all others."""

from __future__ import annotations

import re
from typing import NamedTuple

from codeintel.engine.dataflow.interpreting.interpreter import (
    HOSTED,
    READS,
    SELVES,
    Frame,
    Interpreter,
    format_settles_host,
    invocation_key,
    labelled,
)
from codeintel.engine.dataflow.interpreting.invoking import (
    go_through_closure,
    invoke,
    watch_assigned,
    watch_call,
)
from codeintel.engine.dataflow.interpreting.naming import (
    behind_keeps,
    classes_treated,
    dotted_name,
    is_own,
    maker_of,
    path_of,
    resolve,
    text_of,
    typed_name,
)
from codeintel.engine.dataflow.interpreting.statements import guards_of
from codeintel.engine.dataflow.interpreting.variables import called_source, keep_field, source_part
from codeintel.engine.dataflow.ir import (
    Argument,
    Call,
    Choice,
    Closure,
    Expr,
    Function,
    Index,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
)
from codeintel.engine.dataflow.lowering.csharp import OUT, SETS
from codeintel.engine.dataflow.table import TaintSource
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import HARMLESS, Value, cleaned, join, of, origins, through

_FORMATS = frozenset({"format", "Format", "formatted", "sprintf", "Sprintf", "format!"})
_TREATS = re.compile(
    r"(?i)saniti[sz]e|(?<!un)(?<!de)escape(?!d_?from)|purify|strip_?tags|html_?encode|url_?encode"
)
# Text in the body of a function that does what its name says.
_CHANGES = re.compile(r"(?i)replace|escape|encode|translate|quote|gsub|\bsub\(|&lt;|\[\^|append")
_MAPS = frozenset({"map", "and_then", "flatMap", "flat_map", "filter_map", "then", "Select"})
_REFUSING = {"abort_unless": True, "throw_unless": True, "abort_if": False, "throw_if": False}
# Functions that continue only if their first argument is true, or only if it is false.
_FORMS = re.compile(r"[a-z](?:Form|FormSet|Serializer)$")
_FINDS = re.compile(r"(?:find|lookup|look_up|authenticate)(?:_?[A-Z]\w*|_\w+)")
"""Functions that return stored data, not the key that they receive."""


class _Called(NamedTuple):
    """A call and its known parts.

    `names` are the name as written and the name by the receiver's type. `receiver` is the value of
    the object, `args` are the values of the arguments with their keywords.
    """

    expr: Call
    names: tuple[str, str]
    receiver: Value
    args: list[tuple[str | None, Value]]

    @property
    def name(self) -> str:
        """The name as written."""
        return self.names[0]

    @property
    def values(self) -> list[Value]:
        """The values of the arguments."""
        return [value for _, value in self.args]


def call_value(interpreter: Interpreter, expr: Call, frame: Frame) -> Value:
    name = dotted_name(interpreter, expr.callee)
    if (value := _with_function(interpreter, expr, name, frame)) is not None:
        return value
    typed = typed_name(expr.callee, frame)
    receiver = _receiver_of(interpreter, expr.callee, frame)
    args = [_argument_value(interpreter, argument, receiver, frame) for argument in expr.args]
    if expr.args and expr.args[-1].keyword == SETS:
        args[-1] = SETS, _initialised(interpreter, name, expr.args[-1].value, frame)
    called = _Called(expr, (name, typed), receiver, args)
    _settle(interpreter, called)
    _refuse(interpreter, called, frame)
    is_sink = watch_call(interpreter, expr, called.names, receiver, called.values, frame)
    _assign_out(expr, name, receiver, called.values, frame)
    _fill(interpreter, called, frame)
    foreign = (is_sink or interpreter.table.source_calls.find(name)) and not is_own(expr.callee)
    function = None if foreign else resolve(interpreter, expr, frame)
    if function is not None:
        return _own_call(interpreter, function, called, frame)
    if (source := _source_of(interpreter, called)) is not None:
        return called_source(interpreter, source, expr, frame)
    return _foreign_call(interpreter, called, frame)


def _with_function(interpreter: Interpreter, expr: Call, name: str, frame: Frame) -> Value | None:
    """Return the value of a call whose first argument is the function that matters, or None."""
    given = expr.args[0].value if expr.args else None
    if not isinstance(given, Closure):
        return None
    if name == "new Promise":
        return _promise(interpreter, given.function, frame)
    if name == "array_map" and len(expr.args) > 1:
        values = join(interpreter.evaluate(each.value, frame) for each in expr.args[1:])
        mapped = go_through_closure(interpreter, given.function, frame, values)
        return through(mapped, expr.span, "passed through array_map()")
    return None


def _receiver_of(interpreter: Interpreter, callee: Expr, frame: Frame) -> Value:
    """Return the value of the object whose method is called, or of the called expression itself."""
    if isinstance(callee, Member):
        receiver = interpreter.evaluate(callee.object, frame)
        if callee.name.startswith("$"):  # PHP: the name is in a variable
            end = callee.span.end
            interpreter.evaluate(Name(Span(end - len(callee.name), end), callee.name), frame)
        return receiver
    if isinstance(callee, Call | Closure | Index | Join | Choice):
        return interpreter.evaluate(callee, frame)
    if isinstance(callee, Name) and frame.knows(callee.id):
        receiver = frame.read(callee.id) or HARMLESS
        interpreter.see(callee.span, receiver)
        return receiver
    return HARMLESS


def _settle(interpreter: Interpreter, called: _Called) -> None:
    callee = called.expr.callee
    if isinstance(callee, Name):
        for settles, found in interpreter.settling:
            if settles == callee.id:
                found.append(join(called.values))


def _refuse(interpreter: Interpreter, called: _Called, frame: Frame) -> None:
    """Apply the checks of calls that leave unless a condition is true (or false)."""
    if called.name in _REFUSING and called.expr.args:
        for guard in guards_of(interpreter, frame).find(called.expr.args[0].value):
            if guard.holds == _REFUSING[called.name]:
                frame.clean(guard.origins, guard.classes)


def _fill(interpreter: Interpreter, called: _Called, frame: Frame) -> None:
    """Apply sources that put a value into their arguments."""
    for source in interpreter.table.fills.find(called.name):
        for argument in called.expr.args:
            path = path_of(argument.value)
            if path:
                frame.add(path, labelled(source, argument.value.span))


def _own_call(interpreter: Interpreter, function: Function, called: _Called, frame: Frame) -> Value:
    """Return the value of a call to a function in the file."""
    interpreter.called.add(function.name)
    value = invoke(interpreter, function, called.args, called.expr.span)
    key = invocation_key(function, called.args)
    interpreter.rows_of[called.expr.span] = interpreter.rows.get(key, [])
    for known, classes in interpreter.checks.get(key, ()):
        frame.clean(known, classes)
    for shared, left in interpreter.shared_of.get(key, {}).items():
        frame.write(shared, left)
    if function.name in ("__construct", "initialize"):
        return join((value, *called.values))
    if _TREATS.search(function.name) and _CHANGES.search(text_of(interpreter, function)):
        return HARMLESS
    return value


def _source_of(interpreter: Interpreter, called: _Called) -> TaintSource | None:
    for candidate in filter(None, called.names):
        for source in interpreter.table.source_calls.find(candidate):
            text = interpreter.own_text(called.expr)
            if source.without_text is None or not re.search(source.without_text, text):
                return source
    return None


def _foreign_call(interpreter: Interpreter, called: _Called, frame: Frame) -> Value:
    """Return the value of any other call, which contains parts of all values that it received."""
    expr, name, table = called.expr, called.name, interpreter.table
    everything = join((called.receiver, *called.values))
    for candidate in called.names:
        if candidate and (demanded := table.checks.find(candidate)):
            frame.clean(origins(everything), demanded[0])
        if candidate and (classes := classes_treated(interpreter, expr, candidate)):
            return cleaned(everything, classes)
        if maker := maker_of(interpreter, expr.callee, frame):
            everything = cleaned(everything, classes_treated(interpreter, expr, maker))
        if candidate and table.opaque.find(candidate):
            return HARMLESS
    if table.copies.find(name) and expr.args:
        path = path_of(expr.args[0].value)
        if path:
            stepped = through(join(called.values[1:]), expr.span, f"copied by {name}()")
            frame.add(path, stepped)
        return HARMLESS
    return _passed(interpreter, called, everything, frame)


def _passed(interpreter: Interpreter, called: _Called, everything: Value, frame: Frame) -> Value:
    """Return the values that pass through a call that no table lists."""
    expr, last = called.expr, called.name.rpartition(".")[2]
    if last in _FORMATS and everything and format_settles_host(expr):
        everything = cleaned(everything, HOSTED)
    if isinstance(expr.callee, Member) and (called.receiver or called.values):
        read = _container_call(interpreter, expr.callee, last, expr, called.values, frame)
        if read is not None:
            return read
    if _FORMS.search(last) and everything:
        # Checking the form says nothing about the request that it was made from.
        return join(of(label._replace(origin=expr.span)) for label in everything.values())
    if _TREATS.search(last) or (not called.receiver and _FINDS.match(last)):
        return HARMLESS
    return through(everything, expr.span, f"passed through {last or 'a call'}()")


def _promise(interpreter: Interpreter, function: Function, frame: Frame) -> Value:
    """Return what the function that makes a promise settles it with."""
    found: list[Value] = []
    interpreter.settling.append((function.params[0].name if function.params else "", found))
    go_through_closure(interpreter, function, frame, HARMLESS)
    interpreter.settling.pop()
    return join(found)


def _initialised(interpreter: Interpreter, made: str, sets: Expr, frame: Frame) -> Value:
    """Return what `new T { A = b }` holds of the values that it sets."""
    if not isinstance(sets, Keyed):
        return interpreter.evaluate(sets, frame)
    found = []
    for key, part in sets.entries:
        if isinstance(part, Keyed):
            found.append(_initialised(interpreter, f"{made}.{key}", part, frame))
            continue
        value = interpreter.evaluate(part, frame)
        watch_assigned(interpreter, f"{made}.{key}", part.span, value, part, frame)
        if not interpreter.table.opaque.find(f"{made}.{key}"):
            found.append(value)
    return join(found)


def _assign_out(call: Call, name: str, receiver: Value, values: list[Value], frame: Frame) -> None:
    """Assign C#'s `out` arguments. A value that is looked up comes from the container alone."""
    last = name.rpartition(".")[2]
    for argument in call.args:
        path = path_of(argument.value) if argument.keyword == OUT else ""
        if path and last in ("TryGetValue", "TryCreate"):
            value = receiver if last == "TryGetValue" else join(values)
            frame.write(path, through(value, argument.value.span, f"assigned by {last}()"))


def _argument_value(
    interpreter: Interpreter, argument: Argument, given: Value, frame: Frame
) -> tuple[str | None, Value]:
    if isinstance(argument.value, Closure):
        value = go_through_closure(interpreter, argument.value.function, frame, given)
        interpreter.see(argument.value.span, value)
        return argument.keyword, value
    return argument.keyword, interpreter.evaluate(argument.value, frame)


def _container_call(
    interpreter: Interpreter,
    callee: Member,
    last: str,
    expr: Call,
    values: list[Value],
    frame: Frame,
) -> Value | None:
    keeps = interpreter.table.keeps.find(f"x.{last}")
    path = path_of(behind_keeps(interpreter, callee.object) if keeps else callee.object)
    key = expr.args[0].value if expr.args else None
    if path and keeps:
        if len(values) > 1 and isinstance(key, Literal):
            stepped = through(values[1], expr.span, "put into a container")
            frame.write_part(path, f"{path}[{key.text}]", stepped)
        else:
            stepped = through(join(values), expr.span, "put into a container")
            frame.add(path, stepped)
        whole, _, field = path.partition(".")
        if whole in SELVES and field.isidentifier():
            keep_field(interpreter, field, stepped)
        return frame.read(path) or HARMLESS
    if path and last in READS and isinstance(key, Literal):
        known = frame.read_part(path, f"{path}[{key.text}]")
        if known is not None:
            part = Index(expr.span, callee.object, key)
            return join((source_part(interpreter, path, part, known, frame), *values[1:]))
    owner = callee.object.id if isinstance(callee.object, Name) else ""
    statically = owner[:1].isupper() and not owner.isupper()  # a class, not a constant
    if last in READS and len(values) in (1, 2) and not statically:
        # the result of a lookup does not contain the key
        return join((interpreter.evaluate(callee.object, frame), *values[1:]))
    if last in _MAPS and expr.args and isinstance(expr.args[0].value, Closure):
        return through(values[0], expr.span, f"passed through {last}()")
    return None
