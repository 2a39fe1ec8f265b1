"""Which functions were not executed to their end, and why, in words."""

from __future__ import annotations

from enum import Enum

SHOWN = 3
"""Functions that a sentence names."""


class Early(Enum):
    """Why the execution of a function ended early."""

    WAYS = "not all ways through {which} were followed: there are too many"
    TIME = "{which} took too long to follow"
    NOT_BEGUN = "{which} {was} not looked at: the functions before took all the time there is"
    DEPTH = "{which} {is_} nested too deeply to be followed to the end"
    UNREAD = "not all of the file was read: it takes too long"
    TOO_DEEP = "the file is nested too deeply to be read"


class EarlyEnds:
    """Gathers functions by the reason for which they ended early."""

    def __init__(self) -> None:
        self._names: dict[Early, dict[str, None]] = {}

    def add(self, why: Early, function: str = "") -> None:
        """Note a function; the empty name stands for the file."""
        self._names.setdefault(why, {})[function] = None

    def sentences(self) -> tuple[str, ...]:
        """One for each reason, with the number of functions and the names of the first."""
        return tuple(_sentence(why, tuple(self._names[why])) for why in Early if why in self._names)


def _sentence(why: Early, names: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{name or 'a function without a name'}`" for name in names[:SHOWN])
    rest = len(names) - SHOWN
    if len(names) == 1:
        which = f"the function {shown}"
    else:
        more = f" and {rest:,} more" if rest > 0 else ""
        which = f"{len(names):,} functions ({shown}{more})"
    several = len(names) > 1
    return why.value.format(
        which=which, was="were" if several else "was", is_="are" if several else "is"
    )
