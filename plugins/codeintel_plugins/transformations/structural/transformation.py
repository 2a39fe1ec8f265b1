"""The transformations that use the rules, again and again until none has anything to do."""

from __future__ import annotations

import time
from typing import ClassVar

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.contracts.positions import LineTable
from codeintel_plugins.common.recursion import deep_recursion
from codeintel_plugins.transformations.structural.matching import sites
from codeintel_plugins.transformations.structural.patches import Patch
from codeintel_plugins.transformations.structural.reading import Reading
from codeintel_plugins.transformations.structural.rule import (
    LANGUAGES,
    RewriteRule,
    rules_of,
)

MAX_PASSES = 30
"""Code in which the same is nested more often is refused."""
MAX_SECONDS = 4.0
"""Code for which it takes longer is refused, before the worker is killed."""
_MARK = "\ufeff"


class _Structural(Transformation):
    """The rules of one kind."""

    equivalence: ClassVar[Equivalence | None] = Equivalence.LOCAL_EDITS
    languages: ClassVar[frozenset[str]] = frozenset(LANGUAGES)
    version = "1"

    def preload(self) -> None:
        import ast_grep_py  # noqa: F401 - so that children have it; the rules are read quickly

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        mark = _MARK if request.code.startswith(_MARK) else ""
        patch = Patch(request.code.removeprefix(_MARK))
        rules = [
            rule
            for rule in rules_of(request.language)
            if self.kind in rule.kinds and rule.id not in request.without
        ]
        try:
            with deep_recursion():
                _to_the_end(patch, request.language, rules)
        except RecursionError:
            raise Unsupported("line 1: the code is nested too deeply") from None
        except UnicodeEncodeError:
            raise Unsupported("line 1: half of a character stands alone somewhere") from None
        if patch.text == request.code.removeprefix(_MARK):
            return Rewrite(code=request.code)
        messages = {rule.id: rule.message for rule in rules}
        lines = LineTable(request.code)
        changes = tuple(
            Change(
                rule=rule,
                message=messages[rule],
                range=lines.span(place.start + len(mark), place.end + len(mark)),
            )
            for place in patch.replaced()
            for rule in place.rules
        )
        return Rewrite(code=mark + patch.text, changes=changes)


def _to_the_end(patch: Patch, language: str, rules: list[RewriteRule]) -> None:
    ends = time.monotonic() + MAX_SECONDS
    for number in range(MAX_PASSES):
        reading = Reading(patch.text, language)
        reading.ends = ends
        reading.hurry()
        if not number:
            reading.refuse_errors()
        found = sites(reading, rules)
        if not found:
            return
        patch.apply((edit, site.rule) for site in found for edit in site.edits)
    raise Unsupported("line 1: the same is nested too often in the code")


class StructuralRefactor(_Structural):
    """Simplifications."""

    name: ClassVar[str] = "structural-refactor"
    kind: ClassVar[str] = "refactor"


class StructuralModernize(_Structural):
    """Newer syntax and library calls."""

    name: ClassVar[str] = "structural-modernize"
    kind: ClassVar[str] = "modernize"


class StructuralOptimize(_Structural):
    """What takes less time."""

    name: ClassVar[str] = "structural-optimize"
    kind: ClassVar[str] = "optimize"
    languages: ClassVar[frozenset[str]] = frozenset(LANGUAGES) - {"bash", "ruby", "rust"}
