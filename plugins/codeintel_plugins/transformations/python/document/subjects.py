"""What a class's name, bases and fields tell."""

from __future__ import annotations

import ast

from codeintel_plugins.transformations.python.document.definitions import Definition, last_name
from codeintel_plugins.transformations.python.document.parameters import Entry, entry
from codeintel_plugins.transformations.python.document.words import capital, text, words

_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_RECORDS = frozenset({"NamedTuple", "TypedDict", "BaseModel", "Struct"})
_DATA_CLASSES = frozenset({"dataclass", "dataclasses", "define", "frozen", "attrs", "attributes"})
_MAX_FIELDS = 60
_WITHOUT = frozenset({"ClassVar", "InitVar", "KW_ONLY", "Final"})


def class_summary(definition: Definition) -> str:
    """One phrase, in the words of the name."""
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
    """The fields of a data class, a named tuple or the like."""
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
