"""JSON schemas in one form, in which they can be compared: without references, and with
alternatives where there are lists of types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Schema = Mapping[str, Any]
BY_TYPE: Mapping[str, tuple[str, ...]] = {
    "string": ("minLength", "maxLength", "pattern", "contentMediaType", "contentSchema"),
    "number": ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"),
    "array": ("items", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains"),
    "object": (
        *("properties", "required", "additionalProperties", "propertyNames"),
        *("minProperties", "maxProperties"),
    ),
}
"""Keywords that say nothing about other types; those of integers are those of numbers."""
UNIONS = frozenset({"anyOf", "oneOf"})
TOLD = frozenset({"title", "description", "default", "examples", "deprecated", "discriminator"})
"""Keywords that a schema of alternatives may also have."""


class Both(NamedTuple):
    """The documents before and after, in which references lead on."""

    before: Schema
    after: Schema

    def resolved(self, old: Any, new: Any) -> tuple[Schema, Schema]:
        """Return two schemas without a reference or a list of types at their top."""
        return _split(_follow(self.before, old)), _split(_follow(self.after, new))


def _follow(document: Schema, schema: Any) -> Schema:
    if schema is True:
        return {}
    if schema is False:
        return {"not": {}}
    while "$ref" in schema:
        rest = {name: value for name, value in schema.items() if name != "$ref"}
        node: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            node = node[part]
        schema = {**node, **rest}
    found: Schema = schema
    return found


def _split(schema: Schema) -> Schema:
    """`type: [string, null]` says the same as `anyOf: [{type: string}, {type: null}]`."""
    types = schema.get("type")
    if not isinstance(types, list) or (len(types) > 1 and UNIONS & schema.keys()):
        return schema
    if len(types) == 1:
        return {**schema, "type": types[0]}
    told = {name: value for name, value in schema.items() if name in TOLD}
    return {**told, "anyOf": [_of_type(schema, each) for each in types]}


def _of_type(schema: Schema, name: str) -> Schema:
    """Return the part of a schema of several types that applies to one of them."""
    own = BY_TYPE.get("number" if name == "integer" else name, ())
    others = {each for keywords in BY_TYPE.values() for each in keywords} - {*own}
    found = {
        keyword: value for keyword, value in schema.items() if keyword not in {*others, *TOLD}
    } | {"type": name}
    if "enum" in found:
        found["enum"] = [value for value in found["enum"] if (value is None) == (name == "null")]
    if name == "null":
        found.pop("enum", None)
        found.pop("format", None)
    return found


def is_union(schema: Schema) -> bool:
    """Return whether the schema only lists alternatives."""
    return bool(UNIONS & schema.keys()) and schema.keys() <= UNIONS | TOLD


def one_of(named: Any, resolved: Schema) -> Schema:
    """Return a schema as alternatives, possibly only one, by its name if it has one."""
    if is_union(resolved):
        return resolved
    schema = named if "$ref" in named else resolved
    return {"anyOf": [{name: value for name, value in schema.items() if name not in TOLD}]}
