"""Hidden side effects of evaluating code: calls, assignments, macros, operators, destructors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel_plugins.transformations.structural.declarations import (
    declared_type,
    scope_of,
    types_of,
)
from codeintel_plugins.transformations.structural.reading import (
    Reading,
    function_of,
    inner,
    named,
    operator,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_ACTS = re.compile(
    r"call|invocation|assign|update|postfix|increment|lambda|closure|func|block|compound|macro"
    r"|await|yield|includ|include|require|print|match|creation|new_|clone|throw|return|comma|delete"
    r"|anonymous|arrow|loop_|while|if_expr|send|statement|_try|try_|backtick|shell|execution"
)
_PLAIN_GO = re.compile(r"(?:len|cap|byte|rune|string|float(?:32|64)|u?int(?:8|16|32|64|ptr)?)\(")
_DIRECTIVE = re.compile(
    r"(?m)^[ \t]*#[ \t]*(?:define|pragma)\b((?:\\\r?\n|[^\n])*)|_Pragma\(([^)]*)"
)
_DEFINED = re.compile(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)((?:\\\r?\n|[^\n])*)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_TIGHT = re.compile(
    r"(?:\([^()]*\))?\s*(?:[\w.]+|\"[^\"]*\"|\((?:[^()]|\([^()]*\))*\))\s*(?:/[/*].*)?"
)
_LOUD = re.compile(r"[A-Z_][A-Z0-9_]+")
_OWN_HEADER = re.compile(r'(?m)^[ \t]*#[ \t]*include[ \t]*"')
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
"""Methods that have side effects, on any object."""


def is_calm(node: SgNode, language: str) -> bool:
    """Return whether evaluating the node calls, sets and creates nothing."""
    left = [node]
    while left:
        each = left.pop()
        if not each.is_named():
            continue
        kind = str(each.kind())
        if _ACTS.search(kind) and not (language == "go" and _PLAIN_GO.match(each.text())):
            return False
        if "unary" in kind and operator(each) in ("<-", "++", "--"):
            return False
        left.extend(each.children())
    return True


def sets_something(node: SgNode) -> bool:
    """Return whether the node contains an assignment."""
    left = [node]
    while left:
        each = left.pop()
        if re.search(r"assign|update|postfix", f"{each.kind()}"):
            return True
        if "unary" in str(each.kind()) and operator(each) in ("++", "--"):
            return True
        left.extend(each.children())
    return False


def is_private(reading: Reading, use: SgNode) -> bool:
    """Return whether the name is a local variable that only the surrounding statements can access.

    Its address is not taken, and no nested function uses it.
    """
    function, name = function_of(use), use.text()
    if use.kind() != "identifier" or function is None or "lambda" in str(function.kind()):
        return False
    whole, place = reading.span(function), reading.span(use).start
    is_local = False
    for node in reading.named.get(name, ()):
        at = reading.span(node).start
        if not whole.start <= at < whole.end:
            continue
        if declared_type(node, reading.language) is not None:
            parent = node.parent()
            while parent is not None and "declarator" in str(parent.kind()):
                if parent.kind() == "reference_declarator":
                    return False
                parent = parent.parent()
            if parent is None or re.search(r"\b(?:static|extern)\b", parent.text()):
                return False
            scope = scope_of(node)
            span = reading.span(scope) if scope is not None else whole
            is_local = is_local or span.start <= place < span.end
    text = function.text()
    if re.search(rf"&\s*{re.escape(name)}\b|\basm\b", text):
        return False
    if reading.language == "go" and function.find(kind="func_literal") is not None:
        return False
    if reading.language == "cpp" and (
        function.find(kind="lambda_expression") is not None
        or any(_is_handed_on(each, whole, reading) for each in reading.named.get(name, ()))
    ):
        return False
    return is_local


def _is_handed_on(use: SgNode, whole: tuple[int, int], reading: Reading) -> bool:
    """Return whether a reference to the variable may be taken: it is passed, or bound to a
    reference."""
    parent = use.parent()
    if parent is None or not whole[0] <= reading.span(use).start < whole[1]:
        return False
    if parent.kind() == "init_declarator":
        held = parent.field("declarator")
        return held is not None and held.kind() == "reference_declarator"
    return str(parent.kind()) in ("argument_list", "initializer_list")


def is_in_directive(reading: Reading, name: str) -> bool:
    """Return whether a macro has the name, or a macro body or a pragma contains it."""
    return reading.language in ("c", "cpp") and any(
        name in _WORD.findall(found[0]) for found in _DIRECTIVE.finditer(reading.text)
    )


def is_macro(reading: Reading, name: str) -> bool:
    """Return whether the code defines a macro of the name."""
    return any(found[1] == name for found in _DEFINED.finditer(reading.text))


def has_macro(reading: Reading, node: SgNode | None) -> bool:
    """Return whether the node may contain a macro that expands to several operands without
    parentheses."""
    if node is None or reading.language not in ("c", "cpp"):
        return False
    defined = {found[1]: found[2] for found in _DEFINED.finditer(reading.text)}
    others = _OWN_HEADER.search(reading.text) is not None
    for word in _WORD.findall(node.text()):
        if word in defined:
            if not _TIGHT.fullmatch(defined[word].strip()):
                return True
        elif others and _LOUD.fullmatch(word):
            return True
    return False


def is_sure_truth(reading: Reading, node: SgNode | None) -> bool:
    """Return whether a comparison certainly results in a truth value.

    Where operators can be overloaded, only comparisons of basic types do.
    """
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
    """Return whether C's `true` and `false` may differ from those of its header."""
    if reading.language != "c" or not {"true", "false"} & set(words):
        return False
    return (
        re.search(r"#\s*include\s*<stdbool\.h>", reading.text) is None
        or re.search(r"#\s*define\s+(?:true|false|bool)\b|\b(?:true|false)\s*[=,}]", reading.text)
        is not None
    )


def may_be_kept(reading: Reading, use: SgNode) -> bool:
    """Return whether the function that receives a variable may keep a reference to it."""
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


def has_no_temporary(reading: Reading, node: SgNode) -> bool:
    """Return whether evaluating the node creates no value that must be destroyed afterward."""
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
    """Return whether the call returns a number or a truth value, or in Rust is only a
    constructor."""
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
    """Return the result type of a function, if the name is that of its declaration."""
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
