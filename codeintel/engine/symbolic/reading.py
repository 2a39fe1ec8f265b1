"""Reading and writing what is at a place in memory."""

from __future__ import annotations

from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.access import Access
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.memory import Null, Origin, Pointer, Region, Unset, Value
from codeintel.engine.symbolic.poly import ZERO, Poly, add
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import CType


class Place(NamedTuple):
    """Where a value is: a region and a path in it, such as `.name` or `[8].name`; `offset` is that
    of a path without fields."""

    region: str
    path: str
    type: CType | None
    offset: Poly | None = ZERO


class TextRead(NamedTuple):
    """A character that was read: by which expression, and where it stands."""

    span: Span
    region: str
    offset: Poly


def at(pointer: Pointer, type_: CType | None) -> Place:
    """The place that an address leads to."""
    return Place(pointer.region, path_of(pointer.offset), type_, pointer.offset)


def path_of(offset: Poly) -> str:
    """The path of what stands at an offset in a region."""
    if offset == ZERO:
        return ""
    parts = [f"{factor}*{'*'.join(monomial)}" for monomial, factor in offset.terms]
    return f"[{'+'.join([*parts, str(offset.constant)])}]"


class Reading(Access):
    """Reads and writes."""

    text_read: TextRead | None = None

    def read(self, state: State, place: Place, span: Span) -> Value:
        """What is at a place."""
        type_ = place.type
        if type_ is not None and type_.reference:
            bound = state.cells.get((place.region, place.path))
            if isinstance(bound, Pointer):
                inner = type_._replace(reference=False)
                self.use(state, bound, span)
                return self.read(state, at(bound, inner), span)
        if type_ is not None and self.types.resolve(type_).dims:
            return Pointer(self.part(state, place), ZERO)
        key = place.region, place.path
        found = state.cells.get(key)
        if place.offset is not None and type_ is not None and self.types.width(type_) == 1:
            self.text_read = TextRead(span, place.region, place.offset)
        if found is None:
            found = self._unknown(state, place, span)
            state.cells[key] = found
        if isinstance(found, Unset):
            self.report(Fact.UNINITIALISED, span, (found.place, "declared here"))
            found = state.cells[key] = self.unknown(state, span)
        return found

    def _unknown(self, state: State, place: Place, span: Span) -> Value:
        """A value for a place that nothing is known of."""
        region = state.regions.get(place.region) or Region("outside")
        whole = state.regions.get(state.root(place.region)) or region
        if region.zeroed:
            return ZERO
        own = whole.kind in ("stack", "heap") and whole.family in ("memory", "")
        if own and not region.written and not whole.passed and place.path:
            self.report(Fact.UNINITIALISED, span)
        name = self.tag(state, f"{place.region}{place.path}~", span)
        type_ = self.types.resolve(place.type) if place.type is not None else None
        if type_ is not None and type_.pointers:
            inner = f"*{name}"
            outside = region.outside or region.kind == "outside"
            kind = "outside" if outside or region.kind == "static" else "unknown"
            state.regions[inner] = Region(kind, null=Null.UNKNOWN, outside=outside)
            return Pointer(inner, ZERO)
        origin = Origin.NONE
        if region.kind == "outside" or region.outside:
            given = region.kind == "outside"  # and not filled here with what was read
            origin = Origin.FIELD if given and "." in place.path else Origin.CONTENT
        made = self.fresh(state, name, origin, type_=type_)
        if type_ is not None and self.types.width(type_) == 1:
            self._text_read(state, place, region)
        return made

    def _text_read(self, state: State, place: Place, region: Region) -> None:
        """A character of a text was read: it stands before the text's end."""
        if (region.kind == "outside" and place.offset is not None) or region.length:
            offset = place.offset
            if offset is not None and offset.terms:
                length = self.length(state, Pointer(place.region, ZERO))
                state.suppose(add(offset, length, -1))

    def part(self, state: State, place: Place) -> str:
        """The region of an array that is a field or an element of another region."""
        if not place.path:
            return place.region
        name = f"{place.region}{place.path}"
        whole = state.regions.get(place.region) or Region("outside")
        if name not in state.regions and place.type is not None:
            state.regions[name] = Region(
                whole.kind, self.types.size(place.type), written=whole.written,
                zeroed=whole.zeroed, outside=whole.outside, parent=place.region,
                family=whole.family, place=whole.place,
            )  # fmt: skip
        return name

    def write(self, state: State, place: Place, value: Value, span: Span) -> None:
        """Put a value at a place."""
        if place.type is not None and place.type.reference:
            bound = state.cells.get((place.region, place.path))
            if isinstance(bound, Pointer):
                inner = place.type._replace(reference=False)
                self.write(state, at(bound, inner), value, span)
                return
        region = state.regions.get(place.region)
        if place.offset is not None and place.offset.terms:  # which element is not known
            for key, other in state.cells_of(place.region):
                if key[1].startswith("[") and key[1] != place.path:
                    state.disown(other)
                    del state.cells[key]
        state.cells[place.region, place.path] = value
        for key, _ in state.cells_of(place.region):
            if key[1].startswith(f"{place.path}.") and place.path:
                del state.cells[key]
        if region is None:
            return
        if region.kind != "stack" or place.path or self._is_part(place, region):
            state.update(place.region, written=True)
        if region.moved is not None and not place.path:
            state.update(place.region, moved=None)
        self._text_written(state, place, value, region)

    def _is_part(self, place: Place, region: Region) -> bool:
        """Whether a place is less than its region, as the first element of an array."""
        size = self.types.size(place.type) if place.type is not None else None
        return size is not None and region.size is not None and size != region.size

    def _text_written(self, state: State, place: Place, value: Value, region: Region) -> None:
        if place.type is None or self.types.width(place.type) != 1:
            return
        if isinstance(value, Poly) and value.number is None:
            state.update(place.region, terminated=True)  # it may be zero
        if value != ZERO:
            return
        state.update(place.region, terminated=True)
        offset = place.offset
        fixed = region.length is not None and region.length.number is not None
        if offset is not None and not fixed and (offset.number is not None or not region.length):
            state.update(place.region, length=offset)

    def copy_record(self, state: State, target: Place, source: Place) -> None:
        """Copy a structure's fields."""
        state.drop(target.region, f"{target.path}.")
        for key, value in state.cells_of(source.region):
            if key[1].startswith(f"{source.path}."):
                state.cells[target.region, target.path + key[1][len(source.path) :]] = value
        if target.region in state.regions:
            state.update(target.region, written=True)
