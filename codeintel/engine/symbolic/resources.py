"""What is acquired and released: memory, files, locks."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.access import MEMORY
from codeintel.engine.symbolic.base import OUTSIDE, Frame
from codeintel.engine.symbolic.expressions import Expressions
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.memory import Held, Null, Origin, Pointer, Region, Value
from codeintel.engine.symbolic.poly import ZERO, Poly, multiply
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import Delete, Expr, New, SizeOf, Var
from codeintel.engine.symbolic.walk import stripped, walk

_LOCKERS = re.compile(r"(?i)lock|acquire|enter|begin|guard|wait")
RELEASERS = re.compile(
    r"(?i)free|release|destroy|close|delete|clean|dispose|unref|deinit|shutdown|drop|teardown"
)


class Resources(Expressions):
    """Acquires and releases."""

    released_places: set[Span]
    """Where what was released somewhere had been acquired: it is the function's own."""
    lock_pairs: dict[tuple[str, str], Span]
    unlocked: set[str]

    # Allocation

    def allocate(
        self, state: State, span: Span, family: str, size: Poly | None, *, null: bool,
        zeroed: bool = False, written: bool = False,
    ) -> Pointer:  # fmt: skip
        """Something new that has to be released."""
        name = self.tag(state, "heap:", span)
        while name in state.regions:
            name += "'"
        state.regions[name] = Region(
            "heap" if family in MEMORY else family,
            size,
            family=family,
            null=Null.MAYBE if null else Null.NO,
            owned=True,
            written=written or zeroed,
            zeroed=zeroed,
            terminated=zeroed,
            length=ZERO if zeroed else None,
            place=span,
        )
        return Pointer(name, ZERO)

    def check_size(self, state: State, span: Span, size: Poly, parts: tuple[Expr, ...]) -> None:
        """A size that may be too great for its type, or negative."""
        if self._overflows(state, size):
            self.report(Fact.ALLOCATION_OVERFLOW, span)
        elif self.may_be_negative(state, size):
            self.report(Fact.SIZE_NEGATIVE, span)
        for part in parts:
            for each in walk(part):
                if isinstance(each, SizeOf) and each.value is not None:
                    self.check_sizeof(state, each, None)

    def _overflows(self, state: State, size: Poly) -> bool:
        """Whether it is a product of what somebody outside chooses, unchecked."""
        for monomial, factor in size.terms:
            chosen = [
                name for name in monomial
                if (known := state.symbols.get(name)) is not None and known.origin in OUTSIDE
                and known.origin is not Origin.LENGTH and known.high is None
            ]  # fmt: skip
            scaled = factor > 1 or len(monomial) > 1
            if not chosen or not scaled or any(map(state.capped, monomial)):
                continue
            if len(chosen) > 1 or self._is_input(state, chosen[0]):
                return True
        return False

    def _is_input(self, state: State, name: str) -> bool:
        known = state.symbols[name]
        return known.origin in (Origin.INPUT, Origin.CONTENT) or (
            known.origin is Origin.PARAMETER and not state.floored(name)
        )

    def check_sizeof(self, state: State, expr: SizeOf, target: Expr | None) -> None:
        """`sizeof` of an address where the size of what it points to is meant."""
        inner = stripped(expr.value) if expr.value is not None else None
        if not isinstance(inner, Var):
            return
        type_ = self.type_of(inner)
        if type_ is None or not self.types.resolve(type_).is_pointer:
            return
        if target is None or stripped(target) == inner._replace(span=stripped(target).span):
            self.report(Fact.SIZE_OF_POINTER, expr.span)
        del state

    def new(self, state: State, expr: New) -> Value:
        for each in expr.args:
            self.escape(state, self.value(state, each))
        size = self.types.size(expr.type)
        if expr.length is not None:
            count = self.number(state, expr.length)
            size = multiply(count, size) if size is not None else None
            self.check_size(state, expr.span, count, ())  # the product with the size is checked
        family = "new[]" if expr.length is not None else "new"
        built = bool(expr.args) or not self.types.is_scalar(expr.type)
        return self.allocate(state, expr.span, family, size, null=expr.nothrow, written=built)

    # Release

    def delete(self, state: State, expr: Delete) -> None:
        value = self.value(state, expr.value)
        self.release(state, value, "new[]" if expr.array else "new", expr.span)

    def release(self, state: State, value: Value, family: str, span: Span) -> None:
        """What an address points to is released."""
        pointer = self.pointer(state, value)
        if pointer is None or value == ZERO:
            return
        name = state.root(pointer.region)
        region = state.regions.get(name)
        if region is None or region.null is Null.YES:
            return
        if region.released is not None:
            double = Fact.DOUBLE_FREE if family in MEMORY else Fact.DOUBLE_CLOSE
            self.report(double, span, (region.released, "released here first"))
            return
        if family in MEMORY:
            self._check_release(state, pointer, region, family, span)
        if region.place.end:
            self.released_places.add(region.place)
        state.update(name, released=span, owned=False, family=region.family or family)

    def _check_release(
        self, state: State, pointer: Pointer, region: Region, family: str, span: Span
    ) -> None:
        part = pointer.region != state.root(pointer.region)
        if region.kind in ("stack", "static", "text") and not region.parent:
            self.report(Fact.FREE_OF_NON_HEAP, span, (region.place, "it was not allocated"))
        elif region.family in MEMORY and region.family != family:
            self.report(Fact.MISMATCHED_FREE, span, (region.place, "acquired here"))
        elif region.family in MEMORY and not part:
            offset = pointer.offset
            if offset.number or (offset.terms and state.lower(offset) not in (None, 0)):
                self.report(Fact.FREE_OF_OFFSET, span, (region.place, "acquired here"))

    # Ends

    def finish(self, state: State, frame: Frame, value: Value | None, span: Span) -> None:
        """A function returns: what it had is gone, what it returns and what others see is not."""
        prefix = frame.prefix
        if isinstance(value, Pointer):
            self._check_returned(state, prefix, value, span)
        roots = {
            name for name, region in state.regions.items()
            if not name.startswith(prefix) and region.family == "" and not region.parent
        }  # fmt: skip
        if isinstance(value, Pointer):
            roots.add(value.region)
        kept = state.reachable(iter(roots))
        for name, region in list(state.regions.items()):
            if region.owned and region.null is not Null.YES and name not in kept:
                self._lost(region, span)
                state.update(name, owned=False)
        self._check_locks(state, frame, span)
        self._end(state, prefix, value)

    def _end(self, state: State, prefix: str, value: Value | None) -> None:
        kept = value.region if isinstance(value, Pointer) else ""
        pointed = {v.region for (region, _), v in state.cells.items()
                   if isinstance(v, Pointer) and not region.startswith(prefix)}  # fmt: skip
        for name in [each for each in state.regions if each.startswith(prefix)]:
            if name == kept or name in pointed:
                state.update(name, ended=state.regions[name].kind != "static")
            else:
                del state.regions[name]
        for key in [each for each in state.cells if each[0].startswith(prefix)]:
            del state.cells[key]

    def _check_returned(self, state: State, prefix: str, value: Pointer, span: Span) -> None:
        region = state.regions.get(state.root(value.region))
        own = state.root(value.region).startswith(prefix)
        if own and region is not None and region.kind == "stack":
            self.report(Fact.STACK_ADDRESS, span, (region.place, "declared here"))

    leaks: dict[Span, tuple[Fact, Span, bool]]
    """What was lost, by the place where it was acquired."""

    def _lost(self, region: Region, span: Span) -> None:
        if region.reallocated is not None:
            self.report(Fact.REALLOC_LEAK, region.reallocated, (region.place, "acquired here"))
            return
        fact = Fact.MEMORY_LEAK if region.family in MEMORY else Fact.RESOURCE_LEAK
        known = self.leaks.get(region.place)
        if known is None or (known[2] and not region.passed):
            self.leaks[region.place] = (fact, span, region.passed)

    def report_leaks(self) -> None:
        """Report what was lost. What other functions have seen may be theirs, unless it is
        released on another way."""
        for place, (fact, span, passed) in self.leaks.items():
            if not passed or place in self.released_places:
                self.report(fact, place, (place, "acquired here"), (span, "lost here"))

    # Locks

    def lock(self, state: State, name: str, span: Span, guard: str = "") -> None:
        """A lock is taken."""
        if guard:
            state.locks = tuple(held for held in state.locks if held.guard != guard)
        if any(held.name == name for held in state.locks):
            self.report(Fact.LOCK_TWICE, span)
        for held in state.locks:
            self._order(held, name, span)
        state.locks = (*state.locks, Held(name, span, guard))

    def _order(self, held: Held, name: str, span: Span) -> None:
        if held.name != name:
            self.lock_pairs.setdefault((held.name, name), span)
            if (other := self.lock_pairs.get((name, held.name))) is not None:
                self.report(Fact.LOCK_ORDER, span, (other, "taken in the other order here"))

    def unlock(self, state: State, name: str) -> None:
        """A lock is given back."""
        self.unlocked.add(name)
        state.locks = tuple(held for held in state.locks if name not in (held.name, held.guard))

    def _check_locks(self, state: State, frame: Frame, span: Span) -> None:
        inside = frame.function.span
        for held in state.locks:
            if held.guard or not inside.start <= held.place.start < inside.end:
                continue
            if _LOCKERS.search(frame.function.name):
                continue
            self.kept.setdefault((held.name, held.place), span)
        state.locks = tuple(
            held
            for held in state.locks
            if not held.guard.startswith(frame.prefix) or not held.guard
        )

    kept: dict[tuple[str, Span], Span]

    def report_locks(self) -> None:
        """Report the locks that are kept on some way and given back on another."""
        for (name, place), span in self.kept.items():
            if name in self.unlocked:
                self.report(Fact.LOCK_KEPT, place, (place, "taken here"), (span, "kept here"))
