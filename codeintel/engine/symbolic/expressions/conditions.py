"""Conditions: what is known once a condition is true or false."""

from __future__ import annotations

import re

from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Infeasible, Machine
from codeintel.engine.symbolic.memory.access import length_at
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Several,
    Unary,
    stripped,
)
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, add, scale, shift
from codeintel.engine.symbolic.values.state import Null, Pointer, State, TextRead, Unset, Value

RELATIONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
CLASSES = {"isdigit": (48, 57), "isalpha": (65, 122), "isalnum": (48, 122), "isupper": (65, 90),
            "islower": (97, 122), "isxdigit": (48, 102), "isprint": (32, 126),
            "isspace": (9, 32), "ispunct": (33, 126), "isgraph": (33, 126)}  # fmt: skip
LIKELY = re.compile(r"(?i)(?:\w+_)?(?:un)?likely|__builtin_expect")
_FAILED = frozenset({"descriptor", "mapping"})


def assume_value(machine: Machine, state: State, expr: Expr, truth: bool) -> None:
    """Continue where a value is true, or where it is false."""
    test_value(machine, state, machine.value(state, expr), truth)
    if truth:
        _goes_on(machine, state, expr, machine.text_read)


def assume_unary(machine: Machine, state: State, expr: Unary, truth: bool) -> None:
    """Continue where `!condition` is true, or where it is false."""
    if expr.op == "!":
        machine.assume(state, expr.value, not truth)
    else:
        assume_value(machine, state, expr, truth)


def assume_binary(machine: Machine, state: State, expr: Binary, truth: bool) -> None:
    """Continue where a relation, `&&` or `



    ` is true, or where it is false.
    """
    if expr.op in RELATIONS:
        _assume_relation(machine, state, expr, truth)
    elif expr.op not in ("&&", "||"):
        assume_value(machine, state, expr, truth)
    elif (expr.op == "&&") == truth:  # both are true, or both are false
        machine.assume(state, expr.left, truth)
        machine.assume(state, expr.right, truth)
    elif machine.choose(2) == 0:
        machine.assume(state, expr.left, truth)
    else:
        machine.assume(state, expr.left, not truth)
        machine.assume(state, expr.right, truth)


def _assume_relation(machine: Machine, state: State, expr: Binary, truth: bool) -> None:
    op = expr.op if truth else _OPPOSITE[expr.op]
    left = machine.value(state, expr.left)
    read = machine.text_read
    right = machine.value(state, expr.right)
    relate(machine, state, expr, op, left, right)
    number = right.number if isinstance(right, Poly) else None
    if number is not None and op == ("!=" if number == 0 else "=="):
        _goes_on(machine, state, expr.left, read)


def assume_cast(machine: Machine, state: State, expr: Cast, truth: bool) -> None:
    """Continue where the inner value of a cast is true, or where it is false."""
    machine.assume(state, expr.value, truth)


def assume_several(machine: Machine, state: State, expr: Several, truth: bool) -> None:
    """Continue where `a, b` is true, which is where `b` is true, or where it is false."""
    if not expr.last or not expr.parts:
        assume_value(machine, state, expr, truth)
        return
    for part in expr.parts[:-1]:
        machine.value(state, part)
    machine.assume(state, expr.parts[-1], truth)


def assume_conditional(machine: Machine, state: State, expr: Conditional, truth: bool) -> None:
    """Continue where the chosen branch of `a ? b : c` is true, or where it is false."""
    chosen = machine.choose(2) == 0
    machine.assume(state, expr.condition, chosen)
    machine.assume(state, expr.then if chosen else expr.otherwise, truth)


def _goes_on(machine: Machine, state: State, expr: Expr, read: TextRead | None) -> None:
    """Note that the text continues after a character that was just read and is not zero."""
    expr = stripped(expr)
    if isinstance(expr, Assign):
        expr = stripped(expr.value)
    if read is not None and read.span == expr.span and read.region in state.regions:
        length = length_at(machine, state, Pointer(read.region, ZERO))
        state.assume(shift(add(read.offset, length, -1), 1))


def assume_class(machine: Machine, state: State, expr: Call, truth: bool) -> None:
    value = machine.value(state, expr.args[0])
    if truth:
        _goes_on(machine, state, expr.args[0], machine.text_read)
    if truth and isinstance(value, Poly):
        low, high = CLASSES[expr.name]
        assume_at_most_zero(machine, state, add(Poly(low), value, -1))
        assume_at_most_zero(machine, state, shift(value, -high))


# Values as conditions


def test_value(machine: Machine, state: State, value: Value, truth: bool) -> None:
    """Assume that a value is true (not zero, not null), or that it is false."""
    if isinstance(value, Pointer):
        region = state.regions.get(state.root(value.region))
        object_ = region is not None and region.kind in ("object", "container")
        if not object_ and (region is None or region.family != "descriptor"):
            _test_pointer(machine, state, value, truth)  # 0 is a valid descriptor
    elif isinstance(value, Unset):
        return
    elif truth:
        assume_different(machine, state, value, ZERO)
    else:
        assume_equal(machine, state, value, ZERO)


def _test_pointer(machine: Machine, state: State, pointer: Pointer, truth: bool) -> None:
    name = state.root(pointer.region)
    region = state.regions.get(name)
    if region is None:
        return
    if pointer.offset != ZERO:  # inside an existing region
        if not truth:
            raise Infeasible
        return
    state.update(name, tested=True)
    if region.null is Null.NO:
        if not truth:
            raise Infeasible
    elif region.null is Null.YES:
        if truth:
            raise Infeasible
    elif truth:
        state.update(name, null=Null.NO)
    else:
        here, used = machine.frame.function.span, region.used
        asked = region.null is Null.UNKNOWN and used is not None
        if asked and used is not None and here.start <= used.start < here.end:
            machine.report(Fact.NULL_CHECK_LATE, used)
        state.update(name, null=Null.YES, owned=False)


# Relations


def relate(
    machine: Machine, state: State, expr: Binary, op: str, left: Value, right: Value
) -> None:
    """Assume that a relation between two values is true."""
    if isinstance(right, Pointer) and not isinstance(left, Pointer):
        left, right, op = right, left, _MIRRORED[op]
        expr = expr._replace(left=expr.right, right=expr.left)
    if isinstance(left, Pointer):
        _relate_pointer(machine, state, op, left, right)
        return
    if not isinstance(left, Poly) or not isinstance(right, Poly):
        return
    if op == "==":
        assume_equal(machine, state, left, right)
    elif op == "!=":
        assume_different(machine, state, left, right)
    else:
        if op in (">", ">="):
            left, right, op = right, left, _MIRRORED[op]
            expr = expr._replace(left=expr.right, right=expr.left)
        difference = add(left, right, -1)
        assume_at_most_zero(machine, state, shift(difference, 1) if op == "<" else difference)
        _unsigned(machine, state, expr, left)


def _unsigned(machine: Machine, state: State, expr: Binary, smaller: Poly) -> None:
    """Note that a number that passes an unsigned comparison is not negative."""
    left, right = type_of(machine, expr.left), type_of(machine, expr.right)
    wide, other = machine.types.width(left), machine.types.width(right)
    unsigned = (machine.types.is_unsigned(right) and other >= max(4, wide)) or (
        machine.types.is_unsigned(left) and wide >= max(4, other)
    )
    if unsigned and smaller.terms:
        inner = type_of(machine, stripped(expr.left))
        if inner is not None and not machine.types.is_unsigned(inner):
            assume_at_most_zero(machine, state, scale(smaller, -1))


def _relate_pointer(machine: Machine, state: State, op: str, left: Pointer, right: Value) -> None:
    if isinstance(right, Pointer):
        if left.region == right.region and left.generation < 0:
            difference = add(left.offset, right.offset, -1)
            _relate_numbers(machine, state, op, difference)
        elif op == "==" and all(_is_own(state, each) for each in (left, right)):
            raise Infeasible
        return
    if not isinstance(right, Poly) or right.number is None:
        return
    region = state.regions.get(state.root(left.region))
    failed = region is not None and region.family in _FAILED
    if failed:
        number = right.number
        if (op, number) == ("==", -1) or (op in ("<", "<=") and -1 <= number <= 3):
            _test_pointer(machine, state, left, False)
        elif (op, number) == ("!=", -1) or (op in (">", ">=") and -1 <= number <= 3):
            _test_pointer(machine, state, left, True)
    elif op in ("==", "!="):
        _test_pointer(machine, state, left, op == "!=")


def _is_own(state: State, pointer: Pointer) -> bool:
    region = state.regions.get(state.root(pointer.region))
    return region is not None and region.kind in ("heap", "stack")


def _relate_numbers(machine: Machine, state: State, op: str, difference: Poly) -> None:
    if op == "==":
        assume_equal(machine, state, difference, ZERO)
    elif op == "!=":
        assume_different(machine, state, difference, ZERO)
    elif op in ("<", "<="):
        assume_at_most_zero(machine, state, shift(difference, 1) if op == "<" else difference)
    else:
        assume_at_most_zero(machine, state, shift(scale(difference, -1), 1 if op == ">" else 0))


def assume_at_most_zero(machine: Machine, state: State, poly: Poly) -> None:
    machine.work(len(state.facts) // 4)
    if not state.assume(poly):
        raise Infeasible


def assume_equal(machine: Machine, state: State, left: Poly, right: Poly) -> None:
    difference = add(left, right, -1)
    if difference.terms and (difference in state.nonzero or scale(difference, -1) in state.nonzero):
        raise Infeasible
    assume_at_most_zero(machine, state, difference)
    assume_at_most_zero(machine, state, scale(difference, -1))


def assume_different(machine: Machine, state: State, left: Poly, right: Poly) -> None:
    difference = add(left, right, -1)
    if difference.number is not None:
        if difference.number == 0:
            raise Infeasible
        return
    least, most = state.lower(difference), state.upper(difference)
    if least == 0 and most == 0:
        raise Infeasible
    if least == 0:
        assume_at_most_zero(machine, state, shift(scale(difference, -1), 1))
    elif most == 0:
        assume_at_most_zero(machine, state, shift(difference, 1))
    state.nonzero |= {difference}
