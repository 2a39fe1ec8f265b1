"""Values, and what is known of memory and locks."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.program.syntax import CType
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly


class Origin(StrEnum):
    """Who may have chosen a number."""

    NONE = "none"
    """The program, as far as is known."""
    INPUT = "input"
    """It was read, or made of text that was."""
    PARAMETER = "parameter"
    """Whoever calls the function."""
    FIELD = "field"
    """It is a field of what the function was given."""
    CONTENT = "content"
    """It stands in memory that came from outside."""
    LENGTH = "length"
    """It is the length of a text, or the size of a container, from outside."""
    LOOP = "loop"
    """A loop counts it."""


class Symbol(NamedTuple):
    """A number that is not known; `low` and `high` are its limits by nature, such as its type's."""

    origin: Origin = Origin.NONE
    low: int | None = None
    high: int | None = None
    signed: bool = False
    limited: bool = True
    """Whether the loop that counts it holds anything against a limit."""
    fails: bool = False
    """Whether it is -1 if the function that returned it has failed."""

    @property
    def chosen(self) -> bool:
        """Whether somebody outside chooses it."""
        return self.origin not in (Origin.NONE, Origin.LOOP)


class Pointer(NamedTuple):
    """An address: `offset` bytes into a region. An iterator or a reference into a container has the
    generation in which it was made."""

    region: str
    offset: Poly
    generation: int = -1


class Unset(NamedTuple):
    """The value of a variable that has none."""

    place: Span


Value = Poly | Pointer | Unset
ZERO_PLACE = Span(0, 0)


class Null(StrEnum):
    """Whether the address of a region may be null."""

    NO = "no"
    MAYBE = "maybe"
    """The function that returned it may have failed."""
    YES = "yes"
    UNKNOWN = "unknown"
    """A caller gave it."""


class Region(NamedTuple):
    """A piece of memory, or something else that is acquired and released.

    `kind` is one of: stack, static, text (a literal), heap, file, descriptor and the like (what an
    allocator makes), outside (given by a caller or an unknown function), container, object.
    """

    kind: str
    size: Poly | None = None
    family: str = ""
    null: Null = Null.NO
    released: Span | None = None
    """Where it was released."""
    ended: bool = False
    """Its function or block has ended."""
    owned: bool = False
    """Somebody has to release it."""
    passed: bool = False
    """A function that may keep or release it has seen it."""
    written: bool = True
    zeroed: bool = False
    terminated: bool = True
    """Whether it has a zero byte, as text must."""
    length: Poly | None = None
    """The length of the text in it."""
    outside: bool = False
    """Whether its content comes from outside."""
    overrun: bool = False
    """Whether it was used beyond its bounds before: what follows from that is not told."""
    used: Span | None = None
    """Where it was used while it was not known whether its address is null."""
    place: Span = ZERO_PLACE
    parent: str = ""
    generation: int = 0
    moved: Span | None = None
    reallocated: Span | None = None
    """The call of realloc that failed to move it."""
    tested: bool = False
    """Whether its address was held against null."""
    changed: Span | None = None


class Held(NamedTuple):
    """A lock that is held: its name, where it was taken, and the variable that releases it."""

    name: str
    place: Span
    guard: str = ""


OUTSIDE = frozenset({Origin.INPUT, Origin.PARAMETER, Origin.CONTENT, Origin.LENGTH, Origin.FIELD})


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
