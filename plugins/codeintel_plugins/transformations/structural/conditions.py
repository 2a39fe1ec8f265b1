"""Conditions on a match in addition to its pattern. Each returns False if it is uncertain."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.declarations import (
    declared_type,
    is_local,
    types_of,
)
from codeintel_plugins.transformations.structural.effects import (
    has_macro,
    is_calm,
    is_in_directive,
    is_macro,
)
from codeintel_plugins.transformations.structural.imports import imported
from codeintel_plugins.transformations.structural.reading import Reading, is_boolean, operator

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_DECLARES_TYPE = frozenset(
    {
        *("class_declaration", "interface_declaration", "enum_declaration", "record_declaration"),
        *("annotation_type_declaration", "type_parameter", "struct_declaration", "type_parameters"),
        *("delegate_declaration", "type_definition", "alias_declaration", "struct_item"),
        *("enum_item", "trait_item", "type_item", "mod_item", "union_item", "use_as_clause"),
        *("macro_definition", "type_parameter_declaration", "using_directive", "name_equals"),
        *("class_specifier", "struct_specifier", "union_specifier", "enum_specifier"),
        *("local_function_statement", "associated_type"),
    }
)
_HEADS = frozenset({"class_specifier", "struct_specifier", "union_specifier", "enum_specifier"})
_NOT_FUNCTIONS = frozenset(
    {
        *("member_call_expression", "scoped_call_expression", "nullsafe_member_call_expression"),
        *("member_access_expression", "class_constant_access_expression", "method_declaration"),
        *("property_element", "const_element", "named_type", "enum_case"),
    }
)
_OTHER_CODE = re.compile(r"(?m)(?:^|[;&|]|\bthen|\bdo)\s*(?:\.|source)\s+\S|\b(?:eval|alias)\b")
_PACKAGES = {
    "java.util.function": (
        *("Supplier", "Predicate", "Function", "Consumer", "BinaryOperator", "UnaryOperator"),
        "BiFunction",
    ),
    "java.util": ("Comparator", "Collections", "Arrays"),
    "java.util.concurrent": ("Callable",),
    "java.awt.event": ("ActionListener",),
    "javax.swing": ("SwingUtilities",),
    "java.awt": ("EventQueue",),
    "java.io": ("FileFilter", "FilenameFilter"),
    "java.lang": ("String", "Integer", "StringBuffer", "StringBuilder", "Thread", "Runnable"),
}
_HOME = {name: package for package, names in _PACKAGES.items() for name in names}
Condition = Callable[[Reading, "SgNode", Any], bool]
NAMES = frozenset({"identifier", "variable_name", "instance_variable", "constant", "self", "this"})
_MEMBERS = frozenset(
    {
        *("field_access", "member_access_expression", "field_expression", "selector_expression"),
        *("scoped_identifier", "qualified_identifier", "global_variable"),
    }
)
_LITERALS = frozenset(
    {
        *("number_literal", "int_literal", "integer", "float", "integer_literal", "float_literal"),
        *("decimal_integer_literal", "decimal_floating_point_literal", "real_literal", "boolean"),
        *("string_literal", "interpreted_string_literal", "string", "char_literal", "true"),
        *("character_literal", "false", "nil", "null", "null_literal", "boolean_literal"),
        *("rune_literal", "encapsed_string", "simple_symbol", "hex_integer_literal"),
    }
)
_TIGHT = frozenset(
    {
        *("call_expression", "method_invocation", "invocation_expression", "call"),
        *("function_call_expression", "member_call_expression", "scoped_call_expression"),
        *("parenthesized_expression", "subscript_expression", "index_expression"),
        *("array_access", "element_access_expression", "class_constant_access_expression"),
        *("parenthesized_statements", "element_reference", "class_variable"),
    }
)
_INDEXED = frozenset(
    {
        *("subscript_expression", "index_expression", "array_access", "subscript_argument_list"),
        *("bracketed_argument_list", "expression_list"),
    }
)
_LOOSE = frozenset(
    {
        *("parenthesized_expression", "return_statement", "argument_list", "arguments", "argument"),
        *("variable_declarator", "init_declarator", "expression_list", "expression_statement"),
        *("short_var_declaration", "var_spec", "arrow_expression_clause", "let_declaration"),
        *("array_element_initializer", "while_expression", "condition_clause", "keyed_element"),
        *("array_initializer", "initializer_list", "literal_element", "parenthesized_statements"),
        *("equals_value_clause", "array_initializer", "echo_statement", "block"),
        *("return_expression", "field_initializer"),
    }
)
_CONDITIONAL = frozenset({"if_statement", "while_statement", "for_statement", "if_expression"})
OF_TEXT = frozenset(
    {
        *("unbound", "text_has", "text_lacks", "imported", "calls_only", "no_type", "no_command"),
        "no_own",
    }
)
"""Those that are about the code as a whole, and asked once."""


def calls_only(reading: Reading, _: SgNode, wanted: list[str]) -> bool:
    """Return whether functions of these names are only called.

    The names are not declared, imported, passed, or used in a macro. In a PHP namespace, a name may
    belong to another file.
    """
    if reading.language == "php":
        if re.search(r"(?im)^\s*(?:<\?php\s+)?namespace\b", reading.text):
            return False
        asked = {each.lower() for each in wanted}
        uses = [
            use for name, held in reading.named.items() if name.lower() in asked for use in held
        ]
    else:
        uses = [use for name in wanted for use in reading.named.get(name, ())]
        if any(is_in_directive(reading, name) for name in wanted):
            return False
    return all(_is_call(use) for use in uses)


def _is_call(use: SgNode) -> bool:
    parent = use.parent()
    if parent is None:
        return False
    if str(parent.kind()) in ("call_expression", "function_call_expression"):
        held = parent.field("function")
        return held is not None and held == use
    if parent.kind() == "method_declaration":
        return True
    return str(parent.kind()) in _NOT_FUNCTIONS


def no_type(reading: Reading, _: SgNode, wanted: list[str]) -> bool:
    """Return whether the code declares no type of these names, and imports none from elsewhere."""
    return not any(_declares(use) for name in wanted for use in reading.named.get(name, ())) and (
        reading.language != "java" or _is_imported_right(reading, wanted)
    )


def _declares(use: SgNode) -> bool:
    parent = use.parent()
    if parent is None or str(parent.kind()) not in _DECLARES_TYPE:
        return False
    if str(parent.kind()) in _HEADS and parent.field("body") is None:
        return False
    held = parent.field("name") or parent.field("alias")
    if parent.kind() == "type_definition":
        return any(each == use for each in parent.field_children("declarator"))
    return held is None or held == use


def _is_imported_right(reading: Reading, wanted: list[str]) -> bool:
    for name in wanted:
        home = _HOME.get(name, "java.util")
        found = re.findall(rf"(?m)^\s*import\s+(?:static\s+)?([\w.]+)\.{name}\s*;", reading.text)
        if any(package != home for package in found):
            return False
    return True


def is_from(reading: Reading, name: str) -> bool:
    """Return whether the name refers to the type of Java's library in this code."""
    home = _HOME.get(name, "java.util")
    if not no_type(reading, reading.root, [name]):
        return False
    if home == "java.lang":
        return True
    return (
        re.search(rf"(?m)^\s*import\s+{re.escape(home)}\.(?:{name}|\*)\s*;", reading.text)
        is not None
    )


def no_command(reading: Reading, _: SgNode, wanted: list[str]) -> bool:
    """Return whether a script defines no functions or aliases of these names, and sources no
    other script."""
    names = "|".join(map(re.escape, wanted))
    return (
        re.search(rf"\b(?:{names})\s*\(\s*\)|\bfunction\s+(?:{names})(?![\w-])", reading.text)
        is None
        and _OTHER_CODE.search(reading.text) is None
    )


def no_own(reading: Reading, _: SgNode, wanted: list[str]) -> bool:
    """Return whether Ruby code defines no method or constant of these names."""
    names = "|".join(map(re.escape, wanted))
    return (
        re.search(
            r"\b(?:def|class|module|alias|alias_method|define_method)\b"
            r"[ \t(:]*(?:self\.)?(?:\w+::)*"
            rf"(?:{names})(?![\w])|(?<![\w.:@$])(?:{names})\s*=(?![=~>])",
            reading.text,
        )
        is None
    )


def calm(reading: Reading, node: SgNode, wanted: list[str]) -> bool:
    """Return whether evaluating the variables of a match has no side effects."""
    held: list[Any] = [node.get_match(name) for name in wanted]
    return all(each is None or is_calm(each, reading.language) for each in held)


def no_macro(reading: Reading, node: SgNode, wanted: list[str]) -> bool:
    """Return whether no variable of a match contains a macro that expands to several operands."""
    return not any(has_macro(reading, node.get_match(name)) for name in wanted)


def is_loose(reading: Reading, node: SgNode, _: Any) -> bool:
    """Return whether any operator except assignment may be used at the node's position."""
    parent = node.parent()
    if parent is None:
        return False
    kind = str(parent.kind())
    if kind in _CONDITIONAL:
        held = parent.field("condition")
        return held is not None and held == node
    if kind in ("assignment_expression", "assignment", "assignment_statement"):
        right = parent.field("right")
        return right is not None and right == node
    if kind == "block" and reading.language != "rust":
        return False
    return kind in _LOOSE


def _declared(reading: Reading, node: SgNode, wanted: dict[str, str]) -> bool:
    """Return whether each variable is a name whose declarations all have such a type."""
    for name, expression in wanted.items():
        variable = _name_in(node.get_match(name))
        types = types_of(reading, variable) if variable is not None else None
        if variable is None or not types:
            return False
        if not all(re.fullmatch(expression, each) for each in types):
            return False
        if is_macro(reading, variable.text()) or not is_local(reading, variable):
            return False
        if not _is_own_type(reading, types):
            return False
    return True


def _is_own_type(reading: Reading, types: list[str]) -> bool:
    """Return whether the types are those of the language's library."""
    words = [found for each in types for found in re.findall(r"[A-Za-z_]\w*", each.split("<")[0])]
    if not no_type(reading, reading.root, words):
        return False
    if reading.language == "cpp":
        return all(
            "::" in each or not re.search(r"string|<", each) or _is_std(reading, each)
            for each in types
        )
    return True


def _is_std(reading: Reading, typed: str) -> bool:
    """Return whether a name without `std::` is the standard's by a `using`, and by no other."""
    found = re.search(r"(?:const )?(\w+)", typed.removeprefix("const "))
    spaces = re.findall(r"\busing\s+namespace\s+([\w:]+)", reading.text)
    if found is None or set(spaces) - {"std"}:
        return False
    return bool(spaces) or re.search(rf"\busing\s+std::{found[1]}\s*;", reading.text) is not None


def _name_in(node: SgNode | None) -> SgNode | None:
    """Return the name in `name` and `this.name`."""
    if node is None or node.kind() == "identifier":
        return node
    if node.kind() in ("field_access", "member_access_expression"):
        first = node.child(0)
        last = node.field("field") or node.field("name")
        if first is not None and first.text() == "this" and last is not None:
            return last if last.kind() == "identifier" else None
    return None


def is_pure(node: SgNode | None) -> bool:
    """Return whether evaluating the node twice is the same as once: names, members of names,
    constants."""
    left = [node]
    while left:
        each = left.pop()
        if each is None:
            return False
        kind = str(each.kind())
        if kind in NAMES or kind in _LITERALS:
            continue
        if kind in _MEMBERS:
            left.append(next((child for child in each.children() if child.is_named()), None))
        elif kind in _INDEXED:
            left.extend(child for child in each.children() if child.is_named())
        else:
            return False
    return True


def is_tight(node: SgNode | None) -> bool:
    """Return whether the node can be an operand of any operator without parentheses."""
    if node is None:
        return False
    kind = str(node.kind())
    return kind in NAMES or kind in _MEMBERS or kind in _LITERALS or kind in _TIGHT


def _each(holds: Callable[[SgNode | None], bool]) -> Condition:
    def condition(_: Reading, node: SgNode, wanted: list[str]) -> bool:
        return all(holds(node.get_match(name)) for name in wanted)

    return condition


def _unbound(reading: Reading, _: SgNode, wanted: list[str]) -> bool:
    """Return whether the code does not declare these names, so that they are the library's."""
    return not any(
        declared_type(node, reading.language) is not None
        for name in wanted
        for node in reading.named.get(name, ())
    )


def _text_has(reading: Reading, _: SgNode, wanted: str) -> bool:
    return re.search(wanted, reading.text) is not None


def _text_lacks(reading: Reading, _: SgNode, wanted: str) -> bool:
    return re.search(wanted, reading.text) is None


def _boolean(_: Reading, node: SgNode, wanted: list[str]) -> bool:
    return all(is_boolean(node.get_match(name)) for name in wanted)


def _boolean_place(reading: Reading, node: SgNode, _: Any) -> bool:
    """Return whether a comparison fits the position: the node is loose, or an operand of `&&` or
    `||`."""
    parent = node.parent()
    if parent is not None and parent.kind() == "binary_expression":
        return operator(parent) in ("&&", "||")
    return is_loose(reading, node, None)


def _imported(reading: Reading, _: SgNode, wanted: str | list[str]) -> bool:
    return all(
        imported(reading, each) for each in ([wanted] if isinstance(wanted, str) else wanted)
    )


CONDITIONS: dict[str, Condition] = {
    "declared": _declared,
    "pure": _each(is_pure),
    "tight": _each(is_tight),
    "loose": is_loose,
    "unbound": _unbound,
    "text_has": _text_has,
    "text_lacks": _text_lacks,
    "boolean": _boolean,
    "boolean_place": _boolean_place,
    "imported": _imported,
    "calls_only": calls_only,
    "no_type": no_type,
    "no_command": no_command,
    "no_own": no_own,
    "calm": calm,
    "no_macro": no_macro,
}
