"""List the words and constants that rules may insert into a changed place or remove from it.

They belong to the language or to library members whose effect is known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from codeintel.engine.equivalence.local_edits.runs import Token

_NUMBER = re.compile(r"\.?\d[\w.']*")
_MARKS = re.compile(r"""[\\"'`\0]""")
_ESCAPE = re.compile(rb"\\u00([0-9a-fA-F]{2})")
_SCRIPTS = frozenset({"javascript", "typescript"})
_SMALL = frozenset({"0", "1", "2"})
"""Numbers that rules insert and remove for the first, the last and nothing."""
_RADIX = frozenset({"8", "10", "16"})


def text_of(tokens: Sequence[Token]) -> bytes:
    """Return all strings among the tokens, separated by null bytes."""
    return b"\0".join(_ESCAPE.sub(rb"\\x\1", each.text) for each in tokens if each.is_text)


def other_numbers(old: Sequence[Token], new: Sequence[Token], language: str) -> str:
    """Describe a number that is new or missing, or return an empty string."""
    before, after = _numbers(old, language), _numbers(new, language)
    added = after - before - _SMALL
    if added and added - _told(text_of(old).decode(errors="replace")):
        return "a changed place has a new number"
    written = set(_NUMBER.findall(text_of(new).decode(errors="replace")))
    if before - after - _SMALL - _RADIX - written:
        return "a changed place lost a number"
    return ""


def _told(text: str) -> set[str]:
    """Return the numbers that digits in the string represent in some base."""
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
    """Normalize the spelling of a number. Only JavaScript treats 1.0 and 1 as equal."""
    plain = text.replace("_", "").replace("'", "").lower()
    is_web = language in _SCRIPTS
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
    """Describe strings with new or lost content, or return an empty string.

    Strings can become names and the reverse, and several strings can become one.

    :param around: the new tokens with context, because duplicates can be merged.
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
        return "a changed place has a new string"
    new_signs = "::" if in_texts(language) else ""
    if its_signs - signs - Counter(f"{new_signs}{{}}" if spaces else new_signs):
        return "a string in a changed place has a new symbol"
    left = _code(around)
    lost = _words(before) - _words(left) - out_of_texts(language)
    if any(word not in other.lower() and not _is_digit_of(word, left) for word in lost):
        return "a changed place lost a string"
    gone = set(signs) - set(_signs(left))
    if _listed(before) == _listed(after):
        gone = set(signs - its_signs)
    if gone - signs_out_of_texts(language):
        return "a string in a changed place lost a symbol"
    return ""


def _is_digit_of(word: str, code: str) -> bool:
    """Return whether a word is a number from a string, such as the 0 in `{0}`, or a part of one."""
    return word.isdigit() and (len(word) == 1 or any(word in each for each in _words(code)))


def _code(tokens: Sequence[Token]) -> str:
    return b"\0".join(each.text for each in tokens).decode(errors="replace")


def _listed(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _listed(text)}


def _signs(text: str) -> Counter[str]:
    return Counter(re.findall(r"\W", _MARKS.sub("", text)))


_WEB = """const let new as readonly undefined null true false if else return in of async Number
    Object includes hasOwn some every find findLast flatMap startsWith endsWith trimStart trimEnd
    slice replaceAll at size now isNaN isFinite parseInt parseFloat NaN POSITIVE_INFINITY
    NEGATIVE_INFINITY substring test"""
_WEB_DROPPED = """Array BigInt Boolean Date Number Object String RegExp apply assign call charAt
    concat filter flat from return getTime indexOf isFinite isNaN lastIndexOf map parseFloat
    parseInt pow replace substr substring test trimLeft trimRight valueOf search match has
    hasOwnProperty function if"""
_INTRODUCED = {
    "bash": "grep E F local",
    "c": "void bool _Bool memset memmove strchr strrchr __func__ true false NULL if return else",
    "cpp": """auto using nullptr override noexcept empty static_cast unique_ptr true false bool if
        return else""",
    "csharp": """Any Invoke IsNullOrEmpty nameof var string is not null true false out bool if
        return else object int long float double decimal""",
    "go": """any os io Contains ContainsRune ReplaceAll Since Until Equal MkdirTemp CreateTemp
        ReadFile WriteFile ReadAll ReadDir Discard NopCloser Errorf fmt range true false bool if
        return""",
    "java": "isEmpty StringBuilder parseInt parseLong parseDouble var true false boolean if return",
    "javascript": _WEB,
    "php": """null count implode int float bool string array is_int is_float __DIR__ public rtrim
        str_contains str_starts_with str_ends_with true false if return""",
    "ruby": "attr_reader unless if not and lambda raise exist w i nil true false",
    "rust": """dyn if else let loop is_empty MAX MIN INFINITY NEG_INFINITY NAN EPSILON true false
        bool""",
    "typescript": _WEB,
}
_DROPPED = {
    "bash": "cat echo expr function test",
    "c": "bcopy bzero if index rindex strlen memset free while for return sizeof",
    "cpp": "if length size throw auto_ptr while for sizeof",
    "csharp": "Count Format if string IsNullOrEmpty Equals while for",
    "go": """Compare Index Count New Now Sub Replace Sprintf TempDir TempFile len ReadFile WriteFile
        ReadAll ReadDir NopCloser if for""",
    "java": """Runnable Callable Comparator StringBuffer apply accept test call compare equals get
        if intValue length longValue doubleValue run size valueOf while for""",
    "javascript": _WEB_DROPPED,
    "php": """array boolval chop dirname floatval if intval is_double is_integer is_long is_null
        isset join list pow sizeof strpos strval strncmp substr strlen doubleval strstr""",
    "ruby": "lambda proc new",
    "rust": "Err Ok Some len max_value min_value try",
    "typescript": _WEB_DROPPED,
}
_TEXTS = {"javascript": "node", "typescript": "node", "go": "os io"}
_OUT_OF_TEXTS = {
    "javascript": "undefined g",
    "typescript": "undefined g",
    "go": "errors io ioutil fmt bytes strings",
    "csharp": "s",
}
_SIGNS_OUT_OF_TEXTS = {"javascript": "^$", "typescript": "^$", "go": "/", "csharp": "{}"}
LANGUAGES = frozenset(_INTRODUCED)
"""Languages without significant indentation for which the words that rules insert are known."""


def introduced(language: str) -> frozenset[bytes]:
    """Return the words that may be new in a place."""
    return frozenset(_INTRODUCED[language].encode().split())


def dropped(language: str) -> frozenset[bytes]:
    """Return the names whose calls may vanish from a place."""
    return frozenset(_DROPPED[language].encode().split())


def in_texts(language: str) -> frozenset[str]:
    """Return the words that may be new in a string, such as parts of module names."""
    return frozenset(_TEXTS.get(language, "").split())


def out_of_texts(language: str) -> frozenset[str]:
    """Return the words that may vanish from the strings of a place."""
    return frozenset(_OUT_OF_TEXTS.get(language, "").split())


def signs_out_of_texts(language: str) -> frozenset[str]:
    """Return the symbols that may vanish from the strings of a place."""
    return frozenset(_SIGNS_OUT_OF_TEXTS.get(language, ""))
