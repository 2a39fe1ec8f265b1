"""Check the content of changed places.

A place may keep its names, constants, calls and operators. New content may only be variables
declared for these and the few words that rules insert.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from codeintel.engine.equivalence.local_edits.runs import Token
from codeintel.engine.equivalence.local_edits.words import (
    dropped,
    introduced,
    other_numbers,
    other_texts,
    text_of,
)

NEAR = 25
"""The largest number of tokens between two changes of one rule, such as both ends of a
condition."""
_WORD = re.compile(rb"[^\W\d][\w$]*|\$\w+|[^\x00-\x7f][\w$]*")


class Pair(NamedTuple):
    """The tokens of a changed place in the old and the new code.

    `around` are the new tokens with some context. `position` is that of the first old token.
    """

    old: Sequence[Token]
    new: Sequence[Token]
    around: Sequence[Token]
    position: int


class Found(NamedTuple):
    """A fault, and the old token where it was found."""

    fault: str
    position: int


def strange(pairs: Sequence[Pair], language: str, code: Sequence[Token]) -> Found | None:
    """Return a fault of a place: content that no rule inserts, or the lack of content that no rule
    removes.

    Return None if all places are fine.

    :param code: all tokens of the old code.
    """
    fresh = declared_anew([pair.new for pair in pairs], code, language)
    spare: Counter[bytes] = Counter()  # words can move from one place to another
    named: Counter[bytes] = Counter()  # calls can move to where their value is given a name
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
    """Group the places.

    A place that consists of operators, or declares a name for moved code, joins its neighbors.
    """
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
        return f"`{_shown(added)}` is new in a changed place"
    lost = (_called(old) - _words(new)).keys() - dropped(language) - named
    if lost:
        return f"a changed place no longer calls `{_shown(lost)}`"
    return other_numbers(old, new, language) or other_texts(old, new, pair.around, language)


def _words(tokens: Sequence[Token]) -> Counter[bytes]:
    """Count the words outside strings."""
    return Counter(
        word
        for each in tokens
        if not each.is_text and not each.text[:1].isdigit()
        for word in _WORD.findall(each.text)
    )


def _known(tokens: Sequence[Token]) -> Counter[bytes]:
    """Count the words, including those in strings, because a string can become a name."""
    return _words(tokens) + Counter(_WORD.findall(text_of(tokens)))


def _called(tokens: Sequence[Token]) -> Counter[bytes]:
    """Count the names before an opening parenthesis."""
    return Counter(
        one.text
        for one, other in pairwise(tokens)
        if other.text == b"(" and not one.is_text and _WORD.fullmatch(one.text)
    )


def _shown(names: Set[bytes]) -> str:
    return min(names).decode(errors="replace")


_LANGUAGES = frozenset({"javascript", "typescript"})
_DECLARING = frozenset({b"const", b"let", b","})
_GIVING = frozenset({b"=", b"of"})
_DOTS = frozenset({b".", b"?."})


def declared_anew(
    places: Sequence[Sequence[Token]], code: Sequence[Token], language: str
) -> frozenset[bytes]:
    """Return new names that the places declare and no old variable has.

    They only name existing code, so they bring in nothing.
    """
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
    """Return the tokens without variables of these names. Properties of the same name stay."""
    of_variables = {id(each) for each in _variables(tokens) if each.text in names}
    return [each for each in tokens if id(each) not in of_variables]


def _variables(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens that are not properties after a dot."""
    return [
        each
        for position, each in enumerate(tokens)
        if not each.is_text and (position == 0 or tokens[position - 1].text not in _DOTS)
    ]


_SIGN = re.compile(rb"[^\w\s(){}\[\];,.\"'`:]+")
_OPERAND = re.compile(rb"[\w$@:\x80-\xff]*[\w\x80-\xff]")
_QUOTES = frozenset({b"'", b'"', b"`"})
_ARITHMETIC = frozenset(
    {b"+", b"-", b"*", b"/", b"%", b"<<", b">>", b">>>", b"&", b"|", b"^", b"&^"}
)
_NUMERIC = frozenset({b"+", b"-", b"/", b"%", b"<<", b">>", b">>>", b"^"})
"""Arithmetic operators that have no other meaning, in types or before a name."""
_UNEQUAL = frozenset({b"!=", b"!==", b"<>"})
_WEAK = frozenset({b"<=", b">="})
_MORE = frozenset({b">", b">="})
_ORDER = frozenset({b"<", b">", b"<=", b">="})
_LOGIC = frozenset({b"&&", b"||"})
_NEGATING = frozenset({b"!", b"not", b"unless", b"else"})
_FRAME = frozenset({b"if", b"return", b"true", b"false", b"function", b"const"})
_STRICT = frozenset({b"===", b"!=="})
_WEB = frozenset({"javascript", "typescript"})


def other_operators(old: Sequence[Token], new: Sequence[Token], language: str) -> str:
    """Describe operators that change the meaning, or return an empty string.

    No rule inserts arithmetic. If all operands remain in the same order, comparisons and logic may
    only be turned by negation.

    Comparisons in JavaScript may become strict, and counting loops may iterate over a list.
    """
    before, after = _signs(old), _signs(new)
    if language in _WEB:
        _make_strict(before, after)
        counted = before[b"+"] - after[b"+"]
        if counted and counted == _count(old, b"++") - _count(new, b"++") == (
            _count(new, b"of") - _count(old, b"of")
        ):
            before[b"+"] -= counted
    added = {sign for sign in after - before if sign in _ARITHMETIC}
    if added and not (added == {b"*"} and any(each.text == b"strlen" for each in old)):
        return "a changed place has a new operator"
    # A concatenation of strings can become one string.
    has_text = any(each.is_text or each.text in _QUOTES for each in old)
    lost = {sign for sign in before - after if sign in _ARITHMETIC}
    if lost & _NUMERIC - ({b"+"} if has_text else set()):
        return "a changed place lost an operator"
    if operands(old) == operands(new) and (
        lost - {b"+"}
        or any(each(before) != each(after) for each in (_negations, _directions, _strictness))
    ):
        return "an operator in a changed place differs"
    # In a shell, `<` reads a file.
    may_turn = language == "bash" or operands(old) == operands(new) or _is_negated(old, new)
    if not may_turn and _turns(before, after) and _is_in_order(old, new):
        return "an operator in a changed place is reversed"
    return ""


def _turns(before: Counter[bytes], after: Counter[bytes]) -> bool:
    """Return whether a comparison by size is new, or `and` and `or` were exchanged."""
    added, lost = after - before, before - after
    return any(
        sign in _ORDER or (sign in _LOGIC and not lost.keys().isdisjoint(_LOGIC - {sign}))
        for sign in added
    )


def _is_negated(old: Sequence[Token], new: Sequence[Token]) -> bool:
    """Return whether a negation was added or removed, as an operator, a word, or swapped
    branches."""
    first = next((each.text for each in old if each.text in (b"true", b"false")), b"")
    words = _NEGATING | {b"false"} if first == b"false" else _NEGATING
    return any(_count(old, word) != _count(new, word) for word in words)


def _is_in_order(old: Sequence[Token], new: Sequence[Token]) -> bool:
    """Return whether the remaining operands kept their order."""
    known = [each for each in operands(old) if each not in _FRAME]
    left, names = iter(known), frozenset(known)
    return all(each in left for each in operands(new) if each in names)


def _make_strict(before: Counter[bytes], after: Counter[bytes]) -> None:
    """Count loose comparisons that became strict as strict ones in `before`."""
    for loose, strict in ((b"==", b"==="), (b"!=", b"!==")):
        made = min(before[loose] - after[loose], after[strict] - before[strict])
        if made > 0:
            before[loose] -= made
            before[strict] += made


def _count(tokens: Sequence[Token], word: bytes) -> int:
    return sum(each.text == word for each in tokens)


def operands(tokens: Sequence[Token]) -> list[bytes]:
    """Return names and constants in order. An empty string contributes its opening quote."""
    found = []
    for position, token in enumerate(tokens):
        is_empty = token.text in _QUOTES and [token.text] == [
            each.text for each in tokens[position + 1 : position + 2]
        ]
        if token.is_text or is_empty or _OPERAND.match(token.text):
            found.append(token.text)
    return found


def _signs(tokens: Sequence[Token]) -> Counter[bytes]:
    """Count the operators. `+=` and `++` count as `+`."""
    found: Counter[bytes] = Counter()
    for position, token in enumerate(tokens):
        if token.is_text or not _SIGN.fullmatch(token.text) or _means_nothing(tokens, position):
            continue
        bare = token.text.removesuffix(b"=")
        bare = bare[:1] if bare in (b"++", b"--") else bare
        found[bare if bare in _ARITHMETIC else token.text] += 1
    return found


def _means_nothing(tokens: Sequence[Token], position: int) -> bool:
    """Return whether a token is not an operator on numbers or conditions.

    Such tokens are a type mark, `||` before an empty object, a sign before 1 or `new`, or the slash
    of a regular expression.
    """
    token = tokens[position]
    before = tokens[position - 1] if position else None
    following = [each.text for each in tokens[position + 1 : position + 3]]
    if token.text == b"||":
        return following == [b"{", b"}"]
    if token.text == b"-" and following[:1] == [b"1"]:
        return before is None or before.text == b"length" or not _OPERAND.match(before.text)
    if token.text == b"+":
        return following[:1] == [b"new"]
    if token.text == b"/":
        return any(each.is_text for each in tokens[max(0, position - 1) : position + 2])
    return token.joint == "non_null_expression"


def _negations(signs: Counter[bytes]) -> int:
    turned = (b"!", b"||", *_UNEQUAL, *_WEAK)
    return sum(signs[sign] for sign in turned) % 2


def _directions(signs: Counter[bytes]) -> int:
    return sum(signs[sign] for sign in (*_WEAK, *_MORE)) % 2


def _strictness(signs: Counter[bytes]) -> int:
    return sum(signs[sign] for sign in _STRICT)
