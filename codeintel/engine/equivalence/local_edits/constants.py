"""The constants in a changed place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from codeintel.engine.equivalence.local_edits.tokens import Token
from codeintel.engine.equivalence.local_edits.words import (
    in_texts,
    out_of_texts,
    signs_out_of_texts,
)

_NUMBER = re.compile(r"\.?\d[\w.']*")
_MARKS = re.compile(r"""[\\"'`\0]""")
_ESCAPE = re.compile(rb"\\u00([0-9a-fA-F]{2})")
_WEB = frozenset({"javascript", "typescript"})
_SMALL = frozenset({"0", "1", "2"})
"""They stand for the first, the last and nothing in what rules put in and take out."""
_RADIX = frozenset({"8", "10", "16"})


def text_of(tokens: Sequence[Token]) -> bytes:
    """All texts among the tokens, with a null between them."""
    return b"\0".join(_ESCAPE.sub(rb"\\x\1", each.text) for each in tokens if each.is_text)


def other_numbers(old: Sequence[Token], new: Sequence[Token], language: str) -> str:
    """Whether there is a number that was not, or one that was is missing; empty for neither."""
    before, after = _numbers(old, language), _numbers(new, language)
    added = after - before - _SMALL
    if added and added - _told(text_of(old).decode(errors="replace")):
        return "a number is new in the place of a change"
    written = set(_NUMBER.findall(text_of(new).decode(errors="replace")))
    if before - after - _SMALL - _RADIX - written:
        return "a number is gone in the place of a change"
    return ""


def _told(text: str) -> set[str]:
    """The numbers that the text says in some base."""
    return {
        str(int(digits, base))
        for digits in re.findall(r"[0-9a-fA-F]{1,64}", text)
        for base in (2, 8, 10, 16)
        if _has_base(digits, base)
    }


def _numbers(tokens: Sequence[Token], language: str) -> set[str]:
    texts = (each.text.decode(errors="replace") for each in tokens if not each.is_text)
    return {_canonical(text, language) for text in texts if _NUMBER.fullmatch(text)}


def _canonical(text: str, language: str) -> str:
    """A number, however it is written. Only for JavaScript 1.0 and 1 are the same."""
    plain = text.replace("_", "").replace("'", "").lower()
    is_web = language in _WEB
    try:
        return str(int(plain.removesuffix("n") if is_web else plain, 0))
    except ValueError:
        pass
    is_decimal = is_web and re.fullmatch(r"\d*\.\d*", plain) is not None
    return plain.rstrip("0").removesuffix(".") if is_decimal else plain


def _has_base(digits: str, base: int) -> bool:
    try:
        int(digits, base)
    except ValueError:
        return False
    return True


def other_texts(
    old: Sequence[Token], new: Sequence[Token], around: Sequence[Token], language: str
) -> str:
    """Whether the texts hold what was not there, or not any more what was; empty if not. A text
    may have become a name, or a name a text, and several may be one.

    :param around: the new tokens with some at both sides: what was there twice may be there once.
    """
    before = text_of(old).decode(errors="replace").replace("use strict", "")
    after = text_of(new).decode(errors="replace").replace("use strict", "")
    one, other = _MARKS.sub("", before), _MARKS.sub("", after)
    if one == other:
        return ""
    signs, its_signs = _signs(before), _signs(after)
    spaces = {str(len(run)) for run in re.findall(" {2,}", before)}
    added = _words(after) - _words(_code(old)) - in_texts(language) - _SMALL - spaces
    if any(word not in one.lower() for word in added):
        return "a text is new in the place of a change"
    new_signs = "::" if in_texts(language) else ""
    if its_signs - signs - Counter(f"{new_signs}{{}}" if spaces else new_signs):
        return "a sign in a text is new in the place of a change"
    left = _code(around)
    lost = _words(before) - _words(left) - out_of_texts(language)
    if any(word not in other.lower() and not _is_digit_of(word, left) for word in lost):
        return "a text is gone in the place of a change"
    gone = set(signs) - set(_signs(left))
    if _listed(before) == _listed(after):
        gone = set(signs - its_signs)
    if gone - signs_out_of_texts(language):
        return "a sign in a text is gone in the place of a change"
    return ""


def _is_digit_of(word: str, code: str) -> bool:
    """Whether it is a number that was in a text, such as the 0 in {0} or the digits of a number."""
    return word.isdigit() and (len(word) == 1 or any(word in each for each in _words(code)))


def _code(tokens: Sequence[Token]) -> str:
    return b"\0".join(each.text for each in tokens).decode(errors="replace")


def _listed(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _listed(text)}


def _signs(text: str) -> Counter[str]:
    return Counter(re.findall(r"\W", _MARKS.sub("", text)))
