"""The facts that execution finds, and the reasons why it stopped early."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span


class Fact(StrEnum):
    """A kind of defect that some path through a function may have."""

    USE_AFTER_FREE = "use-after-free"
    USE_AFTER_CLOSE = "use-after-close"
    USE_AFTER_SCOPE = "use-after-scope"
    USE_AFTER_MOVE = "use-after-move"
    DOUBLE_FREE = "double-free"
    DOUBLE_CLOSE = "double-close"
    FREE_OF_NON_HEAP = "free-of-non-heap"
    FREE_OF_OFFSET = "free-of-offset"
    MISMATCHED_FREE = "mismatched-free"
    MEMORY_LEAK = "memory-leak"
    REALLOC_LEAK = "realloc-leak"
    RESOURCE_LEAK = "resource-leak"
    STACK_ADDRESS = "stack-address"
    NULL_UNCHECKED = "null-unchecked"
    NULL_DEREFERENCE = "null-dereference"
    NULL_CHECK_LATE = "null-check-late"
    UNINITIALISED = "uninitialised"
    COPY_UNBOUNDED = "copy-unbounded"
    OVERFLOW_STACK = "overflow-stack"
    OVERFLOW_HEAP = "overflow-heap"
    OVERFLOW_BY_ONE = "overflow-by-one"
    READ_OUTSIDE = "read-outside"
    INDEX_UNCHECKED = "index-unchecked"
    INDEX_NEGATIVE = "index-negative"
    FAILURE_AS_INDEX = "failure-as-index"
    SIZE_UNCHECKED = "size-unchecked"
    SIZE_NEGATIVE = "size-negative"
    UNTERMINATED = "unterminated"
    ALLOCATION_OVERFLOW = "allocation-overflow"
    ARITHMETIC_OVERFLOW = "arithmetic-overflow"
    UNDERFLOW = "underflow"
    TRUNCATION = "truncation"
    DIVISION = "division"
    SIZE_OF_POINTER = "size-of-pointer"
    STACK_UNBOUNDED = "stack-unbounded"
    LOCK_KEPT = "lock-kept"
    LOCK_TWICE = "lock-twice"
    LOCK_ORDER = "lock-order"
    RECURSION_UNENDING = "recursion-unending"
    LOOP_UNENDING = "loop-unending"
    ITERATOR_INVALID = "iterator-invalid"


class Found(NamedTuple):
    """A fact, its place, and the places that lead to it, in order."""

    fact: Fact
    place: Span
    steps: tuple[tuple[Span, str], ...] = ()


SHOWN = 3
"""Number of functions that a sentence names."""


class Early(Enum):
    """Reason for which the execution of a function ended early."""

    PATHS = "{which} {has} too many paths to follow all of them"
    TIME = "{which} took too long to follow"
    NOT_BEGUN = "{which} {was} not analyzed, because earlier functions used up the time"
    DEPTH = "{which} {is_} nested too deeply to be followed to the end"
    UNREAD = "part of the file was not read, because reading took too long"
    TOO_DEEP = "the file is nested too deeply to be read"


class EarlyEnds:
    """Collect functions by the reason why their execution ended early."""

    def __init__(self) -> None:
        self._names: dict[Early, dict[str, None]] = {}

    def add(self, why: Early, function: str = "") -> None:
        """Add a function. The empty name stands for the file."""
        self._names.setdefault(why, {})[function] = None

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence for each reason, with the number of functions and the first names."""
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
        which=which,
        was="were" if several else "was",
        is_="are" if several else "is",
        has="have" if several else "has",
    )
