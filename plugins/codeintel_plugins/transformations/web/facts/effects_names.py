"""Functions and methods by what they may change."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from codeintel_plugins.transformations.web.trees import child_of, listed, text

MEMBERS = frozenset({"member_expression", "subscript_expression"})
FUNCTIONS = (
    *("String", "Number", "Boolean", "BigInt", "Symbol", "parseInt", "parseFloat", "isNaN"),
    *("isFinite", "Array", "Error", "encodeURIComponent", "decodeURIComponent"),
)
CONSTRUCTORS = (
    *("Array", "Map", "Set", "WeakMap", "WeakSet", "Date", "RegExp", "Error", "TypeError"),
    *("RangeError", "SyntaxError", "Int32Array", "Uint8Array", "Float64Array"),
)
STATICS: Mapping[str, frozenset[str]] = {
    "Math": frozenset(),
    "console": frozenset(),
    "Number": listed("isInteger isNaN isFinite isSafeInteger parseInt parseFloat"),
    "String": listed("fromCharCode fromCodePoint"),
    "Array": listed("isArray from of"),
    "Object": listed("keys values entries fromEntries hasOwn is"),
    "Date": listed("now"),
}
HARMLESS = listed(
    """
    at charAt charCodeAt codePointAt concat endsWith entries every filter find findIndex findLast
    findLastIndex flat flatMap forEach get has includes indexOf join keys lastIndexOf
    localeCompare map match matchAll normalize padEnd padStart reduce reduceRight repeat replace
    replaceAll search slice some split startsWith substr substring test toExponential toFixed
    toLowerCase toPrecision toString toUpperCase trim trimEnd trimStart values getTime getDate
    getDay getFullYear getHours getMinutes getMonth getSeconds toISOString hasOwnProperty
    """
)
"""Methods that change nothing themselves."""
CHANGING = listed("push pop shift unshift splice sort reverse fill add delete set clear copyWithin")
"""Methods that change what they are called on, and nothing else."""
CALLING = listed(
    """
    every filter find findIndex findLast findLastIndex flatMap forEach from map reduce reduceRight
    replace replaceAll some sort
    """
)
"""Methods that call what they are given."""
_CONVERTING = frozenset({"toString", "valueOf", "toJSON", "[Symbol.toPrimitive]"})
_TRICKS = frozenset({"Proxy", "Reflect"})
_DEFINING = frozenset(
    {"defineProperty", "defineProperties", "__defineGetter__", "setPrototypeOf", "species"}
)


def defined(nodes: Mapping[str, list[Node]]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of accessors, and those of all methods and functions that are properties."""
    accessors: set[str] = set()
    methods: set[str] = set()
    for node in nodes.get("method_definition", ()):
        name = text(node.child_by_field_name("name"))
        (accessors if child_of(node, "get", "set") is not None else methods).add(name)
    for node in nodes.get("pair", ()):
        methods.add(text(node.child_by_field_name("key")).strip("'\""))
    for node in (*nodes.get("public_field_definition", ()), *nodes.get("field_definition", ())):
        methods.add(text(node.child_by_field_name("name") or node.child_by_field_name("property")))
    for node in nodes.get("assignment_expression", ()):
        left = node.child_by_field_name("left")
        if left is not None and left.type == "member_expression":
            methods.add(text(left.child_by_field_name("property")))
    return frozenset(accessors), frozenset(methods)


def is_tricky(nodes: Mapping[str, list[Node]], methods: frozenset[str]) -> bool:
    """Whether plain reading or adding might run code of the program."""
    if _CONVERTING & methods:
        return True
    if any(text(node) in _TRICKS for node in nodes.get("identifier", ())):
        return True
    return any(text(node) in _DEFINING for node in nodes.get("property_identifier", ()))
