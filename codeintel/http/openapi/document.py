"""Build the OpenAPI document in one pass over the routes with an operation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from flask import Flask

from codeintel.base.version import API_VERSION
from codeintel.http.openapi import parameters as openapi_parameters, responses
from codeintel.http.openapi.schemas import Schemas
from codeintel.http.operation import JSON, Operation
from codeintel.http.requests.query import parameters
from codeintel.identity.auth import browsers

OPENAPI_VERSION = "3.1.1"
OPENAPI_PATH = "/api/v1/openapi.json"

TAGS = {
    "Analysis": "Find defects in code and stream them as they are found.",
    "Scans": "Scan all files of a repository in one run.",
    "Transformation": "Change code: refactor, convert, optimize, modernize, document.",
    "Runs": "Follow, read and cancel the work that analyses and transformations start.",
    "Search": "Search package and repository registries.",
    "Trust": "Trust scores of packages.",
    "Workspaces": "Push a local workspace into the online editor.",
    "Account": "Tier, credits, limits and prices.",
    "Keys": "API keys of an account.",
    "Capabilities": "The languages, analyzers, engines and rules of this service.",
    "Identity": "The service as an issuer of tokens.",
    "Health": "The health of the service and its dependencies.",
    "Description": "A machine-readable description of this API.",
}
"""The descriptions of the document's sections, in display order. Other tags follow, sorted."""

SESSION = "session"
_CREDENTIALS: dict[str, dict[str, str]] = {
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
        "description": "An API key. If you also send `Authorization`, both must have the same key.",
    },
}
_DESCRIPTION = (
    "Send code, get findings as they are found, a summary in words, and a result that points only "
    "at what is in your code.\n\n"
    "Unknown fields of a request are not errors; answers name them in `ignoredFields`. Clients "
    "must ignore fields and event types that they do not know."
)


class _Route(NamedTuple):
    path: str
    method: str
    operation_id: str
    endpoint: str
    parameters: list[dict[str, Any]]
    operation: Operation
    exempt: bool


def document(app: Flask, public_url: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of all routes whose view function has an `operation`.

    :param public_url: the origin of the service. Empty if only the caller knows it.
    """
    routes = list(_routes(app))
    operations = [route.operation for route in routes]
    schemas = Schemas(
        [type_ for operation in operations for type_ in _request_types(operation)],
        [type_ for operation in operations for type_ in responses.types(operation)],
    )
    # The first operation, for a view with several addresses.
    ids = {route.endpoint: route.operation_id for route in reversed(routes)}
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method] = _operation_object(route, schemas, ids)
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
            "securitySchemes": _security_schemes(operations, public_url),
            "schemas": schemas.components,
            **responses.components((each.operation, each.exempt) for each in routes),
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
            # A second address of a view is a second operation.
            unique = name if seen[name] == 1 else f"{name}{seen[name]}"
            path, parameters = openapi_parameters.of_path(rule)
            yield _Route(
                *(path, method.lower(), unique, rule.endpoint, parameters, operation, exempt)
            )


def _operation_id(endpoint: str) -> str:
    """Return `accountKeysList` for `account_keys.list`. A repeated word is dropped."""
    words = [word for word in re.split(r"[^0-9A-Za-z]+", endpoint) if word]
    kept = [word for at, word in enumerate(words) if at == 0 or word != words[at - 1]]
    return kept[0] + "".join(word[0].upper() + word[1:] for word in kept[1:])


def _request_types(operation: Operation) -> Iterator[Any]:
    """Yield the types of a request that need schemas."""
    if operation.body is not None:
        yield operation.body
    for types in _body_parts(operation).values():
        yield from types
    if operation.query is not None:
        yield from (parameter.type for parameter in parameters(operation.query))


def _body_parts(operation: Operation) -> Mapping[str, Sequence[type[msgspec.Struct]]]:
    return operation.body_parts() if operation.body_parts is not None else {}


def _operation_object(route: _Route, schemas: Schemas, ids: Mapping[str, str]) -> dict[str, Any]:
    """:param ids: the ids of operations, by endpoint."""
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
            *openapi_parameters.of_query(operation, schemas),
            *openapi_parameters.of_headers(operation),
        ],
        "responses": responses.responses(operation, schemas, ids, exempt=route.exempt),
    }
    if operation.scope is not None:
        found["x-required-scope"] = operation.scope.value
    if operation.body is not None:
        found["requestBody"] = _body(operation, operation.body, schemas)
    return {key: value for key, value in found.items() if value or key == "security"}


def _body(operation: Operation, body: type[msgspec.Struct], schemas: Schemas) -> dict[str, Any]:
    """Return the `requestBody` object. Rules of plugins about a body go into its component."""
    media: dict[str, Any] = {"schema": schemas.of(body)}
    component = schemas.components[body.__name__]
    for part, types in _body_parts(operation).items():
        properties = component["properties"]
        properties[part] = {**properties[part], "anyOf": [schemas.of(each) for each in types]}
    if operation.body_rules is not None:
        rules = operation.body_rules(schemas.of)
        for name, more in rules.pop("properties", {}).items():
            component["properties"][name] |= more
        component |= rules
    if operation.body_example:
        media["example"] = dict(operation.body_example)
    return {"required": not operation.body_optional, "content": {JSON: media}}


def _security_schemes(
    operations: Iterable[Operation], public_url: str
) -> dict[str, dict[str, str]]:
    """Return the security schemes, with the session's cookie only if an operation uses it."""
    if not any(operation.session for operation in operations):
        return _CREDENTIALS
    is_https = public_url.startswith("https://")
    cookie = {
        "type": "apiKey",
        "in": "cookie",
        "name": browsers.SECURE if is_https else browsers.PLAIN,
        "description": (
            "The session of a signed-in browser. Requests that change something must come from the "
            "service's own pages, with `Sec-Fetch-Site: same-origin` or the service's `Origin`."
        ),
    }
    return {**_CREDENTIALS, SESSION: cookie}


def _security(route: _Route) -> list[dict[str, list[str]]]:
    if route.exempt:
        return []
    if route.operation.session:
        return [{SESSION: []}]
    required: list[dict[str, list[str]]] = [{"bearer": []}, {"apiKey": []}]
    return required if route.operation.authenticated else [{}, *required]


def _tags(used: set[str]) -> list[dict[str, str]]:
    known = [tag for tag in TAGS if tag in used]
    described = [{"name": tag, "description": TAGS[tag]} for tag in known]
    return described + [{"name": tag} for tag in sorted(used - set(known))]
