"""Prepare JavaScript for the sandbox, in a worker process."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.sandbox.javascript.pairs import Pair, Prepared
from codeintel.platform.workers.text_functions import TextFunction


def _prepare(pairs: Iterator[Pair]) -> Iterator[Prepared]:
    # The server imports this module, and must not load parsers.
    from codeintel.engine.sandbox.javascript.plan import prepared

    return map(prepared, pairs)


PREPARE = TextFunction(
    "prepare JavaScript",
    _prepare,
    part=Pair,
    answer=Prepared,
    seconds=10.0,
    most_seconds=10.0,
    modules=("codeintel.engine.sandbox.javascript.plan",),
)
"""Its place must be among the functions of the pool."""
