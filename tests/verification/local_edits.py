"""The verdict on an edit whose places are named."""

from __future__ import annotations

from codeintel.contracts import Change, CheckStatus, Range
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.local_edits import compare


def status(
    before: str, after: str, *places: tuple[int, int, int, int], language: str
) -> CheckStatus:
    changes = tuple(Change(rule="r", message="m", range=Range(*place)) for place in places)
    comparison = Comparison(
        before=before, after=after, language=language, target=language, changes=changes
    )
    return compare(comparison).status
