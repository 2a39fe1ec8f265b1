"""What reaches outside of a program: processes, the network, files, code made while it runs."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from codeintel.engine.equivalence.behaviour_heuristics.reach_tables import (
    DOTTED,
    EXCHANGEABLE,
    FAMILY_OF,
    GLOBALS,
    HARMLESS,
    HARMLESS_IMPORTS,
    LOGS,
    QUIET,
    ROOTS,
    SAME,
)
from codeintel.engine.equivalence.behaviour_heuristics.words.reading import Vocabulary

_CHANGING = frozenset({"pop", "popitem", "clear", "update", "setdefault"})
_BUILTINS = frozenset(dir(builtins))


def new_reach(
    before: Vocabulary, after: Vocabulary, exact: bool, language: str = ""
) -> Iterator[str]:
    """Yield a sentence for each name that reaches outside and is new; if not `exact`, for each
    kind of reach."""
    roots = {module.partition(".")[0] for module in (*before.imports, *after.imports)}
    had = {_family(name, roots) for name in before.names}
    reached = _heads(before)
    if not LOGS.isdisjoint(before.names):
        had.add("the console")
    for name in sorted(after.names.keys() - before.names.keys()):
        family = "" if _is_own(name, before, after) else _family(name, roots)
        known = family in had and (not exact or family in EXCHANGEABLE)
        if family and not known and not (exact and _has_same(name, reached)):
            last = name.rpartition(".")[2]
            yield f"`{last}` (line {after.names[name]}), new in the result, reaches {family}."
    if exact:
        yield from _new_members(before, after, language)


def reaches_outside(code: Vocabulary) -> bool:
    """Whether the code reaches anything outside, but for the console."""
    roots = {module.partition(".")[0] for module in code.imports}
    families = {"" if name in code.defined else _family(name, roots) for name in code.names}
    return not families <= {"", "the console"}


def _new_members(before: Vocabulary, after: Vocabulary, language: str) -> Iterator[str]:
    """Yield a sentence for what is new of modules of which most reaches outside."""
    harmless = HARMLESS.get(language, {})
    had = _heads(before)
    for name in sorted(after.reached.keys() - before.reached.keys()):
        root, dot, rest = name.partition(".")
        if root not in harmless or root in before.defined:
            continue
        allowed = harmless[root]
        member = rest.partition(".")[0]
        if (dot and member in allowed) or _has_same(name, had):
            continue
        # To name a module as a whole is what code does that hides which part of it is used.
        what = f"`{member or root}` (line {after.reached[name]})"
        yield f"{what}, new in the result, reaches outside."


def _heads(code: Vocabulary) -> set[str]:
    """What is used of modules, without what is used of that."""
    return {".".join(name.split(".")[:2]) for name in code.reached}


def _has_same(name: str, had: set[str]) -> bool:
    """Whether what something does was done before in another way."""
    first, *rest = name.split(".")
    if rest[1:2] and rest[1] in _CHANGING:
        return False
    key = ".".join([first, *rest[:1]])
    return any(key in group and not group.isdisjoint(had) for group in SAME)


def _is_own(name: str, before: Vocabulary, after: Vocabulary) -> bool:
    """Whether a name is that of something which the code itself defines. What a result defines
    counts if all of it can see that, and the name means nothing else in any language."""
    last = name.rpartition(".")[2]
    if name in before.defined or ("." in name and last in before.defined):
        return True
    return last in after.functions and last not in _BUILTINS and last not in GLOBALS


def new_imports(before: Vocabulary, after: Vocabulary, language: str) -> Iterator[str]:
    """Yield a sentence for each import that is new, but for those which reach nothing outside."""
    harmless = frozenset(HARMLESS_IMPORTS.get(language, "").split())
    known = frozenset(before.imports)
    for module in sorted(after.imports.keys() - before.imports.keys()):
        own = after.functions if language == "bash" else before.defined
        if module in own and module not in GLOBALS:
            continue
        if not _is_known(module, harmless) and not _is_known(module, known):
            yield f"The result imports something new (line {after.imports[module]})."


def _family(name: str, roots: set[str]) -> str:
    """What a name reaches; empty for nothing. `Name.name` is known by its last part, or by its
    first where that is a library for it."""
    if name in DOTTED:
        return DOTTED[name]
    first, dot, last = name.partition(".")
    if dot and first in ROOTS and last[:1].islower() and last not in QUIET:
        return "the network" if first not in ("subprocess", "shutil", "fs") else "processes"
    return "" if dot and first not in roots else FAMILY_OF.get(last or first, "")


def _is_known(module: str, known: frozenset[str]) -> bool:
    """Whether a module, or one that it is in, is known."""
    parts = module.replace("::", ".").replace("/", ".").split(".")
    heads = {".".join(parts[: count + 1]) for count in range(len(parts))}
    return not heads.isdisjoint({each.replace("::", ".").replace("/", ".") for each in known})
