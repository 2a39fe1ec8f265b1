"""What is public in languages that tree-sitter reads: names, with how many values functions take.

`Shop.total(2)` is a method, `Shop.open` something else, `static` and the names of parameters stand
there where callers depend on them. What is private by the language's own rules does not count.
Types that exist only for a compiler, as TypeScript's interfaces, are :func:`public_types`: they are
gone where code becomes JavaScript.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tree_sitter import Node, Parser
from tree_sitter_language_pack import get_language

from codeintel.engine.equivalence.interfaces import (
    classes as interfaces_classes,
    ruby as interfaces_ruby,
    scripts as interfaces_scripts,
    systems as interfaces_systems,
)

Reader = Callable[[Node], Iterator[str]]

_READERS: dict[str, Reader] = {
    "java": interfaces_classes.java,
    "csharp": interfaces_classes.csharp,
    "php": interfaces_classes.php,
    "go": interfaces_systems.go,
    "rust": interfaces_systems.rust,
    "c": interfaces_systems.c,
    "cpp": interfaces_systems.c,
    "ruby": interfaces_ruby.ruby,
    "javascript": interfaces_scripts.script,
    "typescript": interfaces_scripts.script,
    "tsx": interfaces_scripts.script,
}


def public(code: str, language: str) -> frozenset[str] | None:
    """The public names of code; None where they cannot be told."""
    reader = _READERS.get(language)
    return None if reader is None else _read(code, language, reader)


def public_types(code: str, language: str) -> frozenset[str] | None:
    """The public names that only the compiler of TypeScript knows; None where they cannot be
    told."""
    if language not in ("typescript", "tsx"):
        return None
    return _read(code, language, interfaces_scripts.types)


def _read(code: str, language: str, reader: Reader) -> frozenset[str] | None:
    grammars = ("typescript", "tsx") if language == "typescript" else (language,)
    try:
        text = code.encode()
    except UnicodeEncodeError:
        return None
    for grammar in grammars:
        root = Parser(get_language(grammar)).parse(text).root_node  # type: ignore[arg-type]
        if not root.has_error:
            return frozenset(reader(root))
    return None
