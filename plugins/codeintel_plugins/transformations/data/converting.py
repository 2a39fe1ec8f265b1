"""One data format into another."""

from __future__ import annotations

from typing import ClassVar

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel_plugins.common.recursion import deep_recursion
from codeintel_plugins.transformations.data.losses import Losses
from codeintel_plugins.transformations.data.reading import read
from codeintel_plugins.transformations.data.writing import write

FORMATS = frozenset({"json", "yaml", "toml"})


class DataConvert(Transformation):
    """The same values in another format. What it cannot hold is named."""

    name: ClassVar[str] = "data-convert"
    kind: ClassVar[str] = "convert"
    languages: ClassVar[frozenset[str]] = FORMATS
    targets: ClassVar[frozenset[str] | None] = FORMATS
    equivalence: ClassVar[Equivalence | None] = Equivalence.DATA_MODEL
    version = "1"

    def can(self, language: str, target: str) -> bool:
        return language != target and super().can(language, target)

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        losses = Losses()
        with deep_recursion():
            try:
                value = read(request.code, request.language, losses)
                code = write(value, request.target, losses)
            except RecursionError:
                raise Unsupported("The data is nested too deeply.") from None
        said = tuple(losses.sentences())
        if said and request.options.get("strict"):
            raise Unsupported(said[0])
        if "\r\n" in request.code:
            code = code.replace("\n", "\r\n")
        message = f"The values are written as {request.target.upper()}."
        return Rewrite(
            code=code, changes=(Change(rule="convert-data", message=message),), losses=said
        )
