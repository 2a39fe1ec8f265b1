"""Where what is changed stood before anything was."""

from __future__ import annotations

from collections.abc import Iterable

from codeintel_plugins.transformations.python.fixes import Edit, Fix


class Origins:
    """Follows untouched text through rounds of edits, back to the original."""

    def __init__(self) -> None:
        self._rounds: list[list[Edit]] = []

    def move(self, made: Iterable[Fix]) -> None:
        """Note a round of edits."""
        self._rounds.append(sorted({edit for fix in made for edit in fix.edits}))

    def place(self, edits: tuple[Edit, ...]) -> tuple[int, int] | None:
        """The offsets in the original that the edits of a fix span now; None if that was touched
        before."""
        start, end = edits[0].start, max(edit.end for edit in edits)
        for done in reversed(self._rounds):
            moved = _before(done, start, end)
            if moved is None:
                return None
            start, end = moved
        return start, end


def _before(done: list[Edit], start: int, end: int) -> tuple[int, int] | None:
    """Offsets after some edits as offsets before them."""
    shift = 0
    for edit in done:
        new_start = edit.start + shift
        new_end = new_start + len(edit.content)
        if new_start >= end:
            break
        if new_end > start:
            return None
        shift += len(edit.content) - (edit.end - edit.start)
    return start - shift, end - shift
