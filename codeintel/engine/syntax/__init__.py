"""Texts and their trees: each text is parsed once for each grammar."""

from codeintel.engine.syntax.source import Source, source_of

__all__ = ["Source", "source_of"]
