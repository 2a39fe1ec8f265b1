"""`/docs`: the documentation of the API, written from its OpenAPI document."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, cast

from flask import Response, current_app
from limits import RateLimitItem
from markupsafe import Markup, escape

from codeintel.base.entitlements import Scope, Tier
from codeintel.base.errors import ErrorCode
from codeintel.http.openapi.document import SESSION, document
from codeintel.http.operation import EVENT_STREAM, JSON
from codeintel.http.protection import shown_origin
from codeintel.platform.config import Settings
from codeintel.platform.limits.service import rate_text
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.schemas import Row, Schema, Shapes, curl, frame, pretty, sample
from codeintel.web.text import inline, paragraphs

_ERROR = {"$ref": "#/components/schemas/ErrorEnvelope"}
_META = frozenset({"Meta"})
_EVENTS = "RunEvent"
_CACHE = "codeintel.docs"
_ANY_BASE = "http://address-of-this-service.invalid"


@dataclass(frozen=True)
class AnswerView:
    """A success response. `shape` is a body as text, empty for none."""

    status: int
    phrase: str
    description: str
    media_type: str
    rows: list[Row]
    shape: str


@dataclass(frozen=True)
class ErrorView:
    """One thing that can go wrong."""

    status: int
    code: str
    meaning: str


@dataclass(frozen=True)
class OperationView:
    """One operation; `example` and `body` are empty where it takes no body. `session` if
    only that of a browser is a credential."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    authenticated: bool
    session: bool
    parameters: list[Row]
    body: list[Row]
    curl: str
    answers: list[AnswerView]
    errors: list[ErrorView]
    streams: bool


@dataclass(frozen=True)
class TagView:
    """Operations that belong together."""

    id: str
    name: str
    description: str
    operations: list[OperationView]


@dataclass(frozen=True)
class ObjectView:
    """A named object with its own fields, or an event, then named by its type."""

    id: str
    name: str
    description: str
    rows: list[Row]


@dataclass(frozen=True)
class Reference:
    """All of the page that comes from the document. `event_rows` is what every event has."""

    title: str
    version: str
    description: str
    tags: list[TagView]
    event_rows: list[Row]
    events: list[ObjectView]
    objects: list[ObjectView]
    linked: frozenset[str]
    headers: list[tuple[str, str]]
    error_example: str


def reference(document: Schema, base: str) -> Reference:
    """What the page shows.

    :param document: from `codeintel.http.openapi.document.document`.
    :param base: origin for the commands.
    """
    shapes = Shapes(document)
    event_rows, events = _events(shapes)
    objects = _objects(document, shapes)
    components = document["components"]
    return Reference(
        title=document["info"]["title"],
        version=document["info"]["version"],
        description=document["info"]["description"],
        tags=_tags(document, shapes, base),
        event_rows=event_rows,
        events=events,
        objects=objects,
        linked=frozenset(each.name for each in objects),
        headers=[(name, each["description"]) for name, each in components["headers"].items()],
        error_example=pretty(components["examples"]["rate_limit_exceeded"]["value"]),
    )


def _tags(document: Schema, shapes: Shapes, base: str) -> list[TagView]:
    operations = defaultdict(list)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            view = _operation(document, shapes, base, f"{method.upper()} {path}", operation)
            operations[operation["tags"][0]].append(view)
    return [
        TagView(f"tag-{_slug(name)}", name, tag.get("description", ""), operations[name])
        for tag in document["tags"]
        for name in [tag["name"]]
    ]


def _operation(
    document: Schema, shapes: Shapes, base: str, address: str, operation: Schema
) -> OperationView:
    method, path = address.split(" ", 1)
    media = operation.get("requestBody", {}).get("content", {}).get(JSON)
    security = operation["security"]
    authenticated = bool(security) and {} not in security
    cookie = _cookie(document) if {SESSION: []} in security else ""
    streams = any(
        EVENT_STREAM in each.get("content", {}) for each in operation["responses"].values()
    )
    example = None
    if media is not None:
        example = media.get("example") or sample(shapes, media["schema"])
    answers, errors = _responses(document, shapes, operation["responses"])
    return OperationView(
        id=f"operation-{operation['operationId']}",
        method=method,
        path=path,
        summary=operation["summary"],
        description=operation.get("description", ""),
        authenticated=authenticated,
        parameters=[_parameter(shapes, each) for each in operation.get("parameters", ())],
        body=shapes.all_rows(media["schema"]) if media else [],
        session=bool(cookie),
        curl=curl(
            base,
            method,
            path,
            key=authenticated and not cookie,
            example=example,
            stream=streams,
            cookie=cookie,
        ),
        answers=answers,
        errors=errors,
        streams=streams,
    )


def _cookie(document: Schema) -> str:
    """The name of the session's cookie."""
    name: str = document["components"]["securitySchemes"][SESSION]["name"]
    return name


def _parameter(shapes: Shapes, parameter: Schema) -> Row:
    schema = {**parameter["schema"]}
    if "description" in parameter:
        schema["description"] = parameter["description"]
    row = shapes.row(parameter["name"], schema, parameter.get("required", False))
    return replace(row, constraints=(f"in the {parameter['in']}", *row.constraints))


def _responses(
    document: Schema, shapes: Shapes, responses: Schema
) -> tuple[list[AnswerView], list[ErrorView]]:
    examples = document["components"]["examples"]
    answers, errors = [], []
    for status, response in responses.items():
        content = dict(response.get("content", {}))
        codes = content.get(JSON, {}).get("examples", {})
        errors += [ErrorView(int(status), code, examples[code]["summary"]) for code in codes]
        if codes:
            # The error envelope, alone or beside the body of an answer with the same status.
            schema = content.pop(JSON)["schema"]
            for each in schema.get("anyOf", ()):
                if each != _ERROR:
                    content[JSON] = {"schema": each}
        if content or not codes:
            answers.append(_answer(shapes, int(status), response["description"], content))
    return answers, errors


def _answer(shapes: Shapes, status: int, description: str, content: Schema) -> AnswerView:
    media_type = next(iter(content), "")
    schema: Schema = content[media_type]["schema"] if media_type else {}
    rows: list[Row] = []
    shape = ""
    if media_type == EVENT_STREAM:
        event = sample(shapes, schema["anyOf"][-1])
        shape = frame(event) if "sequence" in event and "type" in event else ""
    elif schema:
        enveloped = {"data", "meta"} <= shapes.resolve(schema).get("properties", {}).keys()
        rows = shapes.rows(schema, depth=1 if enveloped else 0, opaque=_META)
        shape = pretty(sample(shapes, schema))
    phrase = HTTPStatus(status).phrase
    first = description.split("\n\n", 1)[0]
    return AnswerView(status, phrase, first, media_type, rows, shape)


def _events(shapes: Shapes) -> tuple[list[Row], list[ObjectView]]:
    """The fields that every event has, and each event with its other fields."""
    mapping = shapes.components.get(_EVENTS, {}).get("discriminator", {}).get("mapping", {})
    schemas = {type_: shapes.resolve({"$ref": target}) for type_, target in mapping.items()}
    if not schemas:
        return [], []
    shared = set.intersection(*(set(schema["properties"]) for schema in schemas.values()))
    first = next(iter(schemas.values()))["properties"]
    properties = {name: value for name, value in first.items() if name in shared}
    properties["type"] = {"type": "string", "enum": list(schemas)}
    common = {"properties": properties, "required": list(shared)}
    events = [
        ObjectView(
            id=f"event-{_slug(type_)}",
            name=type_,
            description=schema.get("description", ""),
            rows=[row for row in shapes.rows(schema) if row.name not in shared],
        )
        for type_, schema in schemas.items()
    ]
    return shapes.rows(common), events


def _objects(document: Schema, shapes: Shapes) -> list[ObjectView]:
    """The named objects that have no place of their own on the page: neither events nor bodies."""
    events = shapes.components.get(_EVENTS, {}).get("discriminator", {}).get("mapping", {})
    elsewhere = {target.rpartition("/")[2] for target in events.values()}
    for methods in document["paths"].values():
        for operation in methods.values():
            body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
            elsewhere.add(body.get("schema", {}).get("$ref", "").rpartition("/")[2])
    return [
        ObjectView(f"object-{name}", name, schema.get("description", ""), shapes.rows(schema))
        for name, schema in shapes.components.items()
        if "properties" in schema and name not in elsewhere
    ]


def _slug(text: str) -> str:
    return re.sub(r"[^0-9a-z]+", "-", text.lower()).strip("-")


@blueprint.get("/docs")
def docs() -> Response:
    """The documentation, as one page that needs no script."""
    settings = cast(Settings, current_app.extensions["codeintel"].settings)
    parts: dict[str, str] | None = current_app.extensions.get(_CACHE)
    if parts is None:
        parts = current_app.extensions[_CACHE] = _parts(settings, _ANY_BASE)
    # Without a public URL callers choose the address: the parts are made once for all of them.
    base = str(escape(shown_origin()))
    own = {name: Markup(part.replace(_ANY_BASE, base)) for name, part in parts.items()}  # noqa: S704
    return page_answer(render_page("docs.html", **own))


def _parts(settings: Settings, base: str) -> dict[str, str]:
    """What is the same for all visitors, and takes long."""
    shown = {
        "reference": reference(document(current_app, settings.public_url), base),
        "error_codes": tuple(ErrorCode),
        "scopes": tuple(Scope),
        "limits": _limits(settings),
        "inline": inline,
        "paragraphs": paragraphs,
    }
    names = ("contents", "text")
    return {name: render_page(f"docs_{name}.html", **shown) for name in names}


def _limits(settings: Settings) -> dict[str, Any]:
    return {
        "default": _rate(settings.limit_default, ("request", "requests")),
        "lookup": _rate(settings.trust_lookups, ("package", "packages")),
        "failed_auth": _rate(settings.limit_failed_auth, ("time", "times")),
        "tiers": [(tier, settings.tier_limits(tier)) for tier in Tier],
    }


def _rate(item: RateLimitItem, counted: tuple[str, str]) -> str:
    return rate_text(item.amount, counted, item.get_expiry())
