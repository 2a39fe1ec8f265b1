"""Whether names of the language's library mean here what they mean there: the code declares,
imports and renames none of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.facts.macros import is_in_directive
from codeintel_plugins.transformations.structural.reading import Reading

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
_MEMBERS = frozenset(
    {
        *("member_call_expression", "scoped_call_expression", "nullsafe_member_call_expression"),
        *("member_access_expression", "class_constant_access_expression", "method_declaration"),
        *("property_element", "const_element", "named_type", "enum_case"),
    }
)
_OTHER_CODE = re.compile(r"(?m)(?:^|[;&|]|\bthen|\bdo)\s*(?:\.|source)\s+\S|\b(?:eval|alias)\b")


def calls_only(reading: Reading, _: SgNode, wanted: list[str]) -> bool:
    """Whether functions of these names are only called: nothing of the name is declared, imported,
    passed, or in a macro. In a namespace of PHP a name may be another file's."""
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
    return str(parent.kind()) in _MEMBERS


def no_type(reading: Reading, _: SgNode, wanted: list[str]) -> bool:
    """Whether the code declares no type of these names, and imports none from elsewhere."""
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


def _is_imported_right(reading: Reading, wanted: list[str]) -> bool:
    for name in wanted:
        home = _HOME.get(name, "java.util")
        found = re.findall(rf"(?m)^\s*import\s+(?:static\s+)?([\w.]+)\.{name}\s*;", reading.text)
        if any(package != home for package in found):
            return False
    return True


def is_from(reading: Reading, name: str) -> bool:
    """Whether a type of Java's library is the one that the name means in this code."""
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
    """Whether a script makes no functions or aliases of these names, and reads no other script."""
    names = "|".join(map(re.escape, wanted))
    return (
        re.search(rf"\b(?:{names})\s*\(\s*\)|\bfunction\s+(?:{names})(?![\w-])", reading.text)
        is None
        and _OTHER_CODE.search(reading.text) is None
    )


def no_own(reading: Reading, _: SgNode, wanted: list[str]) -> bool:
    """Whether Ruby code defines none of these methods and constants."""
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
    """Whether evaluating the variables of a match does nothing else."""
    from codeintel_plugins.transformations.structural.facts.effects import is_calm

    held: list[Any] = [node.get_match(name) for name in wanted]
    return all(each is None or is_calm(each, reading.language) for each in held)


def no_macro(reading: Reading, node: SgNode, wanted: list[str]) -> bool:
    """Whether no variable of a match has a macro in it that is more than it looks."""
    from codeintel_plugins.transformations.structural.facts.macros import has_macro

    return not any(has_macro(reading, node.get_match(name)) for name in wanted)
