"""Read the types that the code declares, and know those that functions of the language return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from codeintel_plugins.transformations.web.trees import listed, text

RuntimeTypes = frozenset[str]
"""`string`, `number`, `bigint`, `boolean`, `undefined`, `null`, `array`, `map`, `set`, `regexp`,
`function` and `object`: one of these it is."""
NUMBER: RuntimeTypes = frozenset({"number"})
STRING: RuntimeTypes = frozenset({"string"})
BIG: RuntimeTypes = frozenset({"bigint"})
BOOLEAN: RuntimeTypes = frozenset({"boolean"})
ARRAY: RuntimeTypes = frozenset({"array"})
MAP: RuntimeTypes = frozenset({"map"})
SET: RuntimeTypes = frozenset({"set"})
UNDEFINED: RuntimeTypes = frozenset({"undefined"})
NULL: RuntimeTypes = frozenset({"null"})
PRIMITIVE: RuntimeTypes = NUMBER | BIG | STRING | BOOLEAN | UNDEFINED | NULL
NOTHING: RuntimeTypes = UNDEFINED | NULL
_PLAIN: Mapping[str, RuntimeTypes] = {
    "number": NUMBER,
    "string": STRING,
    "bigint": BIG,
    "undefined": UNDEFINED,
    "null": NULL,
}  # not `boolean`: wrong values show at run time only
_COLLECTIONS: Mapping[str, RuntimeTypes] = {
    "Array": ARRAY,
    "ReadonlyArray": ARRAY,
    "Map": MAP,
    "ReadonlyMap": MAP,
    "Set": SET,
    "ReadonlySet": SET,
    "RegExp": frozenset({"regexp"}),
}
_LITERALS: Mapping[str, RuntimeTypes] = {
    "string": STRING,
    "template_string": STRING,
    "number": NUMBER,
    "null": NULL,
    "undefined": UNDEFINED,
}
_MAX_DEPTH = 8
SAME_ELEMENTS = listed("slice filter sort reverse concat")
"""Methods of arrays that return an array of what was in it, if added ones have the same type."""
TAKING = listed("pop shift find findLast at")
"""Methods of arrays that return an element or nothing."""
ABOUT_ELEMENTS = listed(
    "filter map forEach some every find findIndex findLast findLastIndex flatMap"
)
"""Methods of arrays that call a function with an element and its index."""
OF_FUNCTIONS: Mapping[str, RuntimeTypes] = {
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
OF_CONSTRUCTORS: Mapping[str, RuntimeTypes] = {
    "Map": frozenset({"map"}),
    "Set": frozenset({"set"}),
    "Array": ARRAY,
    "RegExp": frozenset({"regexp"}),
}


class Declared:
    """Reads types. `aliases` are the names that the code declares with `type` once."""

    def __init__(self, aliases: Mapping[str, Node], shadowed: frozenset[str]) -> None:
        self._aliases = aliases
        self._shadowed = shadowed

    def runtime_types(self, type_: Node | None, depth: int = 0) -> RuntimeTypes | None:
        """Return the possible kinds of a value of the type, or None if uncertain."""
        type_ = self._plain(type_, depth)
        if type_ is None or depth > _MAX_DEPTH:
            return None
        kind = type_.type
        if kind in ("predefined_type", "undefined", "null"):
            return _PLAIN.get(text(type_))
        if kind == "literal_type":
            return _LITERALS.get(type_.named_children[0].type) if type_.named_children else None
        if kind in ("array_type", "tuple_type"):
            return ARRAY
        if kind == "function_type":
            return frozenset({"function"})
        if kind in ("generic_type", "type_identifier"):
            name = type_.child_by_field_name("name") if kind == "generic_type" else type_
            return None if text(name) in self._shadowed else _COLLECTIONS.get(text(name))
        if kind == "union_type":
            parts = [self.runtime_types(each, depth + 1) for each in type_.named_children]
            known = [each for each in parts if each is not None]
            return frozenset().union(*known) if len(known) == len(parts) else None
        return None

    def elements(self, type_: Node | None, at: int = 0) -> Node | None:
        """The type of what is in an array or a set, of keys (0) or values (1) of a map."""
        type_ = self._plain(type_)
        if type_ is None:
            return None
        if type_.type == "array_type":
            return type_.named_children[0] if at == 0 else None
        if type_.type != "generic_type" or self.runtime_types(type_) is None:
            return None
        given = type_.child_by_field_name("type_arguments")
        parts = given.named_children if given is not None else []
        return parts[at] if at < len(parts) else None

    def _plain(self, type_: Node | None, depth: int = 0) -> Node | None:
        """Return a type without annotation, parentheses, `readonly`, and by what a name stands
        for."""
        for _ in range(_MAX_DEPTH - depth):
            if type_ is None:
                return None
            if type_.type in ("type_annotation", "parenthesized_type", "readonly_type"):
                type_ = type_.named_children[-1] if type_.named_children else None
            elif type_.type == "type_identifier" and text(type_) in self._aliases:
                type_ = self._aliases[text(type_)]
            else:
                return type_
        return None


def declared_types(nodes: Mapping[str, list[Node]]) -> Declared:
    """Return the types that the code declares."""
    aliases: dict[str, Node] = {}
    for node in nodes.get("type_alias_declaration", ()):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if value is not None and node.child_by_field_name("type_parameters") is None:
            aliases[text(name)] = value
    names = [text(node.child_by_field_name("name")) for node in _named(nodes)]
    once = {name: value for name, value in aliases.items() if names.count(name) == 1}
    return Declared(once, frozenset(names) - once.keys())


def _named(nodes: Mapping[str, list[Node]]) -> Iterator[Node]:
    for kind in (
        *("type_alias_declaration", "interface_declaration", "enum_declaration"),
        *("class_declaration", "abstract_class_declaration", "type_parameter"),
        *("internal_module", "import_specifier"),
    ):
        yield from nodes.get(kind, ())


def _table(**rows: tuple[RuntimeTypes, str]) -> dict[str, RuntimeTypes]:
    return {name: types for types, names in rows.values() for name in listed(names)}


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
OF_METHODS: Mapping[str, Mapping[str, RuntimeTypes]] = {
    "string": _OF_STRINGS,
    "array": _OF_ARRAYS,
    "number": _table(strings=(STRING, "toFixed toString toPrecision toExponential")),
    "bigint": _table(strings=(STRING, "toString toFixed toPrecision")),  # the last two fail
    "map": _table(booleans=(BOOLEAN, "has delete"), nothing=(UNDEFINED, "clear forEach")),
    "set": _table(booleans=(BOOLEAN, "has delete"), nothing=(UNDEFINED, "clear forEach")),
    "regexp": _table(booleans=(BOOLEAN, "test")),
}
"""By receiver and name."""
OF_STATICS: Mapping[str, Mapping[str, RuntimeTypes]] = {
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
