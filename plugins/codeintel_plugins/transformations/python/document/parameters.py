"""What a signature tells of each parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from codeintel_plugins.transformations.python.document.definitions import Definition
from codeintel_plugins.transformations.python.document.values import (
    is_credential,
    shown_default,
    shown_type,
)
from codeintel_plugins.transformations.python.document.words import (
    INITIALS,
    STATES,
    VERBS,
    text,
    words,
)


class Entry(NamedTuple):
    """A line of a section: a name, a type as code or nothing, and a sentence."""

    name: str
    type: str
    optional: bool
    text: str


def parameters(definition: Definition) -> tuple[Entry, ...]:
    """The parameters that a caller gives, in order."""
    node = definition.node
    if isinstance(node, ast.ClassDef):
        return ()
    entries = [*_entries(node.args)]
    bound = definition.owner is not None and "staticmethod" not in definition.decorators
    positional = bool(node.args.posonlyargs or node.args.args)
    return tuple(entries[1:] if bound and positional else entries)


def _entries(signature: ast.arguments) -> Iterator[Entry]:
    positional = [*signature.posonlyargs, *signature.args]
    missing = len(positional) - len(signature.defaults)
    defaults: list[ast.expr | None] = [*([None] * missing), *signature.defaults]
    for each, default in zip(positional, defaults, strict=True):
        yield entry(each.arg, each.annotation, default)
    if signature.vararg is not None:
        yield _rest(signature.vararg, "*", "Further positional arguments.")
    for each, default in zip(signature.kwonlyargs, signature.kw_defaults, strict=True):
        yield entry(each.arg, each.annotation, default)
    if signature.kwarg is not None:
        yield _rest(signature.kwarg, "**", "Further keyword arguments.")


def _rest(argument: ast.arg, stars: str, said: str) -> Entry:
    return Entry(stars + argument.arg, shown_type(argument.annotation), True, said)


def entry(name: str, annotation: ast.expr | None, default: ast.expr | None) -> Entry:
    """What is known of a parameter, or of a field."""
    kind = "" if is_credential(name) and _has_text(annotation) else shown_type(annotation)
    said = _meaning(name, kind, default)
    if default is not None:
        shown = shown_default(default, name)
        said = f"{said} Defaults to {shown}." if shown else said
    return Entry(name, kind, default is not None, said)


def _meaning(name: str, kind: str, default: ast.expr | None) -> str:
    parts = words(name)
    first, *rest = parts
    flag = isinstance(default, ast.Constant) and isinstance(default.value, bool)
    if kind == "bool" or (flag and not kind):
        if first in STATES:
            return f"Whether it {text(parts)}."
        return (
            f"Whether to {text(parts)}." if first in VERBS and rest else f"The {text(parts)} flag."
        )
    if len(name.strip("_")) <= 2 and name.lower() not in INITIALS:
        return f"The value of ``{name}``."
    if first in ("num", "n") and rest:
        return f"The number of {text(rest)}."
    if first in ("max", "min") and rest:
        return f"The {first}imum {text(rest)}."
    return f"The {text(parts)}."


def _has_text(annotation: ast.expr | None) -> bool:
    """Whether a type holds literals, as `Literal` does."""
    return annotation is not None and any(
        isinstance(each, ast.Constant) and each.value is not None for each in ast.walk(annotation)
    )
