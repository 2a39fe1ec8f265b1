"""What a body of a transformation must have beyond the types of its fields, as JSON Schema. Pure.

`if`, `then` and `else`, as generators of clients pass over them and keep the types; a union of
bodies would be no type at all to some.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codeintel.api.transformations.body import WrappedRequest
from codeintel.contracts import TransformationKind
from codeintel.http.openapi.schemas import REF

_OF_THE_FIRST = (
    "code",
    "transformation",
    "language",
    "sourceLanguage",
    "targetLanguage",
    "options",
)


def body_rules(
    kinds: Sequence[TransformationKind], schema_of: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    """Keywords for the schema of the body.

    :param kinds: in the order in which they are listed.
    :param schema_of: gives the schema of a kind's options.
    """
    first: dict[str, Any] = {}
    for kind in reversed(kinds):
        first = _rule(kind, schema_of(kind.options), first)
    return {
        "properties": {"transformation": {"enum": [kind.name for kind in kinds]}},
        "if": {
            "required": ["request"],
            "properties": {"request": {"$ref": REF.format(name=WrappedRequest.__name__)}},
        },
        "then": {
            "properties": {**dict.fromkeys(_OF_THE_FIRST, False), "instructions": {"const": ""}}
        },
        "else": {
            "required": ["code", "transformation"],
            # They are the same, so one is enough.
            "not": {"required": ["language", "sourceLanguage"]},
            **first,
        },
    }


def _rule(
    kind: TransformationKind, options: dict[str, Any], others: dict[str, Any]
) -> dict[str, Any]:
    needs: dict[str, Any] = {"properties": {"options": options}}
    if kind.changes_language:
        needs["required"] = ["targetLanguage"]
    else:
        needs["properties"]["targetLanguage"] = False
    rule = {"if": {"properties": {"transformation": {"const": kind.name}}}, "then": needs}
    return {**rule, "else": others} if others else rule
