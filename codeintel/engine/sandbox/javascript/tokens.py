"""Name the operations in a program: operators, calls, properties, constants and statements."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

from tree_sitter import Node

from codeintel.engine.sandbox.javascript.source import FUNCTIONS, Program, text_of, walk

_CONDITIONS = frozenset(
    ("if_statement", "while_statement", "do_statement", "for_statement", "ternary_expression")
)
_LOOPS = frozenset(("for_statement", "for_in_statement", "while_statement", "do_statement"))
BUILT_IN = frozenset(
    re.findall(
        r"\w+",
        """apply bind call at concat copyWithin fill find findIndex findLast findLastIndex flat
        flatMap includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse
        shift slice some sort splice toReversed toSorted toSpliced toLocaleString toString
        unshift values with entries every filter forEach charAt charCodeAt codePointAt endsWith
        localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search
        split startsWith substr substring toLowerCase toLocaleLowerCase toUpperCase
        toLocaleUpperCase trim trimEnd trimStart get set has delete add clear then catch finally
        toFixed toPrecision toISOString getTime setTime valueOf getTimezoneOffset getDate
        setDate getDay getMonth setMonth getFullYear setFullYear getHours setHours getUTCDate
        getUTCMonth getUTCFullYear getUTCHours getMinutes getSeconds test exec next return throw
        hasOwnProperty isPrototypeOf propertyIsEnumerable toJSON size""",
    )
)
_GLOBAL_OWNERS = frozenset(
    re.findall(
        r"\w+",
        """Math Object Array Number String JSON Promise Reflect Symbol BigInt Date console Map Set
        RegExp Error Intl""",
    )
)
_WORDS = {
    "if_statement": "if",
    "ternary_expression": "ternary",
    "break_statement": "break",
    "continue_statement": "continue",
    "for_statement": "for",
    "while_statement": "while",
    "do_statement": "do",
    "switch_statement": "switch",
    "template_substitution": "template",
    "rest_pattern": "rest",
    "spread_element": "spread",
    "object_pattern": "pattern",
    "array_pattern": "pattern",
    "assignment_pattern": "default",
    "object_assignment_pattern": "default",
    "subscript_expression": "subscript",
    "function_declaration": "function",
    "function_expression": "function",
    "arrow_function": "arrow",
    "object": "object",
    "array": "array",
    "optional_chain": "chain",
    "await_expression": "await",
    "yield_expression": "yield",
    "try_statement": "try",
    "catch_clause": "catch",
    "finally_clause": "finally",
    "throw_statement": "throw",
    "labeled_statement": "label",
    "sequence_expression": "comma",
    "class_declaration": "class",
    "class": "class",
    "class_heritage": "extends",
    "field_definition": "field",
    "super": "super",
    "async": "async",
    "generator_function": "generator",
    "generator_function_declaration": "generator",
    "undefined": "undefined",
    "null": "null",
    "true": "true",
    "false": "false",
    "assignment_expression": "=",
    "debugger_statement": "debugger",
    "with_statement": "with",
    "import": "import",
    "meta_property": "meta",
    "computed_property_name": "computed key",
    "get": "getter",
    "set": "setter",
    "static": "static",
}


def operations(program: Program, names: Iterable[str]) -> Counter[str]:
    """Count the operations in some units of a program."""
    found: Counter[str] = Counter()
    for name in names:
        unit = program.units.get(name)
        for node in unit.nodes if unit is not None else ():
            for each in walk(node):
                found.update(named(each, program))
    return found


def named(node: Node, program: Program) -> list[str]:
    """Return the operations that a node stands for, without its parts."""
    kind = node.type
    if kind in ("binary_expression", "unary_expression", "update_expression"):
        return _of_operator(node)
    if kind == "augmented_assignment_expression":
        return [text_of(node.child_by_field_name("operator"))]
    if kind == "for_in_statement":
        is_async = any(each.type == "await" for each in node.children)
        return [f"for-{'await' if is_async else text_of(node.child_by_field_name('operator'))}"]
    if kind == "number":
        return [f"number:{number_of(node)}"]
    if kind == "string":
        return ['string:""' if len(text_of(node)) == 2 else f"string:{text_of(node)[1:-1]}"]
    if (
        kind == "string_fragment"
        and node.parent is not None
        and node.parent.type == "template_string"
    ):
        return [f"string:{text_of(node)}"]
    if kind == "regex":
        return [f"regex:{text_of(node)}@{'function' if function_around(node) else 'module'}"]
    if kind == "new_expression":
        return [f"new {text_of(node.child_by_field_name('constructor'))}"]
    if kind == "call_expression":
        tried = [f"in try, {_callee(node)}"] if _is_tried(node) else []
        return [*_of_call(node, program), *tried]
    if kind == "spread_element" and node.parent is not None and node.parent.type == "arguments":
        return ["spread in a call"]  # fails for very many arguments
    if kind == "pair":
        key = node.child_by_field_name("key")
        return [f"property:{text_of(key)}"] if key and key.type == "property_identifier" else []
    if kind == "member_expression":
        return _of_member(node)
    if kind in ("this", "identifier", "shorthand_property_identifier"):
        return _of_name(node)
    if kind in ("shorthand_property_identifier_pattern", "pair_pattern"):
        key = node.child_by_field_name("key") if kind == "pair_pattern" else node
        return [f"property:{text_of(key)}"]
    if kind in ("lexical_declaration", "variable_declaration"):
        return [_declaration(node)]
    word = _WORDS.get(kind)
    return [word] if word is not None else []


def _of_operator(node: Node) -> list[str]:
    operator = text_of(node.child_by_field_name("operator"))
    if node.type == "unary_expression":
        argument = node.child_by_field_name("argument")
        if operator == "-" and argument is not None and argument.type == "number":
            return []  # a negative number
        return [operator if operator == "!" else f"unary {operator}"]
    right = node.child_by_field_name("right")
    left = node.child_by_field_name("left")
    if operator in ("==", "!="):
        is_null = "null" in (text_of(left), text_of(right)) or "undefined" in (
            text_of(left),
            text_of(right),
        )
        return ["null-test"] if is_null else [operator]
    if operator == "??":
        return ["null-test"]
    if operator in ("===", "!=="):
        texts = {text_of(left), text_of(right)}
        if texts & {"null", "undefined"}:
            return ["null-test"]
        return ["falsy-test"] if texts & {"0", "''", '""', "false"} else ["==="]
    if operator in ("||", "&&") and not is_condition(node):
        return ["or-value" if operator == "||" else "and-value"]
    return [operator]


def is_condition(node: Node) -> bool:
    """Return whether only the truth of an expression counts."""
    outer = node.parent
    while outer is not None and outer.type in ("parenthesized_expression", "binary_expression"):
        if outer.type == "binary_expression" and text_of(
            outer.child_by_field_name("operator")
        ) not in ("||", "&&"):
            return False
        node, outer = outer, outer.parent
    if outer is None:
        return False
    if outer.type == "unary_expression":
        return text_of(outer.child_by_field_name("operator")) == "!"
    return outer.type in _CONDITIONS and outer.child_by_field_name("condition") == node


def _of_call(node: Node, program: Program) -> list[str]:
    function = node.child_by_field_name("function")
    if function is None or function.type == "super":
        return []
    if function.type == "identifier":
        name = text_of(function)
        if name in program.units and _owner(node, program) == name:
            return ["recursion"]
        is_own = name in program.units or (name[:1].islower() and name not in _FUNCTIONS)
        return ["member-call"] if is_own else [f"call:{name}"]
    if function.type == "import":
        return ["import"]
    if function.type != "member_expression":
        return ["member-call"]
    owner = function.child_by_field_name("object")
    if owner is not None and text_of(owner).partition(".")[0] in _GLOBAL_OWNERS:
        return [f"call:{text_of(function)}"]
    name = text_of(function.child_by_field_name("property"))
    return [f"method:{name}"] if name in BUILT_IN else ["member-call"]


def _callee(node: Node) -> str:
    function = node.child_by_field_name("function")
    member = function.child_by_field_name("property") if function is not None else None
    return text_of(member or function)


def _is_tried(node: Node) -> bool:
    """Return whether a `catch` or `finally` of the same function notices that a call fails."""
    inner, outer = node, node.parent
    while outer is not None and outer.type not in FUNCTIONS:
        if outer.type == "try_statement" and outer.child_by_field_name("body") == inner:
            return True
        inner, outer = outer, outer.parent
    return False


def _owner(node: Node, program: Program) -> str:
    """Return the name of the function of the module that a node is in."""
    inner: Node | None = node
    functions = {
        unit.nodes[0].id: name for name, unit in program.units.items() if unit.function is not None
    }
    while inner is not None and inner.id not in functions:
        inner = inner.parent
    return functions[inner.id] if inner is not None else ""


_FUNCTIONS = frozenset(
    ("parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent", "decodeURIComponent",
     "encodeURI", "decodeURI", "escape", "unescape", "eval", "require", "setTimeout", "setInterval",
     "clearTimeout", "clearInterval", "queueMicrotask", "structuredClone", "fetch")
)  # fmt: skip


def _of_member(node: Node) -> list[str]:
    outer = node.parent
    is_called = (
        outer is not None
        and outer.type == "call_expression"
        and outer.child_by_field_name("function") == node
    )
    name = text_of(node.child_by_field_name("property"))
    is_global = text_of(node).partition(".")[0] in _GLOBAL_OWNERS
    return [] if is_called or is_global else [f"property:{name}"]


def _of_name(node: Node) -> list[str]:
    name = text_of(node)
    if name in ("this", "arguments"):
        owner = function_around(node)
        while owner is not None and owner.type == "arrow_function" and name == "this":
            outer = function_around(owner)
            if outer is None:
                return ["this in a top-level arrow function"]
            owner = outer
        is_own = owner is not None and owner.type == "method_definition"
        return [f"{name} in a {'method' if is_own else 'function'}"]
    if name in ("NaN", "Infinity", "globalThis"):
        return [name]
    if node.type == "shorthand_property_identifier":
        return [f"property:{name}"]
    return []


def _declaration(node: Node) -> str:
    word = text_of(node.children[0])
    if word == "var" and _captures(node):
        return "var in a loop with a function"
    return word


def _captures(node: Node) -> bool:
    """Return whether a declaration is in a loop that creates functions."""
    outer: Node | None = node
    while outer is not None and outer.type not in FUNCTIONS:
        if outer.type in _LOOPS:
            return any(each.type in FUNCTIONS for each in walk(outer))
        outer = outer.parent
    return False


def function_around(node: Node) -> Node | None:
    outer = node.parent
    while outer is not None and outer.type not in FUNCTIONS:
        outer = outer.parent
    return outer


def number_of(node: Node) -> str:
    """Return a number in one form for each value."""
    text = text_of(node).replace("_", "")
    try:
        value = float(int(text, 0)) if re.fullmatch(r"0[xXbBoO]\w+", text) else float(text)
    except (ValueError, OverflowError):
        return text
    outer = node.parent
    if outer is not None and text_of(outer.child_by_field_name("operator")) == "-":
        value = -value if outer.type == "unary_expression" else value
    if not math.isfinite(value):
        return text
    return f"{value:g}" if value == int(value) and abs(value) < 1e6 else repr(value)
