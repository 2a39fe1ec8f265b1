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
_SMALL = frozenset(("number:0", "number:1", "number:-1", 'string:""'))


def compared(before: Counter[str], after: Counter[str]) -> tuple[list[str], set[str]]:
    """Return the operations that examples do not settle, and the families of those that they do."""
    unsettled, families = [], set()
    for token in sorted(before.keys() | after.keys()):
        one, other = before[token], after[token]
        if one == other:
            continue
        sort, _, rest = token.partition(":")
        if sort in ("number", "string"):
            if (one == 0 or other == 0) and token not in _SMALL:
                unsettled.append(_named(sort, rest))
        elif sort == "property":
            if (one == 0 or other == 0) and rest not in ("length", "size"):
                unsettled.append(f"the property {_short(rest)}")
        elif sort == "method":
            if rest not in _SETTLED_METHODS:
                unsettled.append(f"the method {_short(rest)}")
        elif sort == "call":
            if rest not in _SETTLED_GLOBALS:
                unsettled.append(f"the function {_short(rest)}")
        elif sort == "regex":
            unsettled.append("a regular expression")
        elif token not in _SETTLED_WORDS:
            unsettled.append(_short(token))
        if token in _FAMILIES:
            families.add(_FAMILIES[token])
    return unsettled, families


def _named(sort: str, rest: str) -> str:
    return f"the {sort} {_short(rest)}"


def _short(text: str) -> str:
    """Return a text that may appear in a sentence: it comes from the program."""
    return f"`{text}`" if re.fullmatch(r"[\w .+\-*/%!?=<>&|^~$]{1,40}", text) else "another one"
