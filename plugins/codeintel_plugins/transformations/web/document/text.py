"""The words of a description: from names, parameters and errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from codeintel_plugins.transformations.web.scopes import FUNCTIONS
from codeintel_plugins.transformations.web.trees import text

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ASKING = {
    "is": "Tell whether it is",
    "has": "Tell whether it has",
    "can": "Tell whether it can",
} | {"should": "Tell whether it should"}
_SHORT = 20


def summary(name: str) -> str:
    """One sentence from the name of a function, such as `Parse header.`"""
    words = _words(name)
    if not words:
        return f"`{name}`."
    asking = _ASKING.get(words[0]) if len(words) > 1 else None
    said = [asking, *words[1:]] if asking else [_capital(words[0]), *words[1:]]
    return " ".join(word for word in said if word) + "."


def class_summary(name: str) -> str:
    """One sentence from the name of a class, such as `Shopping cart.`"""
    words = _words(name)
    return f"{' '.join([_capital(words[0]), *words[1:]])}." if words else f"`{name}`."


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _words(name: str) -> list[str]:
    """The words; what is written in capitals stays so."""
    found = _WORD.findall(name)
    return [word if len(word) > 1 and word.isupper() else word.lower() for word in found]


def parameters(function: Node) -> Iterator[str]:
    """A line for each parameter that has a name; types are not repeated."""
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
    """A line for each class of errors that is thrown as it stands."""
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
    """The comment and the space for what follows it."""
    if not lines:
        return f"/** {first} */{end}{indentation}"
    inner = [first, "", *lines]
    said = [f"{indentation} * {line}".rstrip() for line in inner]
    return end.join(["/**", *said, f"{indentation} */", indentation])
