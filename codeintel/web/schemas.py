"""JSON schemas for readers: as rows of a table, as samples of a body, and in curl commands."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codeintel.web.text import paragraphs

Schema = dict[str, Any]

_BOUNDS = (
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
    ("minProperties", "maxProperties", " keys"),
    ("minimum", "maximum", ""),
)
_DEEPEST = 8
_PARAMETER = re.compile(r"\{(\w+)\}")
_FORMATS = {"date-time": "2026-01-31T12:00:00Z", "uri": "https://example.com"}
_DEEPEST_SAMPLE = 6


@dataclass(frozen=True)
class Row:
    """One field. `object` is the component that describes its type further, or None."""

    name: str
    type: str
    object: str | None
    constraints: tuple[str, ...]
    required: bool
    description: str


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
        """One field. Without a description of its own it has that of its type."""
        found = self._inner(schema)
        text = schema.get("description") or self.resolve(schema).get("description", "")
        return Row(
            name=name,
            type=self.words(schema),
            object=found[1] if found else None,
            constraints=tuple(self._constraints(schema)),
            required=required,
            description=next(iter(paragraphs(text)), ""),
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
        if "pattern" in resolved:
            yield f"matches `{resolved['pattern']}`"
        default = schema.get("default")
        if default not in (None, "", [], {}):
            shown = str(default).lower() if isinstance(default, bool) else default
            yield f"default `{shown}`"

    def _inner(self, schema: Schema) -> tuple[str, str] | None:
        """The object that a field holds, in lists, maps and alternatives too: how the path to its
        fields goes on, and the component's name."""
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


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _bounds(low: Any, high: Any) -> str:
    if low is not None and high is not None:
        return f"{low:,} to {high:,}"
    if low is not None:
        return f"at least {low:,}"
    return f"at most {high:,}" if high is not None else ""


def pretty(value: Any) -> str:
    """JSON for people to read."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def curl(
    base: str,
    method: str,
    path: str,
    *,
    key: bool,
    example: Any,
    stream: bool,
    cookie: str = "",
) -> str:
    """A command for a POSIX shell. Path parameters become shell variables, as the key is one.

    :param base: origin of the service.
    :param key: whether to send an API key.
    :param example: the JSON body, or None for none.
    :param cookie: name of the session's cookie, where that is the credential.
    """
    # In double quotes a shell still reads these four characters.
    origin = re.sub(r'([\\"$`])', r"\\\1", base.rstrip("/"))
    address = _PARAMETER.sub(lambda match: "$" + match[1].upper(), path)
    flags = ["curl"]
    if stream:
        flags.append("--no-buffer")
    if method != "GET" and not (method == "POST" and example is not None):
        flags += ["-X", method]
    lines = [f'{" ".join(flags)} "{origin}{address}"']
    if key:
        lines.append('-H "Authorization: Bearer $CODEINTEL_API_KEY"')
    if cookie:
        lines.append(f'-b "{cookie}=$CODEINTEL_SESSION"')
        if method != "GET":
            lines.append('-H "Sec-Fetch-Site: same-origin"')
    if example is not None:
        lines.append('-H "Content-Type: application/json"')
        lines.append(f"-d {shlex.quote(pretty(example))}")
    return " \\\n  ".join(lines)


def frame(data: dict[str, Any]) -> str:
    """An event as it is sent, its data on one line."""
    return f"id: {data['sequence']}\nevent: {data['type']}\ndata: {json.dumps(data)}\n"


def sample(shapes: Shapes, schema: Schema, depth: int = _DEEPEST_SAMPLE) -> Any:
    """A value of the shape that a schema describes, every field present, types as placeholders."""
    schema = shapes.resolve(schema)
    if "default" in schema:
        return schema["default"]
    if enum := schema.get("enum"):
        return enum[0]
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return sample(shapes, options[0], depth)
    match schema.get("type"):
        case "object" if "properties" in schema:
            fields = schema["properties"].items() if depth else ()
            return {name: sample(shapes, value, depth - 1) for name, value in fields}
        case "object":
            values = schema.get("additionalProperties")
            return {"name": sample(shapes, values, depth - 1)} if values and depth else {}
        case "array":
            return [sample(shapes, schema["items"], depth - 1)] if depth else []
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return True
        case "null":
            return None
    return _FORMATS.get(schema.get("format", ""), "string")
