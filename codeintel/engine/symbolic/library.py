"""The published table of library functions and their effects: `library.yml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from codeintel.engine.data_files import read_data

FILE = Path(__file__).parent / "library.yml"


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effects of a function, as its manual page or standard states them (C17 7.21 to 7.24,
    POSIX.1).

    Arguments are named by position, from 0.

    `allocates` is the resource family of the result, `releases` that of the argument. `size` lists
    the arguments whose product is the size, `text` is the argument that is copied. Arguments in
    `uses` must not be null, and those in `strings` must also be text. `reads` and `writes` hold an
    address and the numbers whose product is the number of bytes. Afterwards, `texts` are text,
    `unterminated` are not, `outside` hold untrusted input, and `fills` have an unknown value.
    `sets` is filled with the byte in the second argument. `keeps` are stored by the function.
    `copies` are the destination and the source. `result` describes the return value.
    """

    allocates: str = ""
    releases: str = ""
    size: tuple[int, ...] = ()
    text: int | None = None
    zeroed: bool = False
    never_null: bool = False
    only_without: int | None = None
    nullable: bool = False
    within: int | None = None
    outside_text: bool = False
    short_text: int = 0
    uses: tuple[int, ...] = ()
    strings: tuple[int, ...] = ()
    reads: tuple[tuple[int, ...], ...] = ()
    writes: tuple[tuple[int, ...], ...] = ()
    texts: tuple[int, ...] = ()
    unterminated: tuple[int, ...] = ()
    outside: tuple[int, ...] = ()
    fills: tuple[int, ...] = ()
    sets: int | None = None
    keeps: tuple[int, ...] = ()
    copies: tuple[int, int] | None = None
    result: str = ""
    exits: bool = False

    @property
    def arity(self) -> int:
        """Return the least number of arguments that the function takes."""
        named = (*self.size, *self.uses, *self.strings, *(self.copies or ()))
        touched = (position for each in (*self.reads, *self.writes) for position in each)
        single = (position for position in (self.text, self.sets) if position is not None)
        return max((*named, *touched, *single), default=-1) + 1


@cache
def library() -> dict[str, Known]:
    """Return the functions by name.

    :raises DataFileError: if the table has a field that :class:`Known` does not have.
    """
    return read_data(FILE, dict[str, Known])
