"""The published table of what library functions do: `library.yml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from codeintel.engine.data_files import read_data

FILE = Path(__file__).parent / "library.yml"


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a function does, as its manual page or its standard says (C17 7.21 to 7.24, POSIX.1).
    Arguments are named by their positions from 0.

    `allocates` is the family of what it returns, `releases` that of what it is given; `size` are
    the arguments whose product is the size, `text` the one that is copied. `uses` must not be null,
    `strings` must be text, too. `reads` and `writes` have an address and the numbers whose product
    says how many bytes. `texts` are text afterwards, `unterminated` are not, `outside` come from
    outside, `fills` have a value that is not known; `sets` is filled with the byte of the second
    argument. `keeps` are kept, `copies` are where to and where from. `result` says what is
    returned.
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
        """How many arguments the function has at least."""
        named = (*self.size, *self.uses, *self.strings, *(self.copies or ()))
        touched = (position for each in (*self.reads, *self.writes) for position in each)
        single = (position for position in (self.text, self.sets) if position is not None)
        return max((*named, *touched, *single), default=-1) + 1


@cache
def library() -> dict[str, Known]:
    """The functions by name.

    :raises DataFileError: if the table says something that :class:`Known` does not know.
    """
    return read_data(FILE, dict[str, Known])
