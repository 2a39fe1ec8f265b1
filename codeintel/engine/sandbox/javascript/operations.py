"""Compare the operations of two programs: which ones does only one program use, and can examples
settle the difference?

An operation that only one program uses must be on a list. Others may be right, but no number of
calls shows it. Some operations on the list need values that are rare: these are the *families*,
for which probes count whether the calls met them.
"""

from __future__ import annotations

import re
from collections import Counter

NULL, NAN, ORDER, ZERO, TEXT, HOLE = "null", "nan", "order", "zero", "text", "hole"
"""Values that a test for null, a search, a comparison, a maximum, a conversion to text and
an iteration must meet."""
_RELATIONAL = frozenset(("<", "<=", ">", ">="))
_SETTLED_METHODS = frozenset(
    re.findall(
        r"\w+",
        """at concat entries every filter find findIndex flatMap forEach get has includes
        indexOf join keys map push reduce slice some startsWith endsWith substring values add
        set charAt""",
    )
)
_ITERATING = ("concat", "every", "filter", "flatMap", "forEach", "map", "reduce", "slice", "some")
_SETTLED_GLOBALS = frozenset(
    ("Math.max", "Math.min", "Array.isArray", "Object.keys", "Object.entries", "Object.values",
     "Object.hasOwn", "Object.prototype.hasOwnProperty.call", "Boolean")
)  # fmt: skip
_SETTLED_WORDS = frozenset(
    (
        *(
            "if",
            "ternary",
            "break",
            "continue",
            "for",
            "while",
            "do",
            "for-of",
            "switch",
            "template",
        ),
        *(
            "spread",
            "rest",
            "pattern",
            "default",
            "subscript",
            "&&",
            "||",
            "!",
            "===",
            "!==",
            "+",
            "-",
        ),
        *(
            "function",
            "arrow",
            "method",
            "object",
            "array",
            "+=",
            "-=",
            "=",
            "++",
            "--",
            "true",
            "false",
        ),
        *("null-test", "or-value", "and-value", "falsy-test", "chain", "<", "<=", ">", ">="),
        *("null", "undefined", "let", "const", "var", "new Set", "new Map", "class", "member-call"),
        "this in a method",
    )
)
_FAMILIES = {
    **dict.fromkeys(("null-test", "or-value", "and-value", "falsy-test", "chain"), NULL),
    **dict.fromkeys(("method:includes", "method:indexOf", "method:has", "method:get"), NAN),
    **dict.fromkeys(("new Set", "new Map"), NAN),
    **dict.fromkeys(_RELATIONAL, ORDER),
    **dict.fromkeys(("call:Math.max", "call:Math.min"), ZERO),
    "template": TEXT,
    **dict.fromkeys(("for", "for-of", "spread"), HOLE),
    **dict.fromkeys((f"method:{each}" for each in _ITERATING), HOLE),
}
_SMALL = frozenset(
    ("number:0", "number:1", "number:-1", 'string:""', "property:length", "property:size")
)
_VISIBLE = frozenset(("number", "string", "property"))
_TITLES = {
    "number": "the number",
    "string": "the string",
    "property": "the property",
    "method": "the method",
    "call": "the function",
}


def compared(before: Counter[str], after: Counter[str]) -> tuple[list[str], set[str]]:
    """Return the operations that examples do not settle, and the families of those that they do."""
    unsettled, families = [], set()
    for token in sorted(before.keys() | after.keys()):
        one, other = before[token], after[token]
        if one == other:
            continue
        sort = token.partition(":")[0]
        is_gone = one == 0 or other == 0
        is_unknown = token not in _SMALL if sort in _VISIBLE else not is_settled(token)
        if is_unknown and (is_gone or sort not in _VISIBLE):
            unsettled.append(_named(token))
        if token in _FAMILIES:
            families.add(_FAMILIES[token])
    return unsettled, families


def is_settled(token: str) -> bool:
    """Return whether examples settle a difference in the number of some operations.

    Constants and properties are visible where they are evaluated.
    """
    sort, _, rest = token.partition(":")
    if sort in _VISIBLE:
        return True
    if sort == "method":
        return rest in _SETTLED_METHODS
    if sort == "call":
        return rest in _SETTLED_GLOBALS
    return sort != "regex" and token in _SETTLED_WORDS


def _named(token: str) -> str:
    sort, _, rest = token.partition(":")
    if sort == "regex":
        return "a regular expression"
    title = _TITLES.get(sort)
    return f"{title} {_short(rest)}" if title is not None else _short(token)


def _short(text: str) -> str:
    """Return a text that may appear in a sentence: it comes from the program."""
    return f"`{text}`" if re.fullmatch(r"[\w .+\-*/%!?=<>&|^~$]{1,40}", text) else "another one"
