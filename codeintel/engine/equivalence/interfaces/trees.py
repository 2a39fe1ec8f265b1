"""What is public in languages that tree-sitter reads: names, with how many values functions take.

`Shop.total(2)` is a method, `Shop.open` something else, `static` and the names of parameters stand
there where callers depend on them. What is private by the language's own rules does not count.
Types that exist only for a compiler, as TypeScript's interfaces, are :func:`public_types`: they are
gone where code becomes JavaScript.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tree_sitter import Node

from codeintel.engine.equivalence.interfaces import classes, ruby, scripts, systems
from codeintel.engine.syntax import source_of

Reader = Callable[[Node], Iterator[str]]

_READERS: dict[str, Reader] = {
    "java": classes.java,
    "csharp": classes.csharp,
    "php": classes.php,
    "go": systems.go,
    "rust": systems.rust,
    "c": systems.c,
    "cpp": systems.c,
    "ruby": ruby.ruby,
    "javascript": scripts.script,
    "typescript": scripts.script,
    "tsx": scripts.script,
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
    return _read(code, language, scripts.types)


def _read(code: str, language: str, reader: Reader) -> frozenset[str] | None:
    grammars = ("typescript", "tsx") if language == "typescript" else (language,)
    try:
        source = source_of(code)
    except UnicodeEncodeError:
        return None
    for grammar in grammars:
        root = source.root(grammar)
        if not root.has_error:
            return frozenset(reader(root))
    return None
