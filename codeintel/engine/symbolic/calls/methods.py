"""C++: calls of methods."""

from __future__ import annotations

from codeintel.engine.symbolic.calls.own import call_own_method
from codeintel.engine.symbolic.calls.table import check_count, fill
from codeintel.engine.symbolic.calls.unknown import forget_content, unknown_call
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import How, check_access, escape, use
from codeintel.engine.symbolic.memory.containers import call_container, container_of
from codeintel.engine.symbolic.memory.locks import call_lock
from codeintel.engine.symbolic.memory.objects import check_receiver, settle
from codeintel.engine.symbolic.program.functions import Function
from codeintel.engine.symbolic.program.syntax import Call, CType, Expr
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.values.polynomials import Poly
from codeintel.engine.symbolic.values.regions import Pointer, Value
from codeintel.engine.symbolic.values.state import State

_READS = frozenset({"read", "readsome", "recv", "receive", "read_some", "getline", "get"})
_SMART = frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "auto_ptr", "optional"})


def call_method(machine: Machine, state: State, expr: Call) -> Value:
    """A call of a method, or of a value."""
    target = expr.object
    if target is None:
        return unknown_call(machine, state, expr)
    if expr.name == "":
        machine.value(state, target)
        return unknown_call(machine, state, expr._replace(object=None))
    type_ = type_of(machine, target)
    check_receiver(machine, state, target, expr)
    for arg in expr.args:
        settle(machine, state, arg)
    name = container_of(machine, state, target)
    if name is not None:
        return call_container(machine, state, expr, name, type_ or CType(""))
    if expr.name in ("lock", "unlock", "try_lock") and not expr.args:
        return call_lock(machine, state, expr, target)
    if type_ is not None and machine.types.resolve(type_).base in _SMART:
        return _smart_method(machine, state, expr)
    if expr.name in _READS and expr.args:
        return _read_method(machine, state, expr)
    value = _receiver(machine, state, target)
    own = _own_method(machine, type_, expr)
    if own is not None:
        return call_own_method(machine, state, expr, own, value)
    if isinstance(value, Pointer) and state.root(value.region) in state.regions:
        forget_content(state, state.root(value.region))
    return unknown_call(machine, state, expr)


def _read_method(machine: Machine, state: State, expr: Call) -> Value:
    """`stream.read(address, count)` and the like: what comes is chosen outside."""
    values = [machine.value(state, arg) for arg in expr.args]
    if len(values) > 1 and isinstance(values[0], Pointer) and isinstance(values[1], Poly):
        check_count(machine, state, values[1], expr, 1)
        check_access(machine, state, values[0], values[1], expr.span, write=True, how=How.COPY)
    if isinstance(values[0], Pointer) and values[0].region in state.regions:
        fill(machine, state, values[0], expr.span)
        state.cells.pop((values[0].region, ""), None)
        state.update(values[0].region, outside=True, terminated=expr.name != "read")
    return machine.unknown(state, expr.span)


def _own_method(machine: Machine, type_: CType | None, expr: Call) -> Function | None:
    """The method that is called, if there is only one that it can be."""
    if type_ is None:
        return None
    base = machine.types.resolve(type_).base.removeprefix("struct ")
    found = [
        function for function in machine.source.functions.values()
        if function.owner and function.name == expr.name
        and len(function.parameters) == len(expr.args)
    ]  # fmt: skip
    return found[0] if len(found) == 1 and found[0].owner == base else None


def _receiver(machine: Machine, state: State, target: Expr) -> Value:
    type_ = type_of(machine, target)
    value = machine.value(state, target)
    if (type_ is not None and machine.types.resolve(type_).is_pointer) or (
        isinstance(value, Pointer) and value.generation >= 0
    ):
        use(machine, state, value, target.span)
    return value


def _smart_method(machine: Machine, state: State, expr: Call) -> Value:
    for arg in expr.args:
        escape(state, machine.value(state, arg))
    return machine.unknown(state, expr.span)
