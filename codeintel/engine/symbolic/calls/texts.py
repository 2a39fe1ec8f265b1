"""Functions that copy and format text: strcpy, sprintf, scanf and the like, with their formats."""

from __future__ import annotations

import re
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.calls.table import (
    check_count,
    check_size_of_pointer,
    check_text,
    fill,
)
from codeintel.engine.symbolic.expressions.values import literal_text
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import How, check_access, length_at, null_of, use
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import Call, CType, Expr
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, add, shift
from codeintel.engine.symbolic.values.state import Null, Origin, Pointer, State, Value, at

_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0']*+)(?P<width>\*|[0-9]++)?(?:\.(?P<precision>\*|[0-9]++)?)?"
    r"(?P<size>hh|h|ll|l|L|q|j|z|t|I64)?(?P<kind>[diouxXcsSpneEfFgGaA%])"
)
_SCAN = re.compile(
    r"%(?P<skip>\*)?(?P<width>[0-9]++)?(?P<size>hh|h|ll|l|L|j|z|t|m)?"
    r"(?P<kind>\[\^?\]?[^]]{0,256}\]|[a-zA-Z%])"
)
_BITS = {"hh": 8, "h": 16, "": 32}
_LONG = 64
_FLOAT = 24
_MAX_DIGITS = 9


class Directive(NamedTuple):
    """A directive of a printf format (C17 7.21.6.1). All lengths are in characters.

    `text` says that the directive takes a text, of at most `precision` characters, or any number if
    None. `width` is the minimum output. `longest` is the maximum output for a whole number.
    Directives for floating-point numbers may write more if the number is very large. `arguments` is
    the number of arguments: one more for each `*`.
    """

    text: bool
    precision: int | None
    longest: int
    width: int
    arguments: int
    kind: str


class Scanned(NamedTuple):
    """A directive of a scanf format that takes an argument (C17 7.21.6.2).

    `width` is the maximum number of characters of a text, without its end, or None if there is no
    maximum. For numbers, `text` is false.
    """

    text: bool
    width: int | None
    kind: str


def directives(text: str) -> tuple[int, list[Directive]]:
    """Return the number of literal characters in a printf format, and its directives in order."""
    found = []
    plain = len(text)
    for match in _DIRECTIVE.finditer(text):
        plain -= len(match[0])
        kind = match["kind"]
        if kind == "%":
            plain += 1
            continue
        stars = [match["width"], match["precision"]].count("*")
        width = _number(match["width"]) or 0
        precision = _number(match["precision"])
        longest = max(_longest(kind, match["size"] or "", match["flags"], precision or 0), width)
        found.append(Directive(kind in "sS", precision, longest, width, stars + 1, kind))
    return plain, found


def _number(digits: str | None) -> int | None:
    """Return a number in a format, or None for no number and for `*`."""
    if not digits or digits == "*":
        return None
    return int(digits) if len(digits) <= _MAX_DIGITS else 10**_MAX_DIGITS


def _longest(kind: str, size: str, flags: str, precision: int) -> int:
    if kind in "cC":
        return 1
    if kind in "eEfFgGaA":
        return max(_FLOAT, precision + 2)
    if kind == "p":
        return 18
    greatest = (1 << _BITS.get(size, _LONG)) - 1
    if kind in "diu":
        signed = kind != "u"
        digits = len(str((greatest + 1) // 2 if signed else greatest))
        return max(digits, precision) + signed + ("'" in flags) * (digits // 3)
    digits = len(f"{greatest:{'o' if kind == 'o' else 'x'}}")
    return max(digits, precision) + ("#" in flags) * 2


def scanned(text: str) -> list[Scanned]:
    """Return the directives of a scanf format that take arguments, in order."""
    found = []
    for match in _SCAN.finditer(text):
        kind = match["kind"]
        if kind == "%" or match["skip"]:
            continue
        is_text = kind[0] in "sS[" and match["size"] != "m"
        found.append(Scanned(is_text, _number(match["width"]), kind[0]))
    return found


PRINTING = {"printf": 0, "fprintf": 1, "dprintf": 1, "wprintf": 0, "vprintf": 0, "vfprintf": 1}


def text_length(machine: Machine, state: State, value: Value, span: Span) -> Poly | None:
    """Return the length of a value that is read as text, or None if it is not an address."""
    pointer = use(machine, state, value, span)
    if pointer is None:
        return None
    check_text(machine, state, pointer, span)
    return length_at(machine, state, pointer)


def _becomes(state: State, target: Value, length: Poly | None, *, outside: bool = False) -> None:
    """Note that a buffer now holds a text of some length."""
    if not isinstance(target, Pointer) or target.region not in state.regions:
        return
    state.drop(target.region)
    region = state.regions[target.region]
    total = add(length, target.offset) if length is not None else None
    state.update(
        target.region, written=True, terminated=True, length=total, zeroed=False,
        outside=region.outside or outside,
    )  # fmt: skip


def _is_outside(state: State, value: Value) -> bool:
    region = state.regions.get(value.region) if isinstance(value, Pointer) else None
    return region is not None and (region.outside or region.kind == "outside")


def strcpy(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `strcpy(target, source)`."""
    target, source = machine.value(state, expr.args[0]), machine.value(state, expr.args[1])
    length = text_length(machine, state, source, expr.args[1].span)
    if length is None:
        use(machine, state, target, expr.span)
    else:
        check_access(machine, state, target, shift(length, 1), expr.span, write=True, how=How.TEXT)
    _becomes(state, target, length, outside=_is_outside(state, source))
    return target


def strcat(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `strcat(target, source)`."""
    target, source = machine.value(state, expr.args[0]), machine.value(state, expr.args[1])
    before = text_length(machine, state, target, expr.args[0].span)
    length = text_length(machine, state, source, expr.args[1].span)
    whole = add(before, length) if before is not None and length is not None else None
    if whole is None:
        use(machine, state, target, expr.span)
    else:
        check_access(machine, state, target, shift(whole, 1), expr.span, write=True, how=How.TEXT)
    _becomes(state, target, whole, outside=_is_outside(state, source))
    return target


def strncpy(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `strncpy(target, source, count)`, which fills `count` bytes and may leave out the
    end.
    """
    target, source = machine.value(state, expr.args[0]), machine.value(state, expr.args[1])
    check_size_of_pointer(machine, expr)
    length = text_length(machine, state, source, expr.args[1].span)
    count = machine.number(state, expr.args[2])
    check_count(machine, state, count, expr, 2)
    region = state.regions.get(target.region) if isinstance(target, Pointer) else None
    check_access(machine, state, target, count, expr.span, write=True, how=How.COPY)
    short = length is not None and _is_at_most(state, shift(length, 1), count)
    room = add(count, region.size, -1) if region is not None and region.size else None
    most = state.upper(room) if room is not None else None
    kept = region is not None and region.zeroed and most is not None and most < 0
    _becomes(state, target, None, outside=_is_outside(state, source))
    if isinstance(target, Pointer) and target.region in state.regions:
        new = length_at(machine, state, target)
        state.assume(add(new, count, -1))
        if not short and not kept and region is not None and region.size is not None:
            state.update(target.region, terminated=False)
    return target


def _is_at_most(state: State, left: Poly, right: Poly) -> bool:
    most = state.upper(add(left, right, -1))
    return most is not None and most <= 0


def strncat(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `strncat(target, source, count)`: append up to `count` characters and the end."""
    target, source = machine.value(state, expr.args[0]), machine.value(state, expr.args[1])
    check_size_of_pointer(machine, expr)
    before = text_length(machine, state, target, expr.args[0].span)
    length = text_length(machine, state, source, expr.args[1].span)
    count = machine.number(state, expr.args[2])
    if before is not None:
        added = count
        if length is not None and _is_at_most(state, length, count):
            added = length
        whole = add(before, added)
        check_access(machine, state, target, shift(whole, 1), expr.span, write=True, how=How.TEXT)
    _becomes(state, target, None)
    return target


def strlcpy(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `strlcpy(target, source, size)` and `strlcat`."""
    target = machine.value(state, expr.args[0])
    check_size_of_pointer(machine, expr)
    text_length(machine, state, machine.value(state, expr.args[1]), expr.args[1].span)
    count = machine.number(state, expr.args[2])
    check_access(machine, state, target, count, expr.span, write=True, how=How.COPY)
    _becomes(state, target, None)
    return machine.fresh(state, machine.tag(state, "n", expr.span), low=0)


# Formats


def sprintf(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `sprintf(target, format, ...)`."""
    target = machine.value(state, expr.args[0])
    length, outside = formatted(machine, state, expr, 1)
    if length is None:
        use(machine, state, target, expr.span)
    else:
        check_access(machine, state, target, shift(length, 1), expr.span, write=True, how=How.TEXT)
    _becomes(state, target, length, outside=outside)
    return length if length is not None else machine.unknown(state, expr.span)


def snprintf(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `snprintf(target, size, format, ...)`, which returns the length of the uncut text."""
    target = machine.value(state, expr.args[0])
    check_size_of_pointer(machine, expr)
    count = machine.number(state, expr.args[1])
    if target != ZERO:
        check_access(machine, state, target, count, expr.span, write=True, how=How.COPY)
    made, outside = formatted(machine, state, expr, 2)
    _becomes(state, target, None, outside=outside)
    if isinstance(target, Pointer) and target.region in state.regions:
        length = length_at(machine, state, target)
        state.assume(shift(add(length, count, -1), 1))
        if made is not None:
            state.assume(add(length, made, -1))
    return machine.fresh(state, machine.tag(state, "n", expr.span), low=-1)


def formatted(
    machine: Machine, state: State, expr: Call, position: int
) -> tuple[Poly | None, bool]:
    """Return the maximum length of formatted text, and whether any argument is untrusted.

    The length is None if it is unknown.
    """
    values = [(arg, machine.value(state, arg)) for arg in expr.args[position:]]
    outside = any(_is_outside(state, value) for _, value in values)
    text = literal_text(machine, expr.args[position]) if values else None
    if text is None:
        return None, outside
    plain, found = directives(text)
    total: Poly | None = Poly(plain)
    values = values[1:]
    for each in found:
        taken, values = values[: each.arguments], values[each.arguments :]
        if not taken:
            return None, outside
        made = _directive(machine, state, each, *taken[-1])
        total = add(total, made) if total is not None and made is not None else None
    return total, outside


def _directive(
    machine: Machine, state: State, directive: Directive, arg: Expr, value: Value
) -> Poly | None:
    """Return the maximum length of a formatted argument, or None if it is unknown."""
    if not directive.text:
        if isinstance(value, Poly) and directive.kind in "di":
            digits = _digits(state, value, directive.longest)
            return Poly(max(directive.width, (directive.precision or -1) + 1, digits))
        return Poly(directive.longest)
    if directive.precision is not None:
        return Poly(max(directive.precision, directive.width))
    if not isinstance(value, Pointer) or directive.arguments > 1:
        return None
    return _text_printed(machine, state, value, arg)


def _text_printed(machine: Machine, state: State, value: Pointer, arg: Expr) -> Poly | None:
    """Return the length of a text argument. Common libraries print a null pointer as text."""
    if null_of(state, value) is not Null.NO:
        known = state.regions[state.root(value.region)]
        if known.released is None:
            return length_at(machine, state, value)
    return text_length(machine, state, value, arg.span)


def _digits(state: State, value: Poly, longest: int) -> int:
    least, most = state.lower(value), state.upper(value)
    if least is None or most is None:
        return longest
    return max(len(str(least)), len(str(most)))


def printed(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `printf` and the like."""
    position = PRINTING[expr.name]
    for arg in expr.args[:position]:
        use(machine, state, machine.value(state, arg), arg.span)
    formatted(machine, state, expr, position)
    return machine.unknown(state, expr.span)


# Input


def gets(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `gets(target)`. A pattern rule reports this call."""
    target = machine.value(state, expr.args[0])
    _becomes(state, target, None, outside=True)
    return target


def scanf(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `scanf(format, ...)` and the like."""
    position = 0 if expr.name == "scanf" else 1
    source = machine.value(state, expr.args[0]) if position else None
    limit: Poly | None = None
    if source is not None:
        pointer = use(machine, state, source, expr.args[0].span)
        if pointer is not None and expr.name == "sscanf":
            limit = length_at(machine, state, pointer)
    text = literal_text(machine, expr.args[position]) if position < len(expr.args) else None
    args = expr.args[position + 1 :]
    found = scanned(text) if text is not None else []
    for number, arg in enumerate(args):
        value = machine.value(state, arg)
        if number >= len(found):
            fill(machine, state, value, arg.span)
            continue
        each = found[number]
        if each.text:
            _scan_text(machine, state, value, each.width, limit, arg)
        else:
            _scan_number(machine, state, value, arg)
    return machine.fresh(state, machine.tag(state, "n", expr.span), low=-1, high=len(found))


def _scan_text(
    machine: Machine, state: State, value: Value, width: int | None, limit: Poly | None, arg: Expr
) -> None:
    if width is not None:
        check_access(machine, state, value, Poly(width + 1), arg.span, write=True, how=How.TEXT)
    elif limit is not None:
        check_access(machine, state, value, shift(limit, 1), arg.span, write=True, how=How.TEXT)
    elif isinstance(value, Pointer):
        region = state.regions.get(value.region)
        if region is not None and region.size is not None:
            machine.report(Fact.COPY_UNBOUNDED, arg.span)
    _becomes(state, value, None, outside=True)
    if width is not None and isinstance(value, Pointer) and value.region in state.regions:
        state.assume(shift(length_at(machine, state, value), -width))


def _scan_number(machine: Machine, state: State, value: Value, arg: Expr) -> None:
    pointer = use(machine, state, value, arg.span)
    if pointer is None or pointer.region not in state.regions:
        return
    type_ = type_of(machine, arg)
    size = machine.types.size(type_.element) if type_ is not None else None
    if size is not None:
        number = size.number or 1
        check_access(machine,
            state, pointer, size, arg.span, write=True, how=How.INDEX, element=number
        )  # fmt: skip
    place = at(pointer, type_.element if type_ is not None else CType("int"))
    name = machine.tag(state, "in:", arg.span)
    made = machine.fresh(state, name, Origin.INPUT, type_=place.type)
    fill(machine, state, pointer, arg.span)
    state.cells[place.region, place.path] = made
