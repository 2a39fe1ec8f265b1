"""What data from outside reaches in a piece of code, for tests to import."""

from __future__ import annotations

from codeintel_plugins.flow.origins import interpret
from codeintel_plugins.flow.tree import parse


def classes(language: str, code: str) -> set[str]:
    """The classes of sinks that request data reaches."""
    hits = interpret(parse(code, language), language).hits.values()
    return {hit.sink.class_ for hit in hits if hit.label.kind == "remote"}
