"""Make up values for JSON schemas."""

from __future__ import annotations

import json
from typing import Any

from codeintel.web.schemas.shapes import Schema, Shapes

_FORMATS = {"date-time": "2026-01-31T12:00:00Z", "uri": "https://example.com"}
_DEEPEST = 6


def frame(data: dict[str, Any]) -> str:
    """An event as it is sent, its data on one line."""
    return f"id: {data['sequence']}\nevent: {data['type']}\ndata: {json.dumps(data)}\n"


def sample(shapes: Shapes, schema: Schema, depth: int = _DEEPEST) -> Any:
    """Return a value that a schema describes, with all fields and placeholders as values."""
    schema = shapes.resolve(schema)
    if "default" in schema:
        return schema["default"]
    if examples := schema.get("examples"):
        return examples[0]
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
