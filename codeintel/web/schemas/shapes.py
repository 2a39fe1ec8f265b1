"""Read JSON schemas as rows of a table."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codeintel.web.schemas.patterns import pattern_words
from codeintel.web.text import paragraphs

Schema = dict[str, Any]

_BOUNDS = (
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
    ("minProperties", "maxProperties", " keys"),
    ("minimum", "maximum", ""),
)
_DEEPEST = 8


@dataclass(frozen=True)
class Pattern:
    """A regular expression with its words."""

    words: str
    regex: str


@dataclass(frozen=True)
class Row:
    """One field. `object` is the component that describes its type further, or None."""

    name: str
    type: str
    object: str | None
    constraints: tuple[str, ...]
    required: bool
    description: str
    patterns: tuple[Pattern, ...] = ()


class Shapes:
    """Reads the schemas of one OpenAPI document."""

    def __init__(self, document: Schema) -> None:
        self.components: dict[str, Schema] = document["components"]["schemas"]

    def resolve(self, schema: Schema) -> Schema:
        """The schema behind a reference, or the schema itself."""
        reference = schema.get("$ref")
        return self.components[_name(reference)] if reference else schema

    def rows(
        self, schema: Schema, depth: int = 0, opaque: frozenset[str] = frozenset()
    ) -> list[Row]:
        """The fields of an object, with the fields of objects within it down to `depth` levels.

        :param opaque: components whose fields are left out at any depth.
        """
        return list(self._rows(self.resolve(schema), "", depth, opaque))

    def all_rows(self, schema: Schema) -> list[Row]:
        """The fields of an object and of everything within it; a recursion is entered once."""
        return self.rows(schema, _DEEPEST)

    def objects_in(self, schema: Schema) -> list[str]:
        """Return the components with fields that a schema refers to, the nearest first."""
        found: dict[str, None] = {}
        waiting = deque([schema])
        while waiting:
            for reference in _references(waiting.popleft()):
                name = _name(reference)
                if name not in found:
                    found[name] = None
                    waiting.append(self.components[name])
        return [name for name in found if "properties" in self.components[name]]

    def _rows(self, schema: Schema, prefix: str, depth: int, seen: frozenset[str]) -> Iterator[Row]:
        required = schema.get("required", ())
        for name, value in schema.get("properties", {}).items():
            yield self.row(prefix + name, value, name in required)
            found = self._inner(value)
            if depth and found and found[1] not in seen:
                suffix, component = found
                inner = self.components[component]
                path = f"{prefix}{name}{suffix}."
                yield from self._rows(inner, path, depth - 1, seen | {component})

    def row(self, name: str, schema: Schema, required: bool) -> Row:
        """Return a field. Without a description, it gets the description of its type."""
        found = self._inner(schema)
        text = schema.get("description") or self.resolve(schema).get("description", "")
        return Row(
            name=name,
            type=self.words(schema),
            object=found[1] if found else None,
            constraints=tuple(self._constraints(schema)),
            required=required,
            description=next(iter(paragraphs(text)), ""),
            patterns=tuple(self._patterns(schema)),
        )

    def words(self, schema: Schema) -> str:
        """The type in words, such as `array of string` or `integer or null`."""
        if "$ref" in schema and self._is_object(schema):
            return _name(schema["$ref"])
        schema = self.resolve(schema)
        if options := schema.get("anyOf") or schema.get("oneOf"):
            names = list(dict.fromkeys(self.words(option) for option in options))
            # JSON knows one kind of number.
            return " or ".join(n for n in names if n != "integer" or "number" not in names)
        kind = str(schema.get("type", "any value"))
        if kind == "array":
            return f"array of {self.words(schema.get('items', {}))}"
        values = schema.get("additionalProperties")
        if kind == "object" and isinstance(values, dict):
            return f"map of string to {self.words(values)}"
        return f"{kind} ({schema['format']})" if "format" in schema else kind

    def _constraints(self, schema: Schema) -> Iterator[str]:
        resolved = self.resolve(schema)
        for option in resolved.get("anyOf", ()):
            yield from self._constraints(option)
        if resolved.get("type") == "array":
            yield from self._constraints(resolved.get("items", {}))
        if enum := resolved.get("enum"):
            values = ", ".join(f"`{value}`" for value in enum)
            yield f"one of {values}" if len(enum) > 1 else f"always {values}"
        for low, high, unit in _BOUNDS:
            if text := _bounds(resolved.get(low), resolved.get(high)):
                yield text + (unit.removesuffix("s") if text.endswith(" 1") else unit)
        if "pattern" in resolved and not pattern_words(resolved["pattern"]):
            yield f"matches `{resolved['pattern']}`"
        default = schema.get("default")
        if default not in (None, "", [], {}):
            yield f"default {_default(default)}"

    def _patterns(self, schema: Schema) -> Iterator[Pattern]:
        """Yield the regular expressions that have words. The others are constraints."""
        resolved = self.resolve(schema)
        for option in resolved.get("anyOf", ()):
            yield from self._patterns(option)
        if resolved.get("type") == "array":
            yield from self._patterns(resolved.get("items", {}))
        keys = resolved.get("propertyNames", {}).get("pattern", "")
        for regex, what in ((resolved.get("pattern", ""), ""), (keys, "keys: ")):
            if words := pattern_words(regex):
                yield Pattern(what + words, regex)

    def _inner(self, schema: Schema) -> tuple[str, str] | None:
        """Return the object in a field, its lists, maps and alternatives.

        The first value is the rest of the path to its fields, the second is its component.
        """
        if self._is_object(schema):
            return ("", _name(schema["$ref"])) if "$ref" in schema else None
        for option in schema.get("anyOf", ()):
            if found := self._inner(option):
                return found
        for key, suffix in (("items", "[]"), ("additionalProperties", ".*")):
            value = schema.get(key)
            if isinstance(value, dict) and (found := self._inner(value)):
                return suffix + found[0], found[1]
        return None

    def _is_object(self, schema: Schema) -> bool:
        return "properties" in self.resolve(schema)


def _references(value: Any) -> Iterator[str]:
    """Yield the references to components of schemas, in order."""
    if isinstance(value, dict):
        if str(value.get("$ref", "")).startswith("#/components/schemas/"):
            yield value["$ref"]
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _default(value: Any) -> str:
    """Return a default value as Markdown: the items of a list, a JSON value otherwise."""
    if isinstance(value, list):
        return ", ".join(_default(each) for each in value)
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"


def _bounds(low: Any, high: Any) -> str:
    if low is not None and high is not None:
        return f"{low:,} to {high:,}"
    if low is not None:
        return f"at least {low:,}"
    return f"at most {high:,}" if high is not None else ""
