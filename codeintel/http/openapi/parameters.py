"""Describe the parameters of an operation in the path, query and headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET
from werkzeug.routing import Rule

from codeintel.http.openapi.schemas import Schemas
from codeintel.http.operation import Header, Operation
from codeintel.http.requests.query import Parameter, parameters

# Flask's `<name>`, `<converter:name>` and `<converter(arguments):name>`.
_PLACEHOLDER = re.compile(r"<(?:(?P<converter>\w+)(?:\(.*?\))?:)?(?P<name>\w+)>")
_CONVERTERS: dict[str, dict[str, Any]] = {
    "int": {"type": "integer", "minimum": 0},
    "float": {"type": "number"},
    "uuid": {"type": "string", "format": "uuid"},
}


def of_path(rule: Rule) -> tuple[str, list[dict[str, Any]]]:
    """Return the path of a route in OpenAPI's format, and its parameters."""
    found = [
        {
            "name": match["name"],
            "in": "path",
            "required": True,
            "schema": dict(_CONVERTERS.get(match["converter"] or "", {"type": "string"})),
        }
        for match in _PLACEHOLDER.finditer(rule.rule)
    ]
    return _PLACEHOLDER.sub(r"{\g<name>}", rule.rule), found


def of_query(operation: Operation, schemas: Schemas) -> Iterator[dict[str, Any]]:
    """Yield the parameters of the operation's query type."""
    if operation.query is None:
        return
    choices = operation.choices() if operation.choices is not None else {}
    for parameter in parameters(operation.query):
        schema = schemas.of(parameter.type)
        found: dict[str, Any] = {
            "name": parameter.name,
            "in": "query",
            "required": parameter.required,
        }
        if "description" in schema:
            found["description"] = schema.pop("description")
        if parameter.name in choices:
            _choose(schema, parameter, list(choices[parameter.name]))
        if parameter.default is not UNSET:
            schema["default"] = msgspec.json.decode(msgspec.json.encode(parameter.default))
        if parameter.is_list:
            found |= {"style": "form", "explode": False}
        yield {**found, "schema": schema}


def _choose(schema: dict[str, Any], parameter: Parameter, values: list[str]) -> None:
    if parameter.is_list:
        schema["items"] = {**schema["items"], "enum": values}
        return
    for bound in ("minLength", "maxLength"):  # a list of values describes it better
        schema.pop(bound, None)
    schema["enum"] = values


def of_headers(operation: Operation) -> Iterator[dict[str, Any]]:
    """Yield the request headers of the operation."""
    for header in operation.headers:
        yield {"name": header.name, "in": "header", "required": False, **described(header)}


def described(header: Header) -> dict[str, Any]:
    """Return a header's description and schema."""
    return {"description": header.description, "schema": dict(header.schema)}
