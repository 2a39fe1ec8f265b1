"""What the model weighs about edits that leave the words of a name alone."""

from __future__ import annotations

import math

from codeintel.trust.names.candidate import Candidate
from codeintel.trust.names.shapes import EditKind
from codeintel.trust.names.spelling.affixes import is_glued, is_language, is_own_language
from codeintel.trust.names.spelling.distances import compact, plain, tokens
from codeintel.trust.names.tables import own_words

STRUCTURAL = frozenset(
    {EditKind.SEPARATORS, EditKind.AFFIX, EditKind.WORD_ORDER, EditKind.SCOPE, EditKind.CASE}
)


def log_length(letters: str) -> float:
    """How long letters are, in doublings of 8."""
    return math.log2(max(len(letters), 1)) - 3


def structure_features(ecosystem: str, name: str, candidate: Candidate) -> dict[str, float]:
    """The features of a candidate whose edit is structural, by name."""
    kind = candidate.edit.kind
    group = "famous" if candidate.rank else "words"
    found = {f"{group}_{kind}": 1.0, "structure_length": log_length(candidate.expected)}
    if candidate.rank:
        found["joined"] = float(len(tokens(plain(name))) < len(tokens(candidate.target)))
        found["structure_rank"] = 1 - math.log10(candidate.rank) / 3
    if ecosystem == "npm":
        found[f"npm_{group}_{kind}"] = 1.0
    if kind == EditKind.AFFIX and not candidate.affix:
        found["affix_left_out"] = 1.0
    return found


def affix_features(ecosystem: str, name: str, candidate: Candidate) -> dict[str, float]:
    """What an added word has: of what kind it is, where and how it is joined, and to what. Each
    registry has habits of its own: `python-x` and `x.js` are usual, `x-npm` is not."""
    affix, rest = candidate.affix, candidate.expected
    family = "foreign" if is_language(affix) else "word"
    if is_own_language(ecosystem, affix):
        family = "own"
    side = "after" if plain(name).endswith(affix) else "before"
    joint = "dotted" if "." in affix else "apart"
    if is_glued(affix):
        joint = "glued"
    is_technology = compact(rest) in own_words().technologies
    return {
        f"affix_{family}": 1.0,
        f"affix_{side}_{joint}": 1.0,
        f"{ecosystem}_{family}_{side}_{joint}": 1.0,
        f"technology_{joint}": float(is_technology),
        f"{family}_technology": float(is_technology),
        f"compound_{joint}": float(len(tokens(rest)) > 1),
    }
