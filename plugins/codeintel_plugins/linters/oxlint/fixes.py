"""The fixes that findings of oxlint have."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from codeintel.contracts import Applicability, Edit, Fix, Range
from codeintel_plugins.common.positions import Source, ends
from codeintel_plugins.linters.oxlint.rules import SAFE_FIXES
from codeintel_plugins.linters.oxlint.server import Extent, FixKind, Offer, Position, offers

_SECONDS = 2.0
_MASKED = "lint_disable"

Key = tuple[str, int, int]
"""A rule, and the line and column at which it reports something."""


def fixes(file: str, code: str, source: Source) -> Mapping[Key, Fix]:
    """The fixes for what the rules report in `code`, which is `source` as oxlint gets it. There are
    none where they cannot be told for sure."""
    found: dict[Key, Fix] = {}
    for offer in offers(file, code, FixKind.SAFE_OR_SUGGESTED, _SECONDS):
        place = _place(offer.reported, source)
        fix = _fix(offer, source)
        if place is not None and fix is not None:
            found[offer.rule, place.start_line, place.start_column] = fix
    return found


def _fix(offer: Offer, source: Source) -> Fix | None:
    edits = []
    for change in offer.edits:
        place = _place(change.range, source)
        if place is None or _MASKED in change.new_text:
            return None
        edits.append(Edit(place, change.new_text))
    edits.sort(key=lambda edit: ends(edit.range))
    overlap = any(ends(a.range)[1] > ends(b.range)[0] for a, b in pairwise(edits))
    if not edits or overlap:
        return None
    safe = offer.rule in SAFE_FIXES
    return Fix(
        message=offer.title,
        applicability=Applicability.SAFE if safe else Applicability.UNSAFE,
        edits=tuple(edits),
    )


def _place(range_: Extent, source: Source) -> Range | None:
    return source.exact_range(_point(range_.start, source), _point(range_.end, source))


def _point(position: Position, source: Source) -> tuple[int, int]:
    """Line and column from 1, in code points."""
    line = position.line + 1
    if not 1 <= line <= len(source):
        return line, 1
    text = source.line(line)
    if line == 1:
        text = text.removeprefix("\ufeff")
    if text.isascii():
        return line, position.character + 1
    before = text.encode("utf-16-le")[: 2 * position.character].decode("utf-16-le", "ignore")
    beyond = max(0, position.character - len(text.encode("utf-16-le")) // 2)
    return line, len(before) + 1 + beyond
