"""V2 for structural rewrites: equal tokens outside of the places that the changes name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import UnsetType

from codeintel.verification.comparison import Comparison
from codeintel.verification.evidence import Evidence, failed, not_applicable, passed
from codeintel.verification.local_edits_places import Place, places_of
from codeintel.verification.local_edits_runs import found_again, runs_of
from codeintel.verification.local_edits_tokens import Token, tokens_of
from codeintel.verification.parsing import can_parse


def compare(comparison: Comparison) -> Evidence:
    """Compare."""
    if comparison.language != comparison.target:
        return not_applicable("Tokens of two languages cannot be compared.")
    if not can_parse(comparison.language):
        return not_applicable(f"There is no grammar for {comparison.language}.")
    if comparison.before == comparison.after:
        return passed("Nothing was changed.")
    ranges = [each.range for each in comparison.changes]
    places = places_of(
        comparison.before, (each for each in ranges if not isinstance(each, UnsetType))
    )
    before, after = comparison.before.encode(), comparison.after.encode()
    try:
        old, old_comments = tokens_of(before, comparison.language)
        new, new_comments = tokens_of(after, comparison.language)
    except LookupError:
        return not_applicable(f"There is no grammar for {comparison.language}.")
    refusal = _differing(before, old, after, new, places) or _comments(old_comments, new_comments)
    if refusal:
        return failed(refusal)
    outside = sum(end - start for start, end in runs_of(old, places).spans)
    if old and not outside:
        return not_applicable("The changes name the whole code, so nothing is left to compare.")
    return passed(
        f"{outside} tokens outside of {len(places)} changed places are the same, in the same order,"
        f" and so are {len(old_comments)} comments."
    )


def _differing(
    before: bytes,
    old: Sequence[Token],
    after: bytes,
    new: Sequence[Token],
    places: Sequence[Place],
) -> str:
    """What is different outside of the places, or nothing."""
    runs = runs_of(old, places)
    begins = found_again(old, runs, new)
    if isinstance(begins, tuple):
        line = _line(before, old, runs.spans[begins[0]][0])
        return f"Tokens at line {line} or below are not the same, and no change names the place."
    for (first, behind), begin in zip(runs.spans, begins, strict=True):
        for position in range(first + 1, behind):
            other = begin + position - first
            broken = _has_line_end(before, old, position)
            if broken == _has_line_end(after, new, other):
                continue
            if old[position].joint != new[other].joint:
                line = _line(before, old, position)
                return f"At line {line} a line end now separates, or does not, what it did before."
    return ""


def _comments(old: Sequence[Token], new: Sequence[Token]) -> str:
    """Whether a comment is gone, which no change may do: indentation aside."""
    gone = Counter(map(_words, old)) - Counter(map(_words, new))
    return f"{gone.total()} comments are gone." if gone else ""


def _words(comment: Token) -> bytes:
    return b" ".join(comment.text.split())


def _has_line_end(code: bytes, tokens: Sequence[Token], position: int) -> bool:
    between = code[tokens[position - 1].end : tokens[position].start]
    return b"\n" in between or b"\r" in between


def _line(code: bytes, tokens: Sequence[Token], position: int) -> int:
    start = tokens[position].start if position < len(tokens) else len(code)
    return len(code[:start].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))
