"""Operations on numbers and addresses."""

from __future__ import annotations

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import pointer_to
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import Binary, CType, Expr, SizeOf
from codeintel.engine.symbolic.values.polynomials import (
    ONE,
    Poly,
    add,
    multiply,
    scale,
    shift,
    within_limits,
)
from codeintel.engine.symbolic.values.state import OUTSIDE, Origin, Pointer, State, Value
from codeintel.engine.symbolic.values.types import operate

_NARROW = frozenset({"short", "unsigned short", "int16_t", "uint16_t", "u_int16_t", "ushort",
                     "int8_t", "uint8_t", "u_int8_t", "unsigned char", "signed char", "u_char",
                     "WORD", "BYTE", "in_port_t", "u_short"})  # fmt: skip


def compute(machine: Machine, state: State, expr: Binary, left: Value, right: Value) -> Value:
    """Return the value of an operation other than a comparison."""
    op = expr.op
    if op in ("+", "-"):
        return add_values(
            machine,
            state,
            expr,
            left,
            right,
            type_of(machine, expr.left),
            type_of(machine, expr.right),
        )
    if not isinstance(left, Poly) or not isinstance(right, Poly):
        return machine.unknown(state, expr.span)
    if op == "*":
        return _product(machine, state, expr, left, right)
    if op in ("/", "%"):
        _check_division(machine, state, expr, right)
    if left.number is not None and right.number is not None:
        known = operate(op, left.number, right.number)
        if known is not None:
            return Poly(known)
    return _bits(machine, state, expr, left, right)


def add_values(
    machine: Machine,
    state: State,
    expr: Expr,
    left: Value,
    right: Value,
    left_type: CType | None,
    right_type: CType | None,
) -> Value:
    """Return `left + right` or `left - right`, where either may be an address."""
    minus = isinstance(expr, Binary) and expr.op == "-"
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        size = machine.types.size(left_type.element) if left_type is not None else Poly(1)
        if minus and left.region == right.region and size == ONE:
            return add(left.offset, right.offset, -1)
        return machine.unknown(state, expr.span)
    if isinstance(right, Pointer) and isinstance(left, Poly) and not minus:
        return _move_pointer(machine, state, expr, right, left, right_type)
    if isinstance(left, Pointer) and isinstance(right, Poly):
        return _move_pointer(
            machine, state, expr, left, scale(right, -1) if minus else right, left_type
        )
    if not isinstance(left, Poly) or not isinstance(right, Poly):
        return machine.unknown(state, expr.span)
    if left_type is not None and left_type.is_pointer:
        pointer = pointer_to(state, left)
        if pointer is not None:
            return _move_pointer(machine,
                state, expr, pointer, scale(right, -1) if minus else right, left_type
            )  # fmt: skip
    if minus:
        _check_underflow(machine, state, expr, left, right, left_type, right_type)
    made = within_limits(add(left, right, -1 if minus else 1))
    return made if made is not None else machine.unknown(state, expr.span)


def _move_pointer(
    machine: Machine, state: State, expr: Expr, pointer: Pointer, by: Poly, type_: CType | None
) -> Value:
    size = machine.types.size(type_.element) if type_ is not None else ONE
    offset = multiply(by, size) if size is not None else None
    if offset is None:
        offset = machine.unknown(state, expr.span)
    moved = within_limits(add(pointer.offset, offset))
    return pointer._replace(offset=moved or machine.unknown(state, expr.span))


def _check_underflow(
    machine: Machine,
    state: State,
    expr: Expr,
    left: Poly,
    right: Poly,
    left_type: CType | None,
    right_type: CType | None,
) -> None:
    """Report `a - b` of unsigned numbers if nothing limits `b` to at most `a`."""
    if not machine.types.is_unsigned(left_type) or machine.types.width(left_type) < 4:
        return
    if right_type is not None and machine.types.is_float(right_type):
        return
    difference = add(left, right, -1)
    least = state.lower(difference)
    if least is not None and least >= 0:
        return
    origin = state.origin(right)
    chosen = right.terms and origin in (Origin.PARAMETER, Origin.INPUT, Origin.LENGTH)
    if not chosen or any(map(state.capped, right.symbols)):
        return
    if not left.terms or state.origin(left) in (Origin.FIELD, Origin.NONE, origin):
        machine.report(Fact.UNDERFLOW, expr.span)
        state.suppose(scale(difference, -1))


def _product(machine: Machine, state: State, expr: Binary, left: Poly, right: Poly) -> Value:
    found = multiply(left, right)
    type_ = type_of(machine, expr)
    if type_ is not None and machine.types.is_integer(type_) and left.terms and right.number != 0:
        _check_product(machine, state, expr, left, right)
    if found is None:
        return machine.unknown(state, expr.span, state.origin(left))
    return found


def _check_product(machine: Machine, state: State, expr: Binary, left: Poly, right: Poly) -> None:
    """Report a product of untrusted numbers that is computed in an int."""
    width = machine.types.width(type_of(machine, expr))
    if width != 4 or state.origin(left) is not Origin.INPUT:
        return
    if isinstance(expr.left, SizeOf) or isinstance(expr.right, SizeOf):
        return
    names = [name for poly in (left, right) for name in poly.symbols]
    if any(state.capped(name) for name in names):
        return
    known = [state.symbols[name] for name in names if name in state.symbols]
    open_ = known and all(each.high is None for each in known)
    if open_ and (right.terms or abs(right.constant) > 1):
        machine.report(Fact.ARITHMETIC_OVERFLOW, expr.span)


def _check_division(machine: Machine, state: State, expr: Binary, right: Poly) -> None:
    if not machine.types.is_integer(type_of(machine, expr.right) or CType("int")):
        return
    left_type = type_of(machine, expr.left)
    if machine.types.is_float(left_type):
        return
    if right.number is not None:
        if right.number == 0:
            machine.report(Fact.DIVISION, expr.span)
        return
    if state.origin(right) in OUTSIDE and not is_nonzero(state, right):
        machine.report(Fact.DIVISION, expr.span)
    state.nonzero |= {right}


def is_nonzero(state: State, poly: Poly) -> bool:
    """Return whether a number is known to be nonzero."""
    if poly.number is not None:
        return poly.number != 0
    if poly in state.nonzero or scale(poly, -1) in state.nonzero:
        return True
    least, most = state.lower(poly), state.upper(poly)
    return (least is not None and least > 0) or (most is not None and most < 0)


def _bits(machine: Machine, state: State, expr: Binary, left: Poly, right: Poly) -> Value:
    """Return the result of a division, remainder, shift or bit operation: only its limits are
    known.
    """
    op, amount = expr.op, right.number
    if op == "<<" and amount is not None and 0 <= amount < 63:
        made = multiply(left, Poly(1 << amount))
        return made if made is not None else machine.unknown(state, expr.span)
    if op == "&" and amount is None and left.number is not None:
        left, right, amount = right, left, left.number
    origin = _bits_origin(state, op, left, right)
    low, high = _limits(machine, state, expr, left, right)
    made = machine.fresh(state, machine.tag(state, "n", expr.span), origin, low=low, high=high)
    if op == "%" and not amount:
        state.assume(shift(add(made, right, -1), 1))
    elif op in ("/", ">>") and amount is not None and amount > 0 and low is not None:
        by = operate("<<", 1, amount) if op == ">>" else amount
        if by is not None:
            state.assume(add(scale(made, by), left, -1))
    return made


def _bits_origin(state: State, op: str, left: Poly, right: Poly) -> Origin:
    """Return the origin of the result: none if the other operand limits it."""
    masked = op == "&" and right.number is not None and right.number >= 0
    if masked or op == "%":
        return Origin.NONE
    origin, other = state.origin(left if left.terms else right), state.origin(right)
    least = state.lower(left)
    if op in ("|", "^") and least is not None and least >= 0 and other in OUTSIDE:
        return min(origin, other, key=list(Origin).index)
    return origin


def _limits(
    machine: Machine, state: State, expr: Binary, left: Poly, right: Poly
) -> tuple[int | None, int | None]:
    """Return the least and the greatest result, as far as the limits of the operands tell."""
    op, amount = expr.op, right.number
    least, most = state.lower(left), state.upper(left)
    natural = least is not None and least >= 0
    if op == "&" and amount is not None and amount >= 0:
        return 0, amount
    if op == "%" and amount:
        natural = natural or machine.types.is_unsigned(type_of(machine, expr.left))
        return 0 if natural else 1 - abs(amount), abs(amount) - 1
    if op == "%":
        return 0 if natural else None, None
    if op in ("/", ">>") and amount is not None and amount > 0:
        low = operate(op, least, amount) if natural and least is not None else None
        return low, operate(op, most, amount) if most is not None else None
    if op == "/" and natural:
        return 0, most
    other, other_most = state.lower(right), state.upper(right)
    if op not in ("|", "^") or not natural or other is None or other < 0:
        return None, None
    if most is None or other_most is None:
        return 0, None
    return 0, (1 << max(most.bit_length(), other_most.bit_length())) - 1


# Conversions


def convert(machine: Machine, state: State, value: Value, type_: CType | None, span: Span,
              source: CType | None) -> Value:  # fmt: skip
    """Convert a value to a type. Whole numbers that do not fit lose bits."""
    if type_ is None or not isinstance(value, Poly):
        return value
    type_ = machine.types.resolve(type_)
    least, most = machine.types.range(type_)
    if value.number is not None or not machine.types.is_integer(type_):
        return _as_bool(value, type_)
    low, high = state.lower(value), state.upper(value)
    taken = value.constant < -1 or any(factor < 0 for _, factor in value.terms)
    if taken and machine.types.is_unsigned(type_) and low is not None and low < -1:
        _check_wrapped(machine, state, value, span)
    fits = (low is not None and high is not None and least is not None and most is not None
            and low >= least and high <= most)  # fmt: skip
    if fits:
        return value
    if most is None or least is None:
        return _signed(machine, state, value, type_, span, source)
    origin = state.origin(value)
    wide = source is None or machine.types.width(source) > machine.types.width(type_)
    if type_.base in _NARROW and wide and _loses(state, value, origin, high):
        machine.report(Fact.TRUNCATION, span)
    return machine.fresh(state, machine.tag(state, "c", span), origin, low=least, high=most)


def _signed(
    machine: Machine, state: State, value: Poly, type_: CType, span: Span, source: CType | None
) -> Poly:
    """Return an unsigned number, such as one from `ntohl`, as an `int` that may be negative."""
    if source is None or not machine.types.is_unsigned(source) or machine.types.is_unsigned(type_):
        return value
    if machine.types.width(source) != machine.types.width(type_) or len(value.symbols) != 1:
        return value
    (name,) = value.symbols
    known = state.symbols.get(name)
    if known is None or known.high is not None or state.capped(name):
        return value
    if known.origin not in (Origin.INPUT, Origin.CONTENT):
        return value
    return machine.fresh(state, machine.tag(state, "s", span), known.origin, type_=type_)


def _check_wrapped(machine: Machine, state: State, value: Poly, span: Span) -> None:
    """Report a possibly negative difference that becomes an unsigned number."""
    chosen = state.origin(value) in (Origin.PARAMETER, Origin.INPUT, Origin.CONTENT)
    if chosen and not any(state.floored(name) for name in value.symbols):
        machine.report(Fact.UNDERFLOW, span)


def _as_bool(value: Poly, type_: CType) -> Value:
    if type_.base in ("bool", "_Bool") and value.number is not None:
        return Poly(int(value.number != 0))
    return value


def _loses(state: State, value: Poly, origin: Origin, high: int | None) -> bool:
    """Return whether untrusted input may be a number that does not fit."""
    if origin not in (Origin.LENGTH, Origin.INPUT, Origin.PARAMETER):
        return False
    return high is None and not any(state.capped(name) for name in value.symbols)
