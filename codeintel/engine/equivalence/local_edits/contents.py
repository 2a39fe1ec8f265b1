"""What may be in a changed place: the names, constants and calls that were there, the variables
that it declares for them, and the few words that rules put in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from codeintel.engine.equivalence.local_edits.constants import other_numbers, other_texts, text_of
from codeintel.engine.equivalence.local_edits.operators import operands, other_operators
from codeintel.engine.equivalence.local_edits.tokens import Token
from codeintel.engine.equivalence.local_edits.words import dropped, introduced

_LANGUAGES = frozenset({"javascript", "typescript"})
_DECLARING = frozenset({b"const", b"let", b","})
_GIVING = frozenset({b"=", b"of"})
_DOTS = frozenset({b".", b"?."})


def declared_anew(
    places: Sequence[Sequence[Token]], code: Sequence[Token], language: str
) -> frozenset[bytes]:
    """Names that new tokens declare and that no variable of the old code has: what they stand for
    has to be there already, so nothing comes in by them."""
    if language not in _LANGUAGES:
        return frozenset()
    found = {
        name.text
        for tokens in places
        for word, name, sign in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if word.text in _DECLARING
        and sign.text in _GIVING
        and name.text.decode(errors="replace").isidentifier()
    }
    return frozenset(found) - {each.text for each in _variables(code)} if found else frozenset()


def without(tokens: Sequence[Token], names: Set[bytes]) -> list[Token]:
    """The tokens but for variables with these names; properties that are called so stay."""
    of_variables = {id(each) for each in _variables(tokens) if each.text in names}
    return [each for each in tokens if id(each) not in of_variables]


def _variables(tokens: Sequence[Token]) -> list[Token]:
    """All tokens that are no properties behind a dot."""
    return [
        each
        for position, each in enumerate(tokens)
        if not each.is_text and (position == 0 or tokens[position - 1].text not in _DOTS)
    ]


NEAR = 25
"""Tokens between two changes of one rule, such as the two ends of a condition."""
_WORD = re.compile(rb"[^\W\d][\w$]*|\$\w+|[^\x00-\x7f][\w$]*")


class Pair(NamedTuple):
    """The tokens of a changed place in the old code and in the new, those with some more at both
    sides, and the position of the first in the old."""

    old: Sequence[Token]
    new: Sequence[Token]
    around: Sequence[Token]
    position: int


class Found(NamedTuple):
    """What is strange, and at which token of the old code."""

    fault: str
    position: int


def strange(pairs: Sequence[Pair], language: str, code: Sequence[Token]) -> Found | None:
    """What is in a place that no rule puts there, or what is not that none takes out; None for
    nothing.

    :param code: all tokens of the old code.
    """
    fresh = declared_anew([pair.new for pair in pairs], code, language)
    spare: Counter[bytes] = Counter()  # words may go from one place to another
    named: Counter[bytes] = Counter()  # and calls to where their value is given a name
    for pair in pairs:
        spare.update(_known(pair.old) - _words(without(pair.new, fresh)))
        if any(token.text in fresh for token in pair.new):
            named.update(_called(pair.new))
    for pair in pairs:
        fault = _strange(pair, spare, language, fresh, named.keys())
        if fault:
            return Found(fault, pair.position)
    for group in _groups(pairs, fresh):
        fault = other_operators(
            [token for pair in group for token in pair.old],
            [token for pair in group for token in pair.new],
            language,
        )
        if fault:
            return Found(fault, group[0].position)
    return None


def _groups(pairs: Sequence[Pair], fresh: Set[bytes]) -> Iterator[list[Pair]]:
    """The places, each by itself; one that has operators only, or a new name for what stood
    elsewhere, belongs to what is near."""
    group: list[Pair] = []
    for pair in pairs:
        is_near = bool(group) and pair.position - group[-1].position <= NEAR
        named = bool(group) and any(token.text in fresh for token in group[-1].new)
        if group and not (is_near and (named or _is_bare(group[-1]) or _is_bare(pair))):
            yield group
            group = []
        group.append(pair)
    yield group


def _is_bare(pair: Pair) -> bool:
    return not operands(pair.old) and not operands(pair.new)


def _strange(
    pair: Pair, spare: Counter[bytes], language: str, fresh: Set[bytes], named: Set[bytes]
) -> str:
    old, new = pair.old, without(pair.new, fresh)
    more = _words(new) - _known(old)
    added = {word for word, times in more.items() if times > spare[word]} - introduced(language)
    if added:
        return f"`{_shown(added)}` is new in the place of a change"
    lost = (_called(old) - _words(new)).keys() - dropped(language) - named
    if lost:
        return f"`{_shown(lost)}` is not called any more in the place of a change"
    return other_numbers(old, new, language) or other_texts(old, new, pair.around, language)


def _words(tokens: Sequence[Token]) -> Counter[bytes]:
    """How often there is each word, outside of texts."""
    return Counter(
        word
        for each in tokens
        if not each.is_text and not each.text[:1].isdigit()
        for word in _WORD.findall(each.text)
    )


def _known(tokens: Sequence[Token]) -> Counter[bytes]:
    """Those in texts as well: a text may become a name."""
    return _words(tokens) + Counter(_WORD.findall(text_of(tokens)))


def _called(tokens: Sequence[Token]) -> Counter[bytes]:
    """How often there is each name before an opening bracket."""
    return Counter(
        one.text
        for one, other in pairwise(tokens)
        if other.text == b"(" and not one.is_text and _WORD.fullmatch(one.text)
    )


def _shown(names: Set[bytes]) -> str:
    return min(names).decode(errors="replace")
