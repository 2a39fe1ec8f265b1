"""The sinks that external data reaches in a piece of code, for tests to import."""

from __future__ import annotations

from codeintel.engine.dataflow.origins import interpret
from codeintel.engine.dataflow.tree import parse


def classes(language: str, code: str) -> set[str]:
    """Return the classes of sinks that request data reaches."""
    hits = interpret(parse(code, language), language).hits.values()
    return {hit.sink.class_ for hit in hits if hit.label.kind == "remote"}
