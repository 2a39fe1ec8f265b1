"""What execution finds: each kind of fact is what one or more rules report."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span


class Fact(StrEnum):
    """A kind of what may happen on some way through a function."""

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
    """A fact, where it is, and the places that led to it, in order."""

    fact: Fact
    place: Span
    steps: tuple[tuple[Span, str], ...] = ()
