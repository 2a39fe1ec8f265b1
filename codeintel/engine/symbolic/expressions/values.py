"""The values of expressions, and the changes by assignments, steps and initializers."""

from __future__ import annotations

from codeintel.engine.symbolic.expressions.arithmetic import add_values, compute, convert
from codeintel.engine.symbolic.expressions.conditions import RELATIONS
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import escape, is_null, pointer_to, use
from codeintel.engine.symbolic.memory.cells import (
    copy_record,
    part_of,
    read,
    this_object,
    variable,
    write,
)
from codeintel.engine.symbolic.memory.containers import container_of
from codeintel.engine.symbolic.memory.objects import (
    assign_object,
    check_moved,
    extend_object,
    object_value,
    settle,
)
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import (
    AddressOf,
    Assign,
    Binary,
    Cast,
    Conditional,
    CType,
    Deref,
    Expr,
    Field,
    Number,
    Several,
    SizeOf,
    Step,
    Subscript,
    Text,
    Unary,
    Var,
    root_name,
    stripped,
)
from codeintel.engine.symbolic.values.polynomials import ONE, ZERO, Poly, add, scale, symbol
from codeintel.engine.symbolic.values.state import (
    Null,
    Origin,
    Place,
    Pointer,
    Region,
    State,
    Value,
)
from codeintel.engine.symbolic.values.types import KNOWN


def _of_sizes(expr: Expr) -> bool:
    """Return whether an expression has only sizes and numbers, as a macro that counts elements
    does.
    """
    expr = stripped(expr)
    if isinstance(expr, Binary):
        return _of_sizes(expr.left) and _of_sizes(expr.right)
    if isinstance(expr, Cast):
        return _of_sizes(expr.value)
    return isinstance(expr, SizeOf | Number)


def literal(_machine: Machine, state: State, expr: Text) -> Pointer:
    """Return the address of a string literal."""
    name = f"text:{expr.span.start}:{expr.span.end}"
    if name not in state.regions:
        size = len(expr.text) + 1
        state.regions[name] = Region("text", Poly(size), length=Poly(size - 1))
    return Pointer(name, ZERO)


def literal_text(machine: Machine, expr: Expr) -> str | None:
    """Return the text of an argument that is a literal or a constant, or None."""
    expr = stripped(expr)
    if isinstance(expr, Var):
        named = machine.source.constants.get(expr.name)
        expr = named if named is not None else expr
    return expr.text if isinstance(expr, Text) else None


def variable_value(machine: Machine, state: State, expr: Var) -> Value:
    if expr.name == "this":
        return this_object(machine, state)
    place = variable(machine, state, expr.name)
    if place is None:
        known = machine.types.constant(expr)
        if known is None:
            known = KNOWN.get(expr.name)
        named = machine.source.constants.get(expr.name)
        if known is None and named is not None and _of_sizes(named):
            return machine.value(state, named)
        return Poly(known) if known is not None else symbol(f"::{expr.name}")
    if place.type is not None and machine.types.is_object(place.type):
        return object_value(machine, state, place)
    return read(machine, state, place, expr.span)


def address(machine: Machine, state: State, expr: AddressOf) -> Value:
    inner = stripped(expr.value)
    into = container_of(machine, state, inner.object) if isinstance(inner, Subscript) else None
    place = machine.place(state, inner, write=None)
    if into is not None:
        return Pointer(into, ZERO, state.regions[into].generation)
    if place is None:
        return machine.unknown(state, expr.span)
    if place.type is not None and (machine.types.resolve(place.type).dims):
        return Pointer(part_of(machine, state, place), ZERO)
    if place.offset is None:  # a field has its own region
        return Pointer(_field_part(machine, state, place), ZERO)
    return Pointer(place.region, place.offset)


def _field_part(machine: Machine, state: State, place: Place) -> str:
    """Return the region of a field whose address is taken. Its path then no longer has a value."""
    name = f"{place.region}{place.path}"
    whole = state.regions.get(place.region) or Region("outside")
    if name not in state.regions:
        size = machine.types.size(place.type) if place.type is not None else None
        state.regions[name] = Region(
            whole.kind, size, written=True, outside=whole.outside, parent=place.region,
            family=whole.family,
        )  # fmt: skip
    state.cells.pop((place.region, place.path), None)
    return name


def size_of(machine: Machine, state: State, expr: SizeOf) -> Value:
    type_ = expr.type
    if type_ is None and expr.value is not None:
        inner = stripped(expr.value)
        if isinstance(inner, Text):
            return Poly(len(inner.text) + 1)
        type_ = type_of(machine, inner)
        made = _array_size(machine, state, inner, type_) if isinstance(inner, Var) else None
        if made is not None:
            return made
    size = machine.types.size(type_) if type_ is not None else None
    return size if size is not None else symbol(f"sizeof({expr.span.start})")


def _array_size(machine: Machine, state: State, expr: Var, type_: CType | None) -> Poly | None:
    """Return the size in bytes with which an array was made, because its type may not tell the
    size.
    """
    if type_ is None or not machine.types.resolve(type_).dims:
        return None
    place = variable(machine, state, expr.name)
    region = state.regions.get(place.region) if place is not None else None
    return region.size if region is not None else None


def number_value(_machine: Machine, _state: State, expr: Number) -> Value:
    """Return the value of a number."""
    return Poly(expr.value)


def value_at(machine: Machine, state: State, expr: Field | Subscript | Deref) -> Value:
    """Return the value at a place."""
    place = machine.places[type(expr)](machine, state, expr, write=False)
    return read(machine, state, place, expr.span) if place else machine.unknown(state, expr.span)


def cast(machine: Machine, state: State, expr: Cast) -> Value:
    value = machine.value(state, expr.value)
    if expr.kind == "dynamic_cast" and expr.type.pointers and not is_null(state, value):
        name = machine.tag(state, "got:", expr.span)
        state.regions[name] = Region("unknown", null=Null.MAYBE, place=expr.span)
        return Pointer(name, ZERO)
    if isinstance(expr.value, Several) and expr.value.keys:
        return machine.unknown(state, expr.span)
    return convert(machine, state, value, expr.type, expr.span, type_of(machine, expr.value))


def unary(machine: Machine, state: State, expr: Unary) -> Value:
    if expr.op == "!":
        return _truth(machine, state, expr)
    value = machine.value(state, expr.value)
    if not isinstance(value, Poly):
        return machine.unknown(state, expr.span)
    if expr.op == "-":
        return scale(value, -1)
    if expr.op == "~":
        return add(scale(value, -1), ONE, -1)
    return value


def _truth(machine: Machine, state: State, expr: Expr) -> Value:
    """Return a condition as a value: 1 where it is true, 0 where it is false."""
    truth = machine.choose(2) == 0
    machine.assume(state, expr, truth)
    return Poly(int(truth))


def operation(machine: Machine, state: State, expr: Binary) -> Value:
    if expr.op in ("&&", "||") or expr.op in RELATIONS:
        return _truth(machine, state, expr)
    if expr.op in ("<<", ">>"):
        streamed = stream(machine, state, expr)
        if streamed is not None:
            return streamed
    left = machine.value(state, expr.left)
    right = machine.value(state, expr.right)
    return compute(machine, state, expr, left, right)


def conditional(machine: Machine, state: State, expr: Conditional) -> Value:
    truth = machine.choose(2) == 0
    machine.assume(state, expr.condition, truth)
    return machine.value(state, expr.then if truth else expr.otherwise)


def several(machine: Machine, state: State, expr: Several) -> Value:
    last: Value = ZERO
    for part in expr.parts:
        last = machine.value(state, part)
    if expr.last or len(expr.parts) == 1:
        return last
    return machine.unknown(state, expr.span)


def stream(machine: Machine, state: State, expr: Binary) -> Value | None:
    """Execute `stream << value` or `stream >> variable`. Return None for a shift."""
    parts: list[Expr] = []
    head: Expr = expr
    while isinstance(head, Binary) and head.op == expr.op:
        parts.append(head.right)
        head = head.left
    if machine.source.language != "cpp" or not _is_stream(machine, head, expr.op):
        return None
    for part in reversed(parts):
        if expr.op == ">>":
            extract(machine, state, part)
        else:
            check_moved(machine, state, part)
            machine.value(state, part)
    return machine.unknown(state, expr.span)


def _is_stream(machine: Machine, head: Expr, op: str) -> bool:
    name = root_name(head)
    type_ = type_of(machine, head)
    if type_ is not None:
        return "stream" in type_.base
    streams = ("cin",) if op == ">>" else ("cout", "cerr", "clog")
    return name in streams or "stream" in name


def extract(machine: Machine, state: State, target: Expr) -> None:
    type_ = type_of(machine, target)
    settle(machine, state, target)
    name = container_of(machine, state, target)
    if name is not None:
        size = machine.fresh(state, machine.tag(state, "size", target.span), Origin.LENGTH, low=0)
        generation = state.regions[name].generation + 1
        state.update(name, size=size, outside=True, generation=generation, moved=None)
        return
    if type_ is not None and machine.types.resolve(type_).dims:
        value = machine.value(state, target)
        region = state.regions.get(value.region) if isinstance(value, Pointer) else None
        if region is not None and region.size is not None and type_.base == "char":
            machine.report(Fact.COPY_UNBOUNDED, target.span)
        return
    place = machine.place(state, target, write=True)
    if place is not None:
        made = machine.fresh(
            state, machine.tag(state, "in:", target.span), Origin.INPUT, type_=type_
        )
        write(machine, state, place, made, target.span)


def assign(machine: Machine, state: State, expr: Assign) -> Value:
    type_ = type_of(machine, expr.target)
    if not expr.op and type_ is not None and _is_plain_record(machine, type_):
        return _assign_record(machine, state, expr)
    value = machine.value(state, expr.value)
    if expr.op:
        place = machine.place(state, expr.target, write=None)
        if type_ is not None and machine.types.is_object(type_):
            extend_object(machine, state, expr)
            return value
        before = read(machine, state, place, expr.span) if place is not None else ZERO
        made = Binary(expr.span, expr.op, expr.target, expr.value)
        value = compute(machine, state, made, before, value)
    if type_ is not None and machine.types.is_object(type_):
        assign_object(machine, state, expr, value)
        return value
    value = convert(machine, state, value, type_, expr.span, type_of(machine, expr.value))
    place = machine.place(state, expr.target, write=True)
    if place is not None:
        if type_ is not None and type_.is_pointer and isinstance(value, Poly) and value.terms:
            value = pointer_to(state, value) or value
        write(machine, state, place, value, expr.span)
    elif isinstance(expr.target, Var):
        state.forget(f"::{expr.target.name}")
    else:
        escape(state, value)
    return value


def _is_plain_record(machine: Machine, type_: CType) -> bool:
    return machine.types.is_record(type_) and machine.source.language == "c"


def _assign_record(machine: Machine, state: State, expr: Assign) -> Value:
    place = machine.place(state, expr.target, write=True)
    inner = stripped(expr.value)
    source = machine.place(state, inner, write=False)
    if place is not None and source is not None:
        copy_record(state, place, source)
    elif place is not None:
        machine.value(state, expr.value)
        state.drop(place.region, f"{place.path}.")
        state.update(place.region, written=True)
        if isinstance(inner, Several):
            initialise(machine, state, place, inner)
    else:
        machine.value(state, expr.value)
    return machine.unknown(state, expr.span)


def step(machine: Machine, state: State, expr: Step) -> Value:
    type_ = type_of(machine, expr.target)
    if type_ is not None and machine.types.is_object(type_):
        before = machine.value(state, expr.target)
        use(machine, state, before, expr.span)
        return before
    place = machine.place(state, expr.target, write=None)
    if place is None:
        return machine.unknown(state, expr.span)
    before = read(machine, state, place, expr.span)
    made = Binary(expr.span, "+" if expr.by > 0 else "-", expr.target, Number(expr.span, 1))
    if isinstance(before, Pointer) and before.generation >= 0:
        use(machine, state, before, expr.span)
        after = read(machine, state, place, expr.span)
    else:
        after = add_values(machine, state, made, before, ONE, type_, CType("int"))
    write(machine, state, place, after, expr.span)
    return after if expr.prefix else before


def initialise(machine: Machine, state: State, place: Place, init: Several) -> None:
    type_ = machine.types.resolve(place.type) if place.type is not None else CType("")
    fields = _field_names(machine, type_)
    for number, part in enumerate(init.parts):
        value = machine.value(state, part)
        key = init.keys[number] if number < len(init.keys) else ""
        if key.startswith("."):
            state.cells[place.region, f"{place.path}{key}"] = value
        elif fields and number < len(fields) and not isinstance(part, Several):
            state.cells[place.region, f"{place.path}.{fields[number]}"] = value
        elif type_.dims and isinstance(value, Pointer) and not isinstance(part, Several):
            size = machine.types.size(type_.element)
            offset = size.number * number if size is not None and size.number else None
            if offset is not None:
                state.cells[place.region, f"[{offset}]" if offset else ""] = value


def _field_names(machine: Machine, type_: CType) -> list[str]:
    record = machine.source.records.get(type_.base) if not type_.dims else None
    return list(record.members) if record is not None else []
