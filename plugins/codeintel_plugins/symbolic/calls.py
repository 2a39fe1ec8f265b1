"""Calls: of library functions by their table, of the file's own functions, of unknown ones."""

from __future__ import annotations

import re

from codeintel_plugins.flow.tree import Span
from codeintel_plugins.symbolic.access import How
from codeintel_plugins.symbolic.base import Stops
from codeintel_plugins.symbolic.facts import Fact
from codeintel_plugins.symbolic.library import Known
from codeintel_plugins.symbolic.memory import Null, Origin, Pointer, Region, State, Unset, Value
from codeintel_plugins.symbolic.places import at
from codeintel_plugins.symbolic.poly import ONE, ZERO, Poly, add, floored, multiply, shift
from codeintel_plugins.symbolic.resources import RELEASERS, Resources
from codeintel_plugins.symbolic.syntax import Call, CType, Expr, Lambda, SizeOf, Var
from codeintel_plugins.symbolic.walk import stripped

_INPUT = re.compile(
    r"(?i)(?:read|recv|receive|get|fetch|parse|ask|prompt|input)_?"
    r"(?:user|input|line|packet|data|request|int|num|param|arg|value|choice|size|len|count|index)"
)
_ENDS = re.compile(
    r"(?i)(?:^|_)(?:die|fatal|panic|bail|abort|bug|oom|out_of_memory|errx?_?exit)(?:_|$)|unreachable"
)
_FAILS = re.compile(r"(?i)err|fail|usage|exit|quit|stop|raise|throw")
_SIZED = frozenset({"memcpy", "memmove", "memset", "strncpy", "strncat", "snprintf", "memcmp",
                    "bzero", "fgets", "read", "recv", "strlcpy", "strlcat", "fread"})  # fmt: skip


class Calls(Resources):
    """Calls functions."""

    def known_call(self, state: State, expr: Call, known: Known) -> Value:
        """A call of a function of the table."""
        if known.exits:
            for arg in expr.args:
                self.value(state, arg)
            raise Stops
        values = [self.value(state, arg) for arg in expr.args]
        self._size_of_pointer(state, expr)
        self._read_arguments(state, expr, known, values)
        self._write_arguments(state, expr, known, values)
        for position in known.keeps:
            if position < len(values):
                self.escape(state, values[position])
                self._given_away(state, values[position])
        if known.releases and values:
            self.release(state, values[0], known.releases, expr.span)
            return ZERO
        if known.allocates and self._allocates(expr, known, values):
            return self._allocated(state, expr, known, values)
        return self._result(state, expr, known, values)

    def _allocates(self, expr: Call, known: Known, values: list[Value]) -> bool:
        position = known.only_without
        del expr
        return position is None or (position < len(values) and values[position] == ZERO)

    def _given_away(self, state: State, value: Value) -> None:
        if isinstance(value, Pointer) and value.region in state.regions:
            state.update(value.region, owned=False)

    # Arguments

    def _read_arguments(self, state: State, expr: Call, known: Known, values: list[Value]) -> None:
        for position in (*known.uses, *known.strings):
            if position < len(values):
                self.use(state, values[position], expr.args[position].span)
        for position in known.strings:
            if position < len(values):
                self.read_text(state, values[position], expr.args[position].span)
        for address, *counts in known.reads:
            self._touch(state, expr, values, address, counts, write=False)

    def read_text(self, state: State, value: Value, span: Span) -> None:
        """A text is read: it must have an end, and must have been written."""
        if not isinstance(value, Pointer):
            return
        region = state.regions.get(value.region)
        if region is None:
            return
        if not region.terminated:
            if region.written:
                self.report(Fact.UNTERMINATED, span)
            elif region.kind in ("stack", "heap") and not region.passed:
                self.report(Fact.UNINITIALISED, span)
            state.update(value.region, terminated=True)

    def _write_arguments(self, state: State, expr: Call, known: Known, values: list[Value]) -> None:
        counts: dict[int, Poly] = {}
        for address, *positions in known.writes:
            count = self._touch(state, expr, values, address, positions, write=True)
            if count is not None:
                counts[address] = count
        if known.copies and max(known.copies) < len(values):
            to, from_ = known.copies
            self._copied(state, values[to], values[from_], counts.get(to))
        if known.sets is not None:
            self._set(state, expr, known, values)
        for position in (*known.texts, *known.unterminated, *known.outside):
            if position < len(values) and isinstance(values[position], Pointer):
                self._filled(state, position, known, values[position], counts.get(position))
        handled = {*known.texts, *known.unterminated, *known.outside, *(known.copies or ())}
        handled |= {*known.uses, *known.strings, known.sets, *(each[0] for each in known.reads)}
        for position, value in enumerate(values):
            if position in known.fills or (position not in handled and not known.releases):
                self.fill(state, value, expr.span)

    def _touch(
        self, state: State, expr: Call, values: list[Value], address: int, counts: list[int],
        *, write: bool,
    ) -> Poly | None:  # fmt: skip
        """Bytes at an address are used, as many as some arguments say."""
        if address >= len(values) or any(position >= len(values) for position in counts):
            return None
        count: Poly | None = ONE
        for position in counts:
            factor = values[position]
            count = multiply(count, factor) if count and isinstance(factor, Poly) else None
        if count is None:
            self.use(state, values[address], expr.args[address].span)
            return None
        self.check_count(state, count, expr, counts[0])
        if values[address] != ZERO or count != ZERO:
            self.access(
                state, values[address], count, expr.span, write=write, how=How.COPY
            )  # fmt: skip
        return count

    def check_count(self, state: State, count: Poly, expr: Call, position: int) -> None:
        """A number of bytes from which something was taken away that may be greater."""
        least = state.lower(count)
        negative = any(factor < 0 for _, factor in count.terms) or count.constant < 0
        if count.terms and negative and least is not None and least < 0:
            origin = self.origin(state, count)
            if origin in (Origin.INPUT, Origin.PARAMETER, Origin.CONTENT, Origin.FIELD):
                if not any(floored(name, state.known) for name in count.symbols):
                    self.report(Fact.UNDERFLOW, expr.args[position].span)

    def _copied(self, state: State, target: Value, source: Value, count: Poly | None) -> None:
        """Bytes were copied: of a text perhaps all but its end."""
        if not isinstance(target, Pointer) or target.region not in state.regions:
            return
        state.drop(target.region)
        region = state.regions[target.region]
        known = state.regions.get(source.region) if isinstance(source, Pointer) else None
        terminated, outside = True, region.outside
        if known is not None and isinstance(source, Pointer):
            outside = known.outside or known.kind == "outside"
            without_end = known.length is not None and count == self.length(state, source)
            terminated = known.terminated and (not without_end or region.zeroed)
        state.update(
            target.region, written=True, zeroed=False, length=None, terminated=terminated,
            outside=outside,
        )  # fmt: skip

    def _set(self, state: State, expr: Call, known: Known, values: list[Value]) -> None:
        target = values[known.sets or 0]
        if not isinstance(target, Pointer) or target.region not in state.regions:
            return
        state.drop(target.region)
        zero = expr.name not in ("memset", "memset_s") or values[1] == ZERO
        region = state.regions[target.region]
        state.update(
            target.region, written=True, zeroed=zero, terminated=zero or region.terminated,
            length=ZERO if zero else None,
        )  # fmt: skip

    def _filled(
        self, state: State, position: int, known: Known, value: Value, count: Poly | None
    ) -> None:
        """A buffer has a new content."""
        if not isinstance(value, Pointer) or value.region not in state.regions:
            return
        region = state.regions[value.region]
        state.drop(value.region)
        terminated = region.terminated and region.written
        if position in known.texts:
            terminated = True
        elif position in known.unterminated:
            room = add(count, region.size, -1) if count is not None and region.size else None
            most = state.upper(add(room, value.offset)) if room is not None else None
            terminated = region.zeroed and most is not None and most < 0
        outside = region.outside or position in known.outside
        state.update(
            value.region, written=True, terminated=terminated, outside=outside, length=None,
            zeroed=False,
        )  # fmt: skip
        if position in known.texts and count is not None:
            length = self.length(state, value)
            state.assume(shift(add(length, count, -1), 1))

    def fill(self, state: State, value: Value, span: Span) -> None:
        """Something is put where an address points to."""
        if not isinstance(value, Pointer) or value.region not in state.regions:
            return
        state.drop(value.region)
        part = state.regions[value.region].parent
        if part:
            state.drop(part, value.region[len(part) :])
        region = state.regions[value.region]
        if region.kind == "text":
            return
        state.update(value.region, written=True, zeroed=False, length=None, terminated=True)
        if value.offset == ZERO:
            place = at(value, None)
            name = self.tag(state, f"filled:{value.region}", span)
            state.cells[place.region, place.path] = self.fresh(state, name)

    def _size_of_pointer(self, state: State, expr: Call) -> None:
        if expr.name in _SIZED:
            for size in expr.args[1:]:
                found = stripped(size)
                if isinstance(found, SizeOf):
                    for target in expr.args[:2]:
                        self.check_sizeof(state, found, target)

    # Results

    def _allocated(self, state: State, expr: Call, known: Known, values: list[Value]) -> Value:
        size: Poly | None = None
        if known.size and all(position < len(values) for position in known.size):
            size = ONE
            for position in known.size:
                factor = values[position]
                size = multiply(size, factor) if size and isinstance(factor, Poly) else None
            if size is not None and len(known.size) == 1:
                self.check_size(state, expr.span, size, expr.args)
        if known.text is not None and known.text < len(values):
            source = self.pointer(state, values[known.text])
            size = shift(self.length(state, source), 1) if source is not None else None
        made = self.allocate(
            state, expr.span, known.allocates, size, null=not known.never_null,
            zeroed=known.zeroed, written=not known.size,
        )  # fmt: skip
        if known.text is not None and size is not None:
            source = self.pointer(state, values[known.text])
            outside = source is not None and state.regions[source.region].outside
            state.update(
                made.region, length=shift(size, -1), terminated=True, outside=outside
            )  # fmt: skip
        elif not known.size:
            state.update(made.region, terminated=True)
        return made

    def _result(self, state: State, expr: Call, known: Known, values: list[Value]) -> Value:
        if known.nullable:
            return self._nullable(state, expr, known, values)
        if known.short_text:
            name = self.tag(state, "short:", expr.span)
            state.regions[name] = Region("static", Poly(known.short_text))
            return Pointer(name, ZERO)
        return self._number_result(state, expr, known, values)

    def _nullable(self, state: State, expr: Call, known: Known, values: list[Value]) -> Value:
        name = self.tag(state, "got:", expr.span)
        outside = known.outside_text
        if known.within is not None and known.within < len(values):
            inside = values[known.within]
            if isinstance(inside, Pointer) and self.choose(2) == 0:
                made = self.fresh(state, name, low=0)
                state.assume(shift(add(made, self.length(state, inside), -1), 1))
                return Pointer(inside.region, add(inside.offset, made))
            if isinstance(inside, Pointer):
                state.regions[name] = Region("outside", null=Null.YES, place=expr.span)
                return Pointer(name, ZERO)
        state.regions[name] = Region(
            "outside" if outside else "unknown", null=Null.MAYBE, outside=outside, place=expr.span
        )
        return Pointer(name, ZERO)

    def _number_result(self, state: State, expr: Call, known: Known, values: list[Value]) -> Value:
        name = self.tag(state, "n", expr.span)
        kind = known.result
        if kind == "first" and values:
            return values[0]
        if kind == "first_or_null" and values:
            if self.choose(2) == 1:
                return ZERO
            if isinstance(values[0], Pointer) and state.root(values[0].region) in state.regions:
                state.update(state.root(values[0].region), null=Null.NO)
            return values[0]
        if kind == "length" and values:
            source = self.pointer(state, values[0])
            return self.length(state, source) if source is not None else self.fresh(state, name)
        if kind in ("count", "items", "length_within"):
            return self._counted(state, expr, name, kind, values)
        if kind == "span" and values:
            source = self.pointer(state, values[0])
            made = self.fresh(state, name, low=0)
            if source is not None:
                state.assume(add(made, self.length(state, source), -1))
            return made
        if kind == "input":
            return self.fresh(state, name, Origin.INPUT, type_=self.type_of(expr) or CType("int"))
        if kind == "network":
            origin = (
                self.origin(state, values[0]) if values and isinstance(values[0], Poly) else None
            )
            return self.fresh(state, name, origin or Origin.NONE, type_=self.type_of(expr))
        if kind == "character":
            return self.fresh(state, name, low=-1, high=255)
        if kind == "natural":
            return self.fresh(state, name, low=0)
        return self.fresh(state, name)

    def _counted(
        self, state: State, expr: Call, name: str, kind: str, values: list[Value]
    ) -> Value:
        """How much was read: at most what was asked for, and -1 if that failed."""
        made = self.fresh(state, name, low=-1 if kind == "count" else 0)
        position = {"count": 2, "items": 2, "length_within": 1}[kind]
        if expr.name == "SSL_read":
            position = 2
        limit = values[position] if position < len(values) else None
        if isinstance(limit, Poly):
            state.assume(add(made, limit, -1))
        return made

    # Unknown functions

    def unknown_call(self, state: State, expr: Call) -> Value:
        """A call of a function that nothing is known of: it may do anything with what it sees."""
        if _ENDS.search(expr.name) and expr.object is None:
            for arg in expr.args:
                self.value(state, arg)
            raise Stops
        if _FAILS.search(expr.name):
            state.forget_nulls()
        types = self.source.prototypes.get(expr.name, ())
        releases = RELEASERS.search(expr.name) is not None
        if expr.name not in self.source.prototypes:
            self._take_references(state, expr)
        for position, arg in enumerate(expr.args):
            value = self.value(state, arg)
            type_ = types[position] if position < len(types) else None
            const = type_ is not None and type_.const and type_.pointers == 1
            if isinstance(value, Pointer):
                self._seen_outside(state, arg, value, const=const, releases=releases)
        for name in [each for each in state.regions if each.startswith("::")]:
            if not self._is_constant(name):
                state.drop(name)
        known = self.source.functions.get(expr.name)
        result = known.result if known is not None else None
        if _INPUT.search(expr.name):
            return self.fresh(state, self.tag(state, "n", expr.span), Origin.INPUT, type_=result)
        return self.fresh(state, self.tag(state, "n", expr.span), type_=result)

    def _take_references(self, state: State, expr: Call) -> None:
        """A macro, or a function that takes references, may set the variables that it is given."""
        for arg in expr.args:
            place = self.variable(state, arg.name, arg.span) if isinstance(arg, Var) else None
            if place is None:
                continue
            key = place.region, place.path
            if isinstance(state.cells.get(key), Unset):
                state.cells[key] = self.unknown(state, arg.span)

    def _is_constant(self, region: str) -> bool:
        known = self.source.globals.get(region[2:])
        return known is not None and known[2]

    def _seen_outside(
        self, state: State, arg: Expr, value: Pointer, *, const: bool, releases: bool
    ) -> None:
        """An unknown function has got an address."""
        name = state.root(value.region)
        region = state.regions.get(name)
        if region is None:
            return
        if region.released is not None and not releases:
            self.use(state, value, arg.span)
            return
        if const:
            return
        for each in state.reachable(iter([name])):
            known = state.regions.get(each)
            if known is None or known.kind == "text":
                continue
            if known.family or each == name:
                state.update(each, passed=True)
            self.forget_content(state, each, releases=releases)

    def forget_content(self, state: State, name: str, *, releases: bool = False) -> None:
        """What stands in a region is not known any more."""
        region = state.regions[name]
        if region.kind == "container":
            return
        for key, value in state.cells_of(name):
            if not isinstance(value, Pointer) or region.kind != "stack":
                state.disown(value)
                del state.cells[key]
        for child, each in list(state.regions.items()):
            if each.parent == name:
                self.forget_content(state, child, releases=releases)
        state.update(
            name, written=True, zeroed=False, length=None, terminated=True,
            owned=region.owned and not releases, used=region.used,
        )  # fmt: skip

    def captured(self, state: State, expr: Lambda) -> None:
        for name in expr.names:
            place = self.variable(state, name, expr.span)
            if place is None:
                continue
            value = state.cells.get((place.region, place.path))
            if isinstance(value, Pointer):
                self.escape(state, value)
                self._given_away(state, value)
            if place.region in state.regions and place.region.startswith(self.frame.prefix):
                state.cells.pop((place.region, place.path), None)
                state.update(place.region, passed=True)
