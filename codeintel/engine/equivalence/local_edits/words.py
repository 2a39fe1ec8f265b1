"""Which words rules may put into the places that they change, and which calls they may take out:
those of the language itself, and of its library where what they do is known."""

from __future__ import annotations

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
"""Those in which indentation means nothing, and for which it is known what rules may put in."""


def introduced(language: str) -> frozenset[bytes]:
    """Words that may be new in a place."""
    return frozenset(_INTRODUCED[language].encode().split())


def dropped(language: str) -> frozenset[bytes]:
    """Names of what was called in a place and need not be any more."""
    return frozenset(_DROPPED[language].encode().split())


def in_texts(language: str) -> frozenset[str]:
    """Words that may be new in the texts of a place: parts of the names of modules."""
    return frozenset(_TEXTS.get(language, "").split())


def out_of_texts(language: str) -> frozenset[str]:
    """Words that need not be in the texts of a place any more."""
    return frozenset(_OUT_OF_TEXTS.get(language, "").split())


def signs_out_of_texts(language: str) -> frozenset[str]:
    """Signs that need not be in the texts of a place any more."""
    return frozenset(_SIGNS_OUT_OF_TEXTS.get(language, ""))
