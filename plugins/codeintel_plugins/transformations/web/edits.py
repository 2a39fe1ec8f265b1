"""Edits that are made in several rounds, each with the place in the original where it was made."""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Span = tuple[int, int]


class Edit(NamedTuple):
    """Replace bytes of the code of this round."""

    start: int
    end: int
    by: bytes
    rule: str
    message: str


class Made(NamedTuple):
    """An edit that was made, in bytes of the original."""

    start: int
    end: int
    rule: str
    message: str


class Text:
    """Code that is edited. Each of its bytes knows where it comes from."""

    def __init__(self, code: bytes) -> None:
        self.code = code
        self.made: list[Made] = []
        self._origins: list[Span] = [(at, at + 1) for at in range(len(code))]

    def apply(self, groups: Iterable[Sequence[Edit]]) -> bool:
        """Make the edits: each group as a whole, unless a part of it touches an earlier one; and
        whether there were any."""
        chosen: list[Edit] = []
        for group in sorted(groups, key=lambda group: (group[0].start, -group[0].end)):
            if not any(_touches(edit, chosen) for edit in group):
                for edit in group:
                    insort(chosen, edit)
        code: list[bytes] = []
        origins: list[Span] = []
        at = 0
        for edit in chosen:
            place = self._place(edit.start, edit.end)
            self.made.append(Made(*place, edit.rule, edit.message))
            code += (self.code[at : edit.start], edit.by)
            origins += self._origins[at : edit.start]
            origins += [place] * len(edit.by)
            at = edit.end
        code.append(self.code[at:])
        origins += self._origins[at:]
        self.code, self._origins = b"".join(code), origins
        return bool(chosen)

    def _place(self, start: int, end: int) -> Span:
        """Where bytes of this round stand in the original."""
        if start == end:
            before = self._origins[start - 1][1] if start else 0
            return before, before
        known = self._origins[start:end]
        return min(each[0] for each in known), max(each[1] for each in known)


def _touches(edit: Edit, chosen: Sequence[Edit]) -> bool:
    """Whether an edit has a byte or a border in common with its neighbours."""
    place = bisect(chosen, edit)
    before = place > 0 and chosen[place - 1].end >= edit.start
    return before or (place < len(chosen) and chosen[place].start <= edit.end)
