"""Macros of C and C++: their names and bodies are in no tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

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


def is_in_directive(reading: Reading, name: str) -> bool:
    """Whether a macro has the name, or has it in its body, or a pragma has."""
    return reading.language in ("c", "cpp") and any(
        name in _WORD.findall(found[0]) for found in _DIRECTIVE.finditer(reading.text)
    )


def is_macro(reading: Reading, name: str) -> bool:
    """Whether the code defines a macro of the name."""
    return any(found[1] == name for found in _DEFINED.finditer(reading.text))


def has_macro(reading: Reading, node: SgNode | None) -> bool:
    """Whether what stands there may be more than it looks, since a macro stands for several
    operands without parentheses."""
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
