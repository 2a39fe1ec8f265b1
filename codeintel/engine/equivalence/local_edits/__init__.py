"""Compare structural rewrites in V2: equal tokens outside the places that the changes name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import UnsetType

from codeintel.base.wording import counted
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.local_edits.contents import NEAR, Pair, strange
from codeintel.engine.equivalence.local_edits.line_ends import UNCERTAIN, are_uncertain
from codeintel.engine.equivalence.local_edits.runs import (
    Commented,
    Place,
    Runs,
    Token,
    found_again,
    moved,
    places_of,
    runs_of,
    tokens_of,
    units,
)
from codeintel.engine.equivalence.local_edits.words import LANGUAGES

_SHORT = 40
_MOST_INSIDE = 0.6
"""The share of tokens that the changes may cover in longer code."""
_SPACED = frozenset({"bash", "ruby"})
"""Languages in which whitespace between tokens can change their meaning."""


def compare(comparison: Comparison) -> Evidence:
    """Compare the tokens outside the changed places, and check the content of each place."""
    language = comparison.language
    if language != comparison.target:
        return not_applicable("Tokens of different languages cannot be compared.")
    if language not in LANGUAGES:
        return not_applicable(f"Changes by rules cannot be checked in {language}.")
    if comparison.before == comparison.after:
        return passed("Nothing was changed.")
    ranges = [each.range for each in comparison.changes]
    places = places_of(
        comparison.before, (each for each in ranges if not isinstance(each, UnsetType))
    )
    try:
        before, after = comparison.before.encode(), comparison.after.encode()
    except UnicodeEncodeError:
        return failed("The code contains an unpaired surrogate.")
    old, old_comments = tokens_of(before, language)
    new, new_comments = tokens_of(after, language)
    runs = runs_of(old, places)
    begins = found_again(old, runs, new)
    if isinstance(begins, tuple):
        line = _line(before, old, runs.spans[begins[0]][0])
        return failed(
            f"Tokens at or below line {line} differ outside the places that the changes name."
        )
    if are_uncertain(after, language):
        return failed(UNCERTAIN)
    outside = sum(end - start for start, end in runs.spans)
    refusal = (
        _too_much(len(old), outside)
        or _rejoined(before, old, after, new, runs, begins, language)
        or _strange_places(before, old, new, units(old, runs, new, begins), language)
        or moved(
            Commented(before, old, old_comments), Commented(after, new, new_comments), runs, begins
        )
    )
    if refusal:
        return failed(refusal)
    return passed(
        f"{counted(outside, 'token')} and {counted(len(old_comments), 'comment')} outside"
        f" {counted(len(places), 'changed place')} are equal and in the same order. The places have"
        " no new content except words of the language and its library.",
        conclusive=not comparison.by_model,  # rules justify their own changes
    )


def _too_much(count: int, outside: int) -> str:
    """Describe changes that leave too little to compare, or return an empty string."""
    most = count if count <= _SHORT else count * _MOST_INSIDE
    if count - outside <= most and (outside or not count):
        return ""
    return (
        f"The changes cover {count - outside} of {count} tokens, so too little is left to compare."
    )


def _rejoined(
    before: bytes,
    old: Sequence[Token],
    after: bytes,
    new: Sequence[Token],
    runs: Runs,
    begins: Sequence[int],
    language: str,
) -> str:
    """Describe whitespace that changes the meaning of equal tokens outside the places, or return
    an empty string."""
    if language == "php" and _around(before, old) != _around(after, new):
        return "Whitespace before the first tag or after the last one, which is output, differs."
    for (first, behind), begin in zip(runs.spans, begins, strict=True):
        for position in range(first + 1, behind):
            other = begin + position - first
            if _space(before, old, position) == _space(after, new, other):
                continue
            if language in _SPACED or old[position].joint != new[other].joint:
                line = _line(before, old, position)
                return f"At line {line}, whitespace that separates tokens changed."
    return ""


def _strange_places(
    before: bytes,
    old: Sequence[Token],
    new: Sequence[Token],
    places: Iterable[tuple[Place, Place]],
    language: str,
) -> str:
    """Describe content in a place that no rule inserts, or return an empty string."""
    pairs = [
        Pair(
            old[place[0] : place[1]],
            new[its[0] : its[1]],
            new[max(0, its[0] - NEAR) : its[1] + NEAR],
            place[0],
        )
        for place, its in places
    ]
    found = strange(pairs, language, old)
    return f"At line {_line(before, old, found.position)}, {found.fault}." if found else ""


def _space(code: bytes, tokens: Sequence[Token], position: int) -> str:
    """Classify the whitespace before a token."""
    between = code[tokens[position - 1].end : tokens[position].start]
    if b"\n" in between or b"\r" in between:
        return "line end"
    return "space" if between else ""


def _around(code: bytes, tokens: Sequence[Token]) -> tuple[bytes, bytes]:
    """Return the text before the first token, and the text after the last one if that is `?>`."""
    if not tokens:
        return code, b""
    return code[: tokens[0].start], code[tokens[-1].end :] if tokens[-1].text == b"?>" else b""


def _line(code: bytes, tokens: Sequence[Token], position: int) -> int:
    start = tokens[position].start if position < len(tokens) else len(code)
    return len(code[:start].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))
