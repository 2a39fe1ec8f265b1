"""The content of a docstring: a summary from the name, and facts from signature, bases and body."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from codeintel_plugins.transformations.python.definitions import (
    Definition,
    Facts,
    Function,
    last_name,
)
from codeintel_plugins.transformations.python.words import (
    ACTIONS,
    INITIALS,
    JOINING,
    SPECIAL,
    SPELLED_OUT,
    STATES,
    VERBS,
    capital,
    is_credential,
    shown_default,
    shown_type,
    text,
    words,
)

_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_RECORDS = frozenset({"NamedTuple", "TypedDict", "BaseModel", "Struct"})
_DATA_CLASSES = frozenset({"dataclass", "dataclasses", "define", "frozen", "attrs", "attributes"})
_MAX_FIELDS = 60
_WITHOUT = frozenset({"ClassVar", "InitVar", "KW_ONLY", "Final"})
_TAKING = frozenset({"__init__", "__new__", "__call__", "__init_subclass__", "__post_init__"})


class Entry(NamedTuple):
    """A line of a section: a name, a type as code or nothing, and a sentence."""

    name: str
    type: str
    optional: bool
    text: str


def parameters(definition: Definition) -> tuple[Entry, ...]:
    """Return the parameters that a caller passes, in order."""
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
    """Describe a parameter or a field."""
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
    """Return whether a type has literals, as `Literal` does."""
    return annotation is not None and any(
        isinstance(each, ast.Constant) and each.value is not None for each in ast.walk(annotation)
    )


def class_summary(definition: Definition) -> str:
    """Return a phrase with the words of the name."""
    name = definition.node.name
    phrase = text(words(name.strip("_") or name))
    if not _ENUMS.isdisjoint(definition.bases):
        return f"The possible values of {phrase}."
    if "Protocol" in definition.bases:
        return f"What {phrase} must offer."
    if any(base.endswith("TestCase") for base in definition.bases) and phrase.startswith("test "):
        return f"Tests of {phrase.removeprefix('test ')}."
    return f"{capital(phrase)}."


def attributes(definition: Definition) -> tuple[Entry, ...]:
    """Return the fields of a data class, a named tuple or the like."""
    records = not _RECORDS.isdisjoint(definition.bases)
    if not records and definition.decorators.isdisjoint(_DATA_CLASSES):
        return ()
    fields = [
        _field(each, each.target.id)
        for each in definition.node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        if not each.target.id.startswith("_") and last_name(each.annotation) not in _WITHOUT
    ]
    return tuple(fields) if len(fields) <= _MAX_FIELDS else ()


def _field(statement: ast.AnnAssign, name: str) -> Entry:
    default = statement.value
    if isinstance(default, ast.Call):
        given = {each.arg: each.value for each in default.keywords}
        default = given.get("default")
    known = entry(name, statement.annotation, default)
    return known._replace(optional=False)


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VAGUE = _listed("result results res ret retval output out value data tmp temp rv obj ans")


class Description(NamedTuple):
    """A docstring before it has a style. `returns` or `yields` is at most one entry without a
    name."""

    summary: str
    parameters: tuple[Entry, ...] = ()
    attributes: tuple[Entry, ...] = ()
    returns: Entry | None = None
    yields: Entry | None = None
    raises: tuple[Entry, ...] = ()


def describe(definition: Definition, facts: Facts) -> Description:
    """Describe a definition."""
    node = definition.node
    if isinstance(node, ast.ClassDef):
        return Description(class_summary(definition), attributes=attributes(definition))
    taken = parameters(definition)
    raises = tuple(Entry(each.name, "", False, each.when) for each in facts.raises)
    special = SPECIAL.get(node.name) if definition.owner is not None else None
    if definition.is_property:
        return Description(_noun(node.name), raises=raises)
    summary = special or _summary(node, taken, facts)
    if special is not None:
        return Description(summary, taken if node.name in _TAKING else (), raises=raises)
    given = Entry("", facts.type, False, _given(node, facts))
    return Description(
        summary,
        taken,
        returns=given if facts.gives == "something" else None,
        yields=given if facts.gives == "items" else None,
        raises=raises,
    )


def _summary(node: Function, taken: tuple[Entry, ...], facts: Facts) -> str:
    """Return a sentence in the imperative, with the words of the name."""
    first, *rest = words(node.name)
    first = SPELLED_OUT.get(first, first)
    if first in STATES:
        return f"Return {_whether(first, rest, taken)}."
    if first == "to" and rest:
        return f"Convert to {text(rest)}."
    if first == "from" and rest:
        return f"Create from {text(rest)}."
    if first == "on" and rest:
        return f"Handle {text(rest)}."
    if first == "as" and rest:
        return f"Return as {text(rest)}."
    if first in VERBS:
        return (
            f"{capital(first)} {text(rest)}."
            if rest
            else f"{capital(first)}{_objects(first, taken)}."
        )
    name = text([first, *rest])
    if rest and rest[-1] in ACTIONS:
        return f"Perform {name}."
    if node.name == "main":
        return "Run the program."
    if facts.gives == "something":
        return f"Return {name}{_given_what(taken)}."
    return f"Yield {name}." if facts.gives == "items" else f"Run ``{node.name}``."


def _whether(first: str, rest: list[str], taken: tuple[Entry, ...]) -> str:
    """`whether it is empty`, of `is_empty`."""
    required = [entry.name for entry in taken if not entry.optional]
    subject = f"``{required[0]}``" if len(required) == 1 else "it"
    return " ".join(["whether", subject, text([first, *rest])])


def _objects(verb: str, taken: tuple[Entry, ...]) -> str:
    """Return the object of a lone verb: the only required argument."""
    required = [entry.name for entry in taken if not entry.optional]
    if len(required) == 1:
        name = required[0].lstrip("*")
        return f" the {text(words(name))}" if len(name) > 2 else f" ``{name}``"
    if verb in JOINING and len(required) == 2:
        return f" ``{required[0]}`` and ``{required[1]}``"
    return _given_what(taken)


def _given_what(taken: tuple[Entry, ...]) -> str:
    required = [f"``{entry.name}``" for entry in taken if not entry.optional]
    if not required or len(required) > 3:
        return ""
    *others, last = required
    return f", given {', '.join(others)} and {last}" if others else f", given {last}"


def _noun(name: str) -> str:
    """Return the phrase for a property."""
    first, *rest = words(name)
    if first in STATES:
        return f"{capital(_whether(first, rest, ()))}."
    if first == "get" and rest:
        first, *rest = rest
    return f"The {text([first, *rest])}."


def _given(node: Function, facts: Facts) -> str:
    """Return the sentence about what is returned or yielded."""
    first = words(node.name)[0]
    if facts.type == "bool":
        return "True if so, otherwise False." if first in STATES else "True or False."
    if facts.gives == "items":
        return "Each item in turn."
    if facts.variable in ("self", "cls"):
        return "The instance itself." if facts.variable == "self" else "The class itself."
    name = facts.variable.strip("_")
    if len(name) > 2 and name not in _VAGUE:
        return f"The {text(words(name))}."
    return "The result."
