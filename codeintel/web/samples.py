"""Texts to copy: curl commands, and the shape of a body as JSON."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

from codeintel.web.fields import Schema, Shapes

_PARAMETER = re.compile(r"\{(\w+)\}")
_FORMATS = {"date-time": "2026-01-31T12:00:00Z", "uri": "https://example.com"}
_DEEPEST = 6


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


def sample(shapes: Shapes, schema: Schema, depth: int = _DEEPEST) -> Any:
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
