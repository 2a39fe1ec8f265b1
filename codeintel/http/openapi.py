"""The OpenAPI document, from one walk over the routes that carry an operation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from flask import Flask
from msgspec import UNSET
from werkzeug.routing import Rule

from codeintel import API_VERSION
from codeintel.http import openapi_responses
from codeintel.http.operation import JSON, Operation
from codeintel.http.query import parameters
from codeintel.http.schemas import Schemas

OPENAPI_VERSION = "3.1.1"
OPENAPI_PATH = "/api/v1/openapi.json"

TAGS = {
    "Analysis": "Find defects in code and stream them as they are found.",
    "Transformation": "Change code: refactor, convert, optimise, modernise, document.",
    "Runs": "Follow, read and cancel the work that analyses and transformations start.",
    "Search": "Search package and repository registries.",
    "Trust": "How far packages can be relied upon.",
    "Workspaces": "Push a local workspace into the online editor.",
    "Account": "Tier, credits, limits and prices.",
    "Keys": "API keys of an account.",
    "Capabilities": "What this service knows: languages, analysers, engines, rules.",
    "Health": "Whether the service and what it depends on work.",
    "Description": "This API, described for programs.",
}
"""What the sections of the document are about, in their order; other tags follow, sorted."""

_SECURITY_SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "API key",
        "description": "`Authorization: Bearer` with an API key.",
    },
    "apiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "x-api-key",
        "description": "An API key. Sent beside `Authorization`, it must be the same key.",
    },
}

# Flask's `<name>`, `<converter:name>` and `<converter(arguments):name>`.
_PLACEHOLDER = re.compile(r"<(?:(?P<converter>\w+)(?:\(.*?\))?:)?(?P<name>\w+)>")
_CONVERTERS: dict[str, dict[str, Any]] = {
    "int": {"type": "integer", "minimum": 0},
    "float": {"type": "number"},
    "uuid": {"type": "string", "format": "uuid"},
}


class _Route(NamedTuple):
    path: str
    method: str
    operation_id: str
    parameters: list[dict[str, Any]]
    operation: Operation
    exempt: bool


_DESCRIPTION = (
    "Send code, get findings as they are found, a summary in words, and a result that points only "
    "at what is in your code.\n\n"
    "Unknown fields of a request are not errors; answers name them in `ignoredFields`. Clients "
    "must ignore fields and event types that they do not know."
)


def document(app: Flask, public_url: str) -> dict[str, Any]:
    """The OpenAPI 3.1 document of all routes whose view function has an `operation`.

    :param public_url: origin of the service; empty when only the caller can know it.
    """
    routes = list(_routes(app))
    operations = [route.operation for route in routes]
    schemas = Schemas(
        [type_ for operation in operations for type_ in _request_types(operation)],
        [type_ for operation in operations for type_ in openapi_responses.types(operation)],
    )
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method] = _operation_object(route, schemas)
    return {
        "openapi": OPENAPI_VERSION,
        "info": {
            "title": "codeintel",
            "version": API_VERSION,
            "summary": "Self-hosted code intelligence.",
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": public_url or "/"}],
        "tags": _tags({operation.tag for operation in operations}),
        "paths": paths,
        "components": {
            "securitySchemes": _SECURITY_SCHEMES,
            "schemas": schemas.components,
            **openapi_responses.components(),
        },
    }


def _routes(app: Flask) -> Iterator[_Route]:
    seen: Counter[str] = Counter()
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint)):
        view = app.view_functions.get(rule.endpoint)
        operation = getattr(view, "operation", None)
        if not isinstance(operation, Operation):
            continue
        exempt = getattr(view, "exempt", False)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            name = _operation_id(rule.endpoint)
            seen[name] += 1
            # The same view under a second address is a second operation.
            unique = name if seen[name] == 1 else f"{name}{seen[name]}"
            path = _PLACEHOLDER.sub(r"{\g<name>}", rule.rule)
            parameters = _path_parameters(rule)
            yield _Route(path, method.lower(), unique, parameters, operation, exempt)


def _operation_id(endpoint: str) -> str:
    """`accountKeysList` for `account_keys.list`; a word said twice in a row is said once."""
    words = [word for word in re.split(r"[^0-9A-Za-z]+", endpoint) if word]
    kept = [word for at, word in enumerate(words) if at == 0 or word != words[at - 1]]
    return kept[0] + "".join(word[0].upper() + word[1:] for word in kept[1:])


def _path_parameters(rule: Rule) -> list[dict[str, Any]]:
    return [
        {
            "name": match["name"],
            "in": "path",
            "required": True,
            "schema": dict(_CONVERTERS.get(match["converter"] or "", {"type": "string"})),
        }
        for match in _PLACEHOLDER.finditer(rule.rule)
    ]


def _request_types(operation: Operation) -> Iterator[Any]:
    """The types that the parts of a request need schemas of."""
    if operation.body is not None:
        yield operation.body
    for types in _body_parts(operation).values():
        yield from types
    if operation.query is not None:
        yield from (parameter.type for parameter in parameters(operation.query))


def _body_parts(operation: Operation) -> Mapping[str, Sequence[type[msgspec.Struct]]]:
    return operation.body_parts() if operation.body_parts is not None else {}


def _query_parameters(operation: Operation, schemas: Schemas) -> Iterator[dict[str, Any]]:
    if operation.query is None:
        return
    for parameter in parameters(operation.query):
        schema = schemas.of(parameter.type)
        found: dict[str, Any] = {
            "name": parameter.name,
            "in": "query",
            "required": parameter.required,
        }
        if "description" in schema:
            found["description"] = schema.pop("description")
        if parameter.default is not UNSET:
            schema["default"] = msgspec.json.decode(msgspec.json.encode(parameter.default))
        if parameter.is_list:
            found |= {"style": "form", "explode": False}
        yield {**found, "schema": schema}


def _header_parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for header in operation.headers:
        yield {
            "name": header.name,
            "in": "header",
            "required": False,
            "description": header.description,
            "schema": dict(header.schema),
        }


def _operation_object(route: _Route, schemas: Schemas) -> dict[str, Any]:
    operation = route.operation
    description = [operation.description] if operation.description else []
    if operation.scope is not None:
        description.append(f"An API key needs the scope `{operation.scope}`.")
    found: dict[str, Any] = {
        "operationId": route.operation_id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": "\n\n".join(description),
        "security": _security(route),
        "parameters": [
            *route.parameters,
            *_query_parameters(operation, schemas),
            *_header_parameters(operation),
        ],
        "responses": openapi_responses.responses(operation, schemas, exempt=route.exempt),
    }
    if operation.scope is not None:
        found["x-required-scope"] = operation.scope.value
    if operation.body is not None:
        media: dict[str, Any] = {"schema": schemas.of(operation.body)}
        for part, types in _body_parts(operation).items():
            properties = schemas.components[operation.body.__name__]["properties"]
            properties[part] = {**properties[part], "anyOf": [schemas.of(each) for each in types]}
        if operation.body_example:
            media["example"] = dict(operation.body_example)
        found["requestBody"] = {"required": True, "content": {JSON: media}}
    return {key: value for key, value in found.items() if value or key == "security"}


def _security(route: _Route) -> list[dict[str, list[str]]]:
    if route.exempt:
        return []
    required: list[dict[str, list[str]]] = [{"bearer": []}, {"apiKey": []}]
    return required if route.operation.authenticated else [{}, *required]


def _tags(used: set[str]) -> list[dict[str, str]]:
    known = [tag for tag in TAGS if tag in used]
    described = [{"name": tag, "description": TAGS[tag]} for tag in known]
    return described + [{"name": tag} for tag in sorted(used - set(known))]
