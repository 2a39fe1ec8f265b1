"""Functions that copy and make text: strcpy, sprintf, scanf and their like."""

from __future__ import annotations

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.access import How
from codeintel.engine.symbolic.calls import Calls
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.formats import Directive, directives, scanned
from codeintel.engine.symbolic.memory import Null, Origin, Pointer, Value
from codeintel.engine.symbolic.poly import ZERO, Poly, add, shift
from codeintel.engine.symbolic.reading import at
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import Call, CType, Expr

PRINTING = {"printf": 0, "fprintf": 1, "dprintf": 1, "wprintf": 0, "vprintf": 0, "vfprintf": 1}


class Strings(Calls):
    """Calls functions that work on text."""

    def text_length(self, state: State, value: Value, span: Span) -> Poly | None:
        """The length of a value that is read as text."""
        pointer = self.use(state, value, span)
        if pointer is None:
            return None
        self.read_text(state, pointer, span)
        return self.length(state, pointer)

    def _becomes(
        self, state: State, target: Value, length: Poly | None, *, outside: bool = False
    ) -> None:
        """A buffer now has a text of some length."""
        if not isinstance(target, Pointer) or target.region not in state.regions:
            return
        state.drop(target.region)
        region = state.regions[target.region]
        total = add(length, target.offset) if length is not None else None
        state.update(
            target.region, written=True, terminated=True, length=total, zeroed=False,
            outside=region.outside or outside,
        )  # fmt: skip

    def _is_outside(self, state: State, value: Value) -> bool:
        region = state.regions.get(value.region) if isinstance(value, Pointer) else None
        return region is not None and (region.outside or region.kind == "outside")

    def strcpy(self, state: State, expr: Call) -> Value:
        """`strcpy(target, source)`."""
        target, source = self.value(state, expr.args[0]), self.value(state, expr.args[1])
        length = self.text_length(state, source, expr.args[1].span)
        if length is None:
            self.use(state, target, expr.span)
        else:
            self.access(state, target, shift(length, 1), expr.span, write=True, how=How.TEXT)
        self._becomes(state, target, length, outside=self._is_outside(state, source))
        return target

    def strcat(self, state: State, expr: Call) -> Value:
        """`strcat(target, source)`."""
        target, source = self.value(state, expr.args[0]), self.value(state, expr.args[1])
        before = self.text_length(state, target, expr.args[0].span)
        length = self.text_length(state, source, expr.args[1].span)
        whole = add(before, length) if before is not None and length is not None else None
        if whole is None:
            self.use(state, target, expr.span)
        else:
            self.access(state, target, shift(whole, 1), expr.span, write=True, how=How.TEXT)
        self._becomes(state, target, whole, outside=self._is_outside(state, source))
        return target

    def strncpy(self, state: State, expr: Call) -> Value:
        """`strncpy(target, source, count)`: all of `count` is written, the end perhaps not."""
        target, source = self.value(state, expr.args[0]), self.value(state, expr.args[1])
        self._size_of_pointer(state, expr)
        length = self.text_length(state, source, expr.args[1].span)
        count = self.number(state, expr.args[2])
        self.check_count(state, count, expr, 2)
        region = state.regions.get(target.region) if isinstance(target, Pointer) else None
        self.access(state, target, count, expr.span, write=True, how=How.COPY)
        short = length is not None and self._is_at_most(state, shift(length, 1), count)
        room = add(count, region.size, -1) if region is not None and region.size else None
        most = state.upper(room) if room is not None else None
        kept = region is not None and region.zeroed and most is not None and most < 0
        self._becomes(state, target, None, outside=self._is_outside(state, source))
        if isinstance(target, Pointer) and target.region in state.regions:
            new = self.length(state, target)
            state.assume(add(new, count, -1))
            if not short and not kept and region is not None and region.size is not None:
                state.update(target.region, terminated=False)
        return target

    def _is_at_most(self, state: State, left: Poly, right: Poly) -> bool:
        most = state.upper(add(left, right, -1))
        return most is not None and most <= 0

    def strncat(self, state: State, expr: Call) -> Value:
        """`strncat(target, source, count)`: up to `count` characters and the end are added."""
        target, source = self.value(state, expr.args[0]), self.value(state, expr.args[1])
        self._size_of_pointer(state, expr)
        before = self.text_length(state, target, expr.args[0].span)
        length = self.text_length(state, source, expr.args[1].span)
        count = self.number(state, expr.args[2])
        if before is not None:
            added = count
            if length is not None and self._is_at_most(state, length, count):
                added = length
            whole = add(before, added)
            self.access(state, target, shift(whole, 1), expr.span, write=True, how=How.TEXT)
        self._becomes(state, target, None)
        return target

    def strlcpy(self, state: State, expr: Call) -> Value:
        """`strlcpy(target, source, size)` and `strlcat`."""
        target = self.value(state, expr.args[0])
        self._size_of_pointer(state, expr)
        self.text_length(state, self.value(state, expr.args[1]), expr.args[1].span)
        count = self.number(state, expr.args[2])
        self.access(state, target, count, expr.span, write=True, how=How.COPY)
        self._becomes(state, target, None)
        return self.fresh(state, self.tag(state, "n", expr.span), low=0)

    # Formats

    def sprintf(self, state: State, expr: Call) -> Value:
        """`sprintf(target, format, ...)`."""
        target = self.value(state, expr.args[0])
        length, outside = self.formatted(state, expr, 1)
        if length is None:
            self.use(state, target, expr.span)
        else:
            self.access(state, target, shift(length, 1), expr.span, write=True, how=How.TEXT)
        self._becomes(state, target, length, outside=outside)
        return length if length is not None else self.unknown(state, expr.span)

    def snprintf(self, state: State, expr: Call) -> Value:
        """`snprintf(target, size, format, ...)`: its result is what it would have written."""
        target = self.value(state, expr.args[0])
        self._size_of_pointer(state, expr)
        count = self.number(state, expr.args[1])
        if target != ZERO:
            self.access(state, target, count, expr.span, write=True, how=How.COPY)
        made, outside = self.formatted(state, expr, 2)
        self._becomes(state, target, None, outside=outside)
        if isinstance(target, Pointer) and target.region in state.regions:
            length = self.length(state, target)
            state.assume(shift(add(length, count, -1), 1))
            if made is not None:
                state.assume(add(length, made, -1))
        return self.fresh(state, self.tag(state, "n", expr.span), low=-1)

    def formatted(self, state: State, expr: Call, position: int) -> tuple[Poly | None, bool]:
        """The length of what a format makes at most, None if that is not known, and whether
        anything in it comes from outside."""
        values = [(arg, self.value(state, arg)) for arg in expr.args[position:]]
        outside = any(self._is_outside(state, value) for _, value in values)
        text = self.text_of(expr.args[position]) if values else None
        if text is None:
            return None, outside
        plain, found = directives(text)
        total: Poly | None = Poly(plain)
        values = values[1:]
        for each in found:
            taken, values = values[: each.arguments], values[each.arguments :]
            if not taken:
                return None, outside
            made = self._directive(state, each, *taken[-1])
            total = add(total, made) if total is not None and made is not None else None
        return total, outside

    def _directive(
        self, state: State, directive: Directive, arg: Expr, value: Value
    ) -> Poly | None:
        """The length of what a directive makes of an argument."""
        if not directive.text:
            if isinstance(value, Poly) and directive.kind in "di":
                digits = self._digits(state, value, directive.longest)
                return Poly(max(directive.width, (directive.precision or -1) + 1, digits))
            return Poly(directive.longest)
        if directive.precision is not None:
            return Poly(max(directive.precision, directive.width))
        if not isinstance(value, Pointer) or directive.arguments > 1:
            return None
        return self._text_printed(state, value, arg)

    def _text_printed(self, state: State, value: Pointer, arg: Expr) -> Poly | None:
        """A null pointer is printed as such by the common libraries."""
        if self.null_of(state, value) is not Null.NO:
            known = state.regions[state.root(value.region)]
            if known.released is None:
                return self.length(state, value)
        return self.text_length(state, value, arg.span)

    def _digits(self, state: State, value: Poly, longest: int) -> int:
        least, most = state.lower(value), state.upper(value)
        if least is None or most is None:
            return longest
        return max(len(str(least)), len(str(most)))

    def printed(self, state: State, expr: Call) -> Value:
        """`printf` and its like."""
        position = PRINTING[expr.name]
        for arg in expr.args[:position]:
            self.use(state, self.value(state, arg), arg.span)
        self.formatted(state, expr, position)
        return self.unknown(state, expr.span)

    # Input

    def gets(self, state: State, expr: Call) -> Value:
        """`gets(target)`: a pattern reports it."""
        target = self.value(state, expr.args[0])
        self._becomes(state, target, None, outside=True)
        return target

    def scanf(self, state: State, expr: Call) -> Value:
        """`scanf(format, ...)` and its like."""
        position = 0 if expr.name == "scanf" else 1
        source = self.value(state, expr.args[0]) if position else None
        limit: Poly | None = None
        if source is not None:
            pointer = self.use(state, source, expr.args[0].span)
            if pointer is not None and expr.name == "sscanf":
                limit = self.length(state, pointer)
        text = self.text_of(expr.args[position]) if position < len(expr.args) else None
        args = expr.args[position + 1 :]
        found = scanned(text) if text is not None else []
        for number, arg in enumerate(args):
            value = self.value(state, arg)
            if number >= len(found):
                self.fill(state, value, arg.span)
                continue
            each = found[number]
            if each.text:
                self._scan_text(state, value, each.width, limit, arg)
            else:
                self._scan_number(state, value, arg)
        return self.fresh(state, self.tag(state, "n", expr.span), low=-1, high=len(found))

    def _scan_text(
        self, state: State, value: Value, width: int | None, limit: Poly | None, arg: Expr
    ) -> None:
        if width is not None:
            self.access(state, value, Poly(width + 1), arg.span, write=True, how=How.TEXT)
        elif limit is not None:
            self.access(state, value, shift(limit, 1), arg.span, write=True, how=How.TEXT)
        elif isinstance(value, Pointer):
            region = state.regions.get(value.region)
            if region is not None and region.size is not None:
                self.report(Fact.COPY_UNBOUNDED, arg.span)
        self._becomes(state, value, None, outside=True)
        if width is not None and isinstance(value, Pointer) and value.region in state.regions:
            state.assume(shift(self.length(state, value), -width))

    def _scan_number(self, state: State, value: Value, arg: Expr) -> None:
        pointer = self.use(state, value, arg.span)
        if pointer is None or pointer.region not in state.regions:
            return
        type_ = self.type_of(arg)
        size = self.types.size(type_.element) if type_ is not None else None
        if size is not None:
            number = size.number or 1
            self.access(
                state, pointer, size, arg.span, write=True, how=How.INDEX, element=number
            )  # fmt: skip
        place = at(pointer, type_.element if type_ is not None else CType("int"))
        name = self.tag(state, "in:", arg.span)
        made = self.fresh(state, name, Origin.INPUT, type_=place.type)
        self.fill(state, pointer, arg.span)
        state.cells[place.region, place.path] = made
