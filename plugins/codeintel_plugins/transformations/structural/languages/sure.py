"""What C++ and C# let code give another meaning: comparisons, and names of constants."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel_plugins.transformations.structural.facts.declarations import types_of
from codeintel_plugins.transformations.structural.nodes import inner, named, operator
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_BASIC = re.compile(
    r"(?:const )?(?:bool|char|(?:unsigned |signed )?(?:int|long|short|char|long long)|unsigned"
    r"|double|float|decimal|u?long|u?int|u?short|s?byte|(?:std::)?(?:size_t|u?int\d+_t|string)|string"
    r"|[\w:<>]+\*)[?&]?"
)
_COUNTS = re.compile(r"\.(?:Length|Count|size\(\)|length\(\))$")
_LITERAL = re.compile(r"literal$|^(?:true|false|null)$")
_PARAMETERS = re.compile(r"[&<]|\bauto\b|\.\.\.")
_KEEPS = re.compile(r"std::(?:c?ref|addressof|tie|forward_as_tuple|bind|thread|make_pair|async)")
_TAKES = re.compile(r"at|substr|push_back|erase|reserve|resize|insert|count|find|push|assign")


def is_sure_truth(reading: Reading, node: SgNode | None) -> bool:
    """Whether a comparison gives a truth value, which only those of basic types surely do where
    operators can be defined anew."""
    if reading.language not in ("cpp", "csharp"):
        return True
    node = inner(node)
    if node is None:
        return False
    kind = str(node.kind())
    if kind == "binary_expression" and operator(node) in ("&&", "||"):
        return all(is_sure_truth(reading, node.field(side)) for side in ("left", "right"))
    if kind == "binary_expression":
        return all(_is_basic(reading, node.field(side)) for side in ("left", "right"))
    if "unary" in kind:
        return all(_is_basic(reading, each) for each in named(node))
    return kind in ("is_expression", "is_pattern_expression", "true", "false", "boolean_literal")


def _is_basic(reading: Reading, node: SgNode | None) -> bool:
    node = inner(node)
    if node is None:
        return False
    if node.kind() == "identifier":
        types = types_of(reading, node)
        return bool(types) and all(_BASIC.fullmatch(each) for each in types or ())
    if node.kind() == "binary_expression":
        return all(_is_basic(reading, node.field(side)) for side in ("left", "right"))
    return _LITERAL.search(str(node.kind())) is not None or _COUNTS.search(node.text()) is not None


def is_redefined(reading: Reading, *words: str) -> bool:
    """Whether C's `true` and `false` may be something else than those of its header."""
    if reading.language != "c" or not {"true", "false"} & set(words):
        return False
    return (
        re.search(r"#\s*include\s*<stdbool\.h>", reading.text) is None
        or re.search(r"#\s*define\s+(?:true|false|bool)\b|\b(?:true|false)\s*[=,}]", reading.text)
        is not None
    )


def may_be_kept(reading: Reading, use: SgNode) -> bool:
    """Whether what a variable is passed to, as it is, may take a reference to it and keep that."""
    parent = use.parent()
    if parent is None:
        return False
    if parent.kind() == "init_declarator":
        held = parent.field("declarator")
        return held is not None and held.kind() == "reference_declarator"
    if str(parent.kind()) == "initializer_list":
        return True
    call = parent.parent() if parent.kind() == "argument_list" else None
    function = call.field("function") if call is not None else None
    if call is None:
        return False
    if function is None:
        return True
    if function.kind() == "field_expression":
        held = function.field("field")
        return held is None or _TAKES.fullmatch(held.text()) is None
    if function.text().startswith("std::"):
        return _KEEPS.match(function.text()) is not None
    if function.kind() != "identifier":
        return True
    listed = [
        parameters
        for node in reading.named.get(function.text(), ())
        if (above := node.parent()) is not None
        and above.kind() == "function_declarator"
        and (parameters := above.field("parameters")) is not None
    ]
    return not listed or any(_PARAMETERS.search(each.text()) for each in listed)
