"""JSDoc for definitions without it, based only on the definition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from tree_sitter import Node

from codeintel.contracts import Change, Equivalence, Rewrite, RewriteRequest, Transformation
from codeintel_plugins.toolkit.positions import ByteOffsets, ToolSource as Positions
from codeintel_plugins.transformations.web.scopes import FUNCTIONS
from codeintel_plugins.transformations.web.trees import (
    MARK,
    ByteEdit,
    Text,
    WebSource,
    child_of,
    text,
)

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ASKING = {
    "is": "Return whether it is",
    "has": "Return whether it has",
    "can": "Return whether it can",
} | {"should": "Return whether it should"}
_SHORT = 20
_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration"})
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration"})
_VALUES = frozenset({"arrow_function", "function_expression", "generator_function"})


def summary(name: str) -> str:
    """Return a sentence from the name of a function, such as `Parse header.`"""
    words = _words(name)
    if not words:
        return f"`{name}`."
    asking = _ASKING.get(words[0]) if len(words) > 1 else None
    said = [asking, *words[1:]] if asking else [_capital(words[0]), *words[1:]]
    return " ".join(word for word in said if word) + "."


def class_summary(name: str) -> str:
    """Return a phrase from the name of a class, such as `Shopping cart.`"""
    words = _words(name)
    return f"{' '.join([_capital(words[0]), *words[1:]])}." if words else f"`{name}`."


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _words(name: str) -> list[str]:
    """Return the words; what is written in capitals stays so."""
    found = _WORD.findall(name)
    return [word if len(word) > 1 and word.isupper() else word.lower() for word in found]


def parameters(function: Node) -> Iterator[str]:
    """Yield a line for each parameter that has a name. Types are not repeated."""
    single = function.child_by_field_name("parameter")
    several = function.child_by_field_name("parameters")
    for each in [single] if single else several.named_children if several else []:
        pattern, default = each.child_by_field_name("pattern"), each.child_by_field_name("value")
        if each.type == "assignment_pattern":
            pattern, default = each.children[0], each.children[-1]
        pattern = pattern or each
        if pattern.type == "rest_pattern":
            pattern = pattern.named_children[0]
        if pattern.type != "identifier":
            continue
        name = text(pattern)
        short = default is not None and len(text(default)) <= _SHORT and _is_plain(default)
        optional = default is not None or each.type == "optional_parameter"
        yield (
            f"@param [{name}={text(default)}]"
            if short
            else (f"@param [{name}]" if optional else f"@param {name}")
        )


def _is_plain(default: Node) -> bool:
    return default.type in ("number", "string", "true", "false", "null") and (
        not re.search(r"[\]*\n]", text(default))
    )


def thrown(function: Node) -> Iterator[str]:
    """Yield a line for each class of errors that is thrown directly."""
    names: dict[str, None] = {}
    stack = [function.child_by_field_name("body")]
    while stack:
        node = stack.pop()
        if node is None or node.type in FUNCTIONS or node.type in ("class", "class_declaration"):
            continue
        if node.type == "try_statement" and node.child_by_field_name("handler") is not None:
            stack.append(node.child_by_field_name("handler"))
            continue
        if node.type == "throw_statement" and node.named_children:
            made = node.named_children[0]
            constructor = made.child_by_field_name("constructor")
            if constructor is not None and constructor.type == "identifier":
                names[text(constructor)] = None
        stack.extend(reversed(node.children))
    yield from (f"@throws {{{name}}}" for name in names)


def block(first: str, lines: Sequence[str], indentation: str, end: str) -> str:
    """Return the comment and the space for what follows it."""
    if not lines:
        return f"/** {first} */{end}{indentation}"
    inner = [first, "", *lines]
    said = [f"{indentation} * {line}".rstrip() for line in inner]
    return end.join(["/**", *said, f"{indentation} */", indentation])


class WebDocument(Transformation):
    """Describes functions, methods and classes of a file where they are defined."""

    name: ClassVar[str] = "web-document"
    kind: ClassVar[str] = "document"
    languages: ClassVar[frozenset[str]] = frozenset({"javascript", "typescript"})
    equivalence: ClassVar[Equivalence | None] = Equivalence.COMMENTS
    version = "1"

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        source = WebSource(request.code, request.language)
        end = "\r\n" if b"\r\n" in source.bytes else "\n"
        private = bool(request.options.get("private"))
        edits = []
        for place, named, value, rule in _definitions(source.root):
            name = text(named)
            hidden = name.startswith(("_", "#")) and not private
            indentation = _indentation(source.bytes, place)
            if rule in request.without or hidden or indentation is None or _is_described(place):
                continue
            first = class_summary(name) if rule == "document-class" else summary(name)
            lines = [] if rule == "document-class" else [*parameters(value), *thrown(value)]
            said = block(first, lines, indentation, end)
            message = f"Add a comment to `{name}`."
            edits.append(ByteEdit(place.start_byte, place.start_byte, said.encode(), rule, message))
        document = Text(source.bytes)
        document.apply([[edit] for edit in edits])
        offsets = ByteOffsets(Positions(request.code))
        changes = tuple(
            Change(rule=each.rule, message=each.message, range=offsets.span(each.start, each.end))
            for each in document.made
        )
        mark = MARK if request.code.startswith(MARK) else ""
        return Rewrite(code=mark + document.code.decode(), changes=changes)


def _definitions(root: Node) -> Iterator[tuple[Node, Node, Node, str]]:
    """Yield the position of a comment, the name, the named node, and the rule."""
    for place in root.named_children:
        declared = place.child_by_field_name("declaration") or place
        if declared.type in _FUNCTIONS and (name := declared.child_by_field_name("name")):
            if not _is_overloaded(place):
                yield place, name, declared, "document-function"
        elif declared.type in _CLASSES and (name := declared.child_by_field_name("name")):
            yield place, name, declared, "document-class"
            yield from _methods(declared)
        elif declared.type in ("lexical_declaration", "variable_declaration"):
            only = [each for each in declared.named_children if each.type == "variable_declarator"]
            value = only[0].child_by_field_name("value") if len(only) == 1 else None
            if value is not None and value.type in _VALUES:
                named = only[0].child_by_field_name("name")
                if named is not None and named.type == "identifier":
                    yield place, named, value, "document-function"


def _methods(declared: Node) -> Iterator[tuple[Node, Node, Node, str]]:
    body = declared.child_by_field_name("body")
    for each in body.named_children if body is not None else ():
        name = each.child_by_field_name("name")
        if each.type != "method_definition" or name is None or name.type != "property_identifier":
            continue
        modifier = child_of(each, "accessibility_modifier")
        if (
            text(name) != "constructor" and text(modifier) != "private" and not _is_overloaded(each)
        ) and (not child_of(each, "get", "set") and not child_of(each, "decorator")):
            yield each, name, each, "document-method"


def _is_overloaded(place: Node) -> bool:
    """Return whether overload signatures precede the definition. Those would need the comment."""
    before = place.prev_named_sibling
    if before is not None and before.type == "export_statement":
        before = before.child_by_field_name("declaration")
    return before is not None and before.type in ("function_signature", "method_signature")


def _is_described(place: Node) -> bool:
    before = place.prev_sibling
    if before is None or before.type not in ("comment", "decorator"):
        return False
    return before.type == "decorator" or before.end_point.row >= place.start_point.row - 1


def _indentation(code: bytes, place: Node) -> str | None:
    """Return the indentation of a definition, if only white space precedes it on its line."""
    start = code.rfind(b"\n", 0, place.start_byte) + 1
    before = code[start : place.start_byte].decode()
    return before if not before.strip() else None
