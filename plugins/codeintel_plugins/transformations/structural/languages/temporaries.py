"""Values without a name, which languages with destructors keep for longer than they are used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel_plugins.transformations.structural.nodes import named
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_NAME = re.compile(r"[A-Z]\w*")
_PLAIN = re.compile(
    r"bool|char|(?:unsigned |signed )?(?:int|long|short|char)|long long|double|float"
    r"|(?:std::)?size_t"
    r"|[iu](?:8|16|32|64|128|size)|f32|f64"
)
_PARTS = frozenset(
    {
        *("binary_expression", "tuple_expression", "array_expression", "unary_expression"),
        *("parenthesized_expression", "type_cast_expression"),
    }
)
_LEAVES = frozenset(
    {
        *("identifier", "self", "integer_literal", "float_literal", "string_literal", "true"),
        *("boolean_literal", "char_literal", "scoped_identifier", "unit_expression", "false"),
        *("number_literal", "null", "this", "field_identifier", "primitive_type"),
    }
)
_ASKS = {
    "cpp": re.compile(
        r"(?:std::)?(?:is(?:alnum|alpha|digit|lower|punct|space|upper|xdigit)|str"
        r"(?:len|n?cmp)|abs)"
    ),
    "rust": re.compile(r"(?!)"),
}
"""Functions of the standard library that give a number or truth value."""
_METHODS = {
    "cpp": re.compile(r"size|empty|length|count|good|eof"),
    "rust": re.compile(
        r"len|is_empty|is_some|is_none|is_ok|is_err|contains|contains_key"
        r"|starts_with|ends_with|is_(?:ascii|alphabetic|numeric|whitespace)\w*"
    ),
}
"""Methods that do, of whatever has them."""


def has_no_temporary(reading: Reading, node: SgNode) -> bool:
    """Whether evaluating it makes no value that must be destroyed afterwards."""
    left = [node]
    while left:
        each = left.pop()
        kind = str(each.kind())
        if kind == "call_expression":
            function, arguments = each.field("function"), each.field("arguments")
            if function is None or not _gives_plain(reading, function):
                return False
            left.extend(named(arguments) if arguments is not None else [])
            if function.kind() == "field_expression":
                left.append(function)
        elif kind in _PARTS:
            left.extend(named(each))
        elif kind in ("reference_expression", "pointer_expression", "subscript_expression"):
            if reading.language == "rust" and each.parent() is not None and each == node:
                return False
            left.extend(named(each))
        elif kind == "struct_expression":
            body = each.field("body")
            for part in named(body) if body is not None else []:
                value = part.field("value")
                if value is not None:
                    left.append(value)
                elif part.kind() != "shorthand_field_initializer":
                    return False
        elif kind == "field_expression":
            left.append(each.field("value") or each.field("argument") or each)
            if left[-1] == each:
                return False
        elif kind not in _LEAVES and not kind.endswith("argument_list"):
            return False
    return True


def _gives_plain(reading: Reading, function: SgNode) -> bool:
    """Whether what is called gives a number or a truth value, or in Rust is only a constructor."""
    if function.kind() == "field_expression":
        held = function.field("field")
        return held is not None and _METHODS[reading.language].fullmatch(held.text()) is not None
    text = function.text()
    if reading.language == "rust" and _NAME.fullmatch(text.rpartition("::")[2]):
        return True
    if _ASKS[reading.language].fullmatch(text):
        return True
    if function.kind() != "identifier":
        return False
    given = [_result(node) for node in reading.named.get(text, ())]
    known = [each for each in given if each is not None]
    return bool(known) and all(_PLAIN.fullmatch(each) for each in known)


def _result(name: SgNode) -> str | None:
    """What a function gives, if the name is that of its declaration."""
    parent = name.parent()
    if parent is None:
        return None
    if parent.kind() == "function_item":
        typed = parent.field("return_type")
        return typed.text() if typed is not None and parent.field("name") == name else None
    if parent.kind() != "function_declarator":
        return None
    above = parent.parent()
    typed = above.field("type") if above is not None else None
    return typed.text() if typed is not None and above is not None else ""
