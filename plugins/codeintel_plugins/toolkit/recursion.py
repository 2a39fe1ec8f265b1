"""Room for parsers that descend into the code with Python's own calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

_LIMIT = 5_000

T = TypeVar("T")


class Once(Generic[T]):
    """The result of a function, computed when first needed.

    If the code is nested too deeply for the function, it is not called again: each call raises
    RecursionError.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._too_deep = False

    def __call__(self) -> T:
        if self._too_deep:
            raise RecursionError("the code is nested too deeply")
        if not self._made:
            try:
                self._made.append(self._make())
            except RecursionError:
                self._too_deep = True
                raise
        return self._made[0]


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raise the recursion limit within the block, so that code may nest as deeply as people write
    it.

    Deeper nesting still raises RecursionError.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
