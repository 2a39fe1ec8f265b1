"""Room for parsers that descend into the code with Python's own calls."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_LIMIT = 5_000


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Within it calls may nest deeply enough for what people nest in their code. What is deeper
    still raises RecursionError, as ever."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
