"""What the methods and functions of the language return."""

from __future__ import annotations

from collections.abc import Mapping

from codeintel_plugins.transformations.web.trees import listed
from codeintel_plugins.transformations.web.type_inference.declared import (
    ARRAY,
    BIG,
    BOOLEAN,
    NULL,
    NUMBER,
    STRING,
    UNDEFINED,
    Sorts,
)


def _table(**rows: tuple[Sorts, str]) -> dict[str, Sorts]:
    return {name: sorts for sorts, names in rows.values() for name in listed(names)}


_OF_STRINGS = _table(
    strings=(
        STRING,
        """trim trimStart trimEnd toUpperCase toLowerCase charAt padStart padEnd repeat substring
        substr slice replace replaceAll concat normalize toString toLocaleLowerCase
        toLocaleUpperCase valueOf""",
    ),
    numbers=(NUMBER, "indexOf lastIndexOf charCodeAt search localeCompare"),
    booleans=(BOOLEAN, "includes startsWith endsWith"),
    arrays=(ARRAY, "split"),
    maybe_numbers=(NUMBER | UNDEFINED, "codePointAt"),
    maybe_strings=(STRING | UNDEFINED, "at"),
    maybe_arrays=(ARRAY | NULL, "match"),
)
_OF_ARRAYS = _table(
    arrays=(ARRAY, "slice map filter concat flat flatMap sort reverse fill splice"),
    strings=(STRING, "join"),
    numbers=(NUMBER, "indexOf lastIndexOf findIndex findLastIndex push unshift"),
    booleans=(BOOLEAN, "includes some every"),
    nothing=(UNDEFINED, "forEach"),
)
METHODS: Mapping[str, Mapping[str, Sorts]] = {
    "string": _OF_STRINGS,
    "array": _OF_ARRAYS,
    "number": _table(strings=(STRING, "toFixed toString toPrecision toExponential")),
    "bigint": _table(strings=(STRING, "toString toFixed toPrecision")),  # the last two fail
    "map": _table(booleans=(BOOLEAN, "has delete"), nothing=(UNDEFINED, "clear forEach")),
    "set": _table(booleans=(BOOLEAN, "has delete"), nothing=(UNDEFINED, "clear forEach")),
    "regexp": _table(booleans=(BOOLEAN, "test")),
}
"""By what it is called on and by its name."""
SAME_ELEMENTS = listed("slice filter sort reverse concat")
"""Methods of arrays that return an array of what was in it, if what is added is of that sort."""
TAKING = listed("pop shift find findLast at")
"""Methods of arrays that return an element or nothing."""
ABOUT_ELEMENTS = listed(
    "filter map forEach some every find findIndex findLast findLastIndex flatMap"
)
"""Methods of arrays that call a function with an element and its index."""
FUNCTIONS: Mapping[str, Sorts] = {
    "String": STRING,
    "Number": NUMBER,
    "Boolean": BOOLEAN,
    "parseInt": NUMBER,
    "parseFloat": NUMBER,
    "isNaN": BOOLEAN,
    "isFinite": BOOLEAN,
    "BigInt": BIG,
    "encodeURIComponent": STRING,
    "decodeURIComponent": STRING,
}
STATICS: Mapping[str, Mapping[str, Sorts]] = {
    "Number": {
        **_table(
            booleans=(BOOLEAN, "isInteger isNaN isFinite isSafeInteger"),
            numbers=(NUMBER, "parseInt parseFloat"),
        )
    },
    "Array": _table(booleans=(BOOLEAN, "isArray"), arrays=(ARRAY, "from of")),
    "Object": _table(arrays=(ARRAY, "keys values entries"), booleans=(BOOLEAN, "hasOwn")),
    "String": _table(strings=(STRING, "fromCharCode fromCodePoint")),
    "Date": _table(numbers=(NUMBER, "now")),
}
CONSTRUCTORS: Mapping[str, Sorts] = {
    "Map": frozenset({"map"}),
    "Set": frozenset({"set"}),
    "Array": ARRAY,
    "RegExp": frozenset({"regexp"}),
}
