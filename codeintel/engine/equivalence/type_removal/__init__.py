"""V2 for TypeScript to JavaScript: the same tokens but for those of types."""

from __future__ import annotations

from collections import Counter

from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.type_removal.nodes import MoreThanTypesError
from codeintel.engine.equivalence.type_removal.tokens import (
    Word,
    javascript_words,
    typescript_words,
)


def compare(comparison: Comparison) -> Evidence:
    """Compare the tokens that stay, one by one, and how they hang together."""
    if (comparison.language, comparison.target) != ("typescript", "javascript"):
        return not_applicable("This is not TypeScript that became JavaScript.")
    try:
        before = typescript_words(comparison.before)
        after = javascript_words(comparison.after)
    except MoreThanTypesError as error:
        return failed(str(error))
    except UnicodeEncodeError:
        return failed("Half of a character stands alone somewhere.")
    if before is None:
        return not_applicable("The original cannot be read with certainty.")
    if after is None:
        return failed("The result cannot be read as JavaScript.")
    for one, other in zip(before.words, after.words, strict=False):
        difference = _difference(one, other)
        if difference:
            return failed(f"Line {one.line} of the original: {difference}.")
    if len(before.words) != len(after.words):
        return failed("The result has more tokens, or fewer, than the original without its types.")
    strange = Counter(after.comments) - Counter(before.comments)
    if strange:
        return failed(f"{strange.total()} comments of the result are not in the original.")
    left_out = before.count - len(before.words)
    return passed(
        f"{len(after.words)} tokens are the same, in the same order and structure, as those of the "
        f"original without the {left_out} that belong to types or separate statements.",
        conclusive=True,
    )


def _difference(one: Word, other: Word) -> str:
    if one.text != other.text:
        return "the tokens are not the same from here on"
    return "" if one.joint == other.joint else "a token belongs to another expression or statement"
