"""Check the public interface in V3: public names must remain and be used in the same way.

In languages that tree-sitter reads, names are compared with their number of parameters.
`Shop.total(2)` is a method and `Shop.open` is not. `static` and parameter names are part of a name
where callers depend on them. Names that are private in the language do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from tree_sitter import Node

from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.interfaces import python, scripts, trees
from codeintel.engine.syntax import source_of

_MAX_NAMED = 5
_WITHOUT_BASES = "class ()"
_CONVERSIONS = frozenset({("typescript", "javascript"), ("tsx", "javascript")})
"""Conversions that keep all names."""
Interface = Mapping[str, str]
"""Public names, each with what a caller must know about it.

The text is empty if only the name is known.
"""


def compare(comparison: Comparison) -> Evidence:
    """Compare the public names.

    None may vanish or change. A model may add names, except special methods in Python and members
    of classes that inherit.
    """
    source, target = comparison.language, comparison.target
    if source != target and (source, target) not in _CONVERSIONS:
        return not_applicable("Interfaces of different languages cannot be compared.")
    before = public(comparison.before, source, source == target)
    if before is None:
        return not_applicable(f"Public names in {source} cannot be determined.")
    after = public(comparison.after, target, source == target)
    if after is None:
        return not_applicable("The public names of the result could not be read.")
    gone = sorted(before.keys() - after.keys())
    if gone:
        return failed(f"The result lacks public names of the original: {_named(gone)}.")
    changed = sorted(name for name in before if _differs(before[name], after[name]))
    if changed:
        return failed(f"The signature or bases of public names changed: {_named(changed)}.")
    added = sorted(name for name in after.keys() - before.keys() if not _is_within(name, before))
    acting = _acting(added, after, source)
    if acting and comparison.by_model and source == target:
        return failed(f"The result adds public names: {_named(acting)}.")
    if not before:
        return not_applicable("The original has no public names.")
    details = any(before.values())
    how = " with signatures and bases" if details else ""
    more = f"; {len(added)} new" if added else ""
    names = f"{len(before)} public name{'s' * (len(before) != 1)}"
    return passed(f"{names} compared{how}: none is missing or changed{more}.")


def public(code: str, language: str, with_types: bool = True) -> Interface | None:
    """Return the public names, or None if they cannot be read.

    :param with_types: whether to include types that only a compiler sees.
    """
    if language == "python":
        return python.public(code)
    names = public_names(code, language)
    if names is None:
        return None
    types = public_types(code, language) if with_types else None
    return dict.fromkeys(names | (types or frozenset()), "")


def _acting(added: list[str], after: Interface, language: str) -> list[str]:
    """Return the added names that can change how existing names behave.

    These are special methods, and members of a class that inherits or has a decorator that
    generates members, because they can override others. Outside Python these cannot be
    distinguished, so all added names count.
    """
    if language != "python":
        return added
    return [name for name in added if _is_acting(name, after)]


def _is_acting(name: str, interface: Interface) -> bool:
    owner, _, last = name.rpartition(".")
    if last.startswith("__"):
        return True
    if owner not in interface:
        return False
    return interface[owner] != _WITHOUT_BASES


def _differs(before: str, after: str) -> bool:
    """Return whether callers use a name in another way.

    A value may become a definition of the same name.
    """
    return before not in (after, python.VALUE)


def _is_within(name: str, before: Interface) -> bool:
    """Return whether a name belongs to a former value, such as a named tuple that became a
    class."""
    return before.get(name.rpartition(".")[0]) == python.VALUE


def _named(names: Iterable[str]) -> str:
    several = [f"`{name}`" for name in names]
    more = f" and {len(several) - _MAX_NAMED} more" if len(several) > _MAX_NAMED else ""
    return ", ".join(several[:_MAX_NAMED]) + more


Reader = Callable[[Node], Iterator[str]]
_READERS: dict[str, Reader] = {
    "java": trees.java,
    "csharp": trees.csharp,
    "php": trees.php,
    "go": trees.go,
    "rust": trees.rust,
    "c": trees.c,
    "cpp": trees.c,
    "ruby": trees.ruby,
    "javascript": scripts.script,
    "typescript": scripts.script,
    "tsx": scripts.script,
}


def public_names(code: str, language: str) -> frozenset[str] | None:
    """Return the public names of code, or None if they cannot be read."""
    reader = _READERS.get(language)
    return None if reader is None else _read(code, language, reader)


def public_types(code: str, language: str) -> frozenset[str] | None:
    """Return the public names that only the TypeScript compiler sees, or None if they cannot be
    read."""
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
