"""Helpers that several tests of structural rewrites share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from codeintel_plugins.transformations.structural.patches import rules_of
from codeintel_plugins.transformations.structural.transformation import (
    StructuralModernize,
    StructuralOptimize,
    StructuralRefactor,
)

from codeintel.contracts import CheckStatus, Equivalence, Rewrite, RewriteRequest
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.levels import compare

WAYS = {
    way.kind: way for way in (StructuralRefactor(), StructuralModernize(), StructuralOptimize())
}
PROGRAMS = Path(__file__).parent / "programs"


class Program(NamedTuple):
    """A program that says by itself what it does."""

    language: str
    title: str
    code: str


def programs() -> Iterator[Program]:
    """Yield all programs, by language."""
    for path in sorted(PROGRAMS.glob("*.txt")):
        for part in path.read_text().split("%%%% ")[1:]:
            title, _, code = part.partition("\n")
            yield Program(path.stem, title, code)


def rewritten(
    code: str, language: str, kind: str, without: Iterable[str] = (), only: str | None = None
) -> Rewrite:
    """Return the result of a transformation, by all rules or one."""
    left_out = [rule.id for rule in rules_of(language) if only is not None and rule.id != only]
    request = RewriteRequest(
        code=code,
        language=language,
        target=language,
        options={},
        without=(*without, *left_out),
    )
    return WAYS[kind].rewrite(request)


def failures(before: str, made: Rewrite, language: str) -> list[str]:
    """Return the failed checks of a result."""
    comparison = Comparison(
        before=before,
        after=made.code,
        language=language,
        target=language,
        changes=made.changes,
        equivalence=Equivalence.LOCAL_EDITS,
    )
    return [
        f"{check.name}: {check.evidence}"
        for check in compare(comparison)
        if check.status is CheckStatus.FAILED
    ]
