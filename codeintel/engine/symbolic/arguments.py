"""Arguments of library functions: what is read, written and filled."""

from __future__ import annotations

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.access import How
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.library import Known
from codeintel.engine.symbolic.memory import Origin, Pointer, Value
from codeintel.engine.symbolic.poly import ONE, ZERO, Poly, add, multiply, shift
from codeintel.engine.symbolic.reading import at
from codeintel.engine.symbolic.resources import Resources
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import Call, SizeOf
from codeintel.engine.symbolic.walk import stripped

_SIZED = frozenset({"memcpy", "memmove", "memset", "strncpy", "strncat", "snprintf", "memcmp",
                    "bzero", "fgets", "read", "recv", "strlcpy", "strlcat", "fread"})  # fmt: skip


class Arguments(Resources):
    """Looks at the arguments of calls."""

    def _given_away(self, state: State, value: Value) -> None:
        if isinstance(value, Pointer) and value.region in state.regions:
            state.update(value.region, owned=False)

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
        if not count.terms or not negative or least is None or least >= 0:
            return
        chosen = (Origin.INPUT, Origin.PARAMETER, Origin.CONTENT, Origin.FIELD)
        if self.origin(state, count) in chosen and not any(map(state.floored, count.symbols)):
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
        zero = expr.name not in ("memset", "memset_s") or values[1:2] == [ZERO]
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
