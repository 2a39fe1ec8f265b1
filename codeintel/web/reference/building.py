"""Build the API reference from the OpenAPI document. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

from codeintel.http.openapi.document import SESSION
from codeintel.http.operation import JSON
from codeintel.web.reference.answers import answers_of, event_data
from codeintel.web.reference.examples import SampleRequest, examples
from codeintel.web.reference.inputs import example_value, inputs
from codeintel.web.reference.views import (
    AnswerView,
    ObjectView,
    OperationView,
    Reference,
    TagView,
    slug,
    slug_of,
)
from codeintel.web.schemas.commands import pretty
from codeintel.web.schemas.samples import sample
from codeintel.web.schemas.shapes import Row, Schema, Shapes

_EVENTS = "RunEvent"
_FILES = {"application/zip": "workspace.zip"}
"""Names of answers to store in a file."""


def reference(document: Schema, base: str) -> Reference:
    """Return the reference.

    :param document: from `codeintel.http.openapi.document.document`.
    :param base: origin for the examples.
    """
    shapes = Shapes(document)
    tags = _tags(document, shapes, base)
    event_rows, events = _events(shapes)
    objects = _objects(document, shapes, tags)
    components = document["components"]
    named = {each.name: each for each in objects}
    in_events = shapes.objects_in({"$ref": f"#/components/schemas/{_EVENTS}"}) if events else ()
    return Reference(
        title=document["info"]["title"],
        version=document["info"]["version"],
        description=document["info"]["description"],
        tags=tags,
        event_rows=event_rows,
        events=events,
        event_objects=[named[name] for name in in_events if name in named],
        objects=objects,
        headers=[(name, each["description"]) for name, each in components["headers"].items()],
        error_example=pretty(components["examples"]["rate_limit_exceeded"]["value"]),
        linked=frozenset(named),
    )


def _tags(document: Schema, shapes: Shapes, base: str) -> list[TagView]:
    operations = defaultdict(list)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            view = _operation(document, shapes, base, (method.upper(), path), operation)
            operations[view.tag].append(view)
    return [
        TagView(f"tag-{slug(name)}", name, tag.get("description", ""), operations[name])
        for tag in document["tags"]
        for name in [tag["name"]]
    ]


def _operation(
    document: Schema, shapes: Shapes, base: str, address: tuple[str, str], operation: Schema
) -> OperationView:
    method, path = address
    media = operation.get("requestBody", {}).get("content", {}).get(JSON)
    security = operation["security"]
    parameters = operation.get("parameters", [])
    is_authenticated = bool(security) and {} not in security
    is_session = {SESSION: []} in security
    answers, errors = answers_of(document, shapes, operation["responses"])
    body = None
    if media is not None:
        body = media.get("example") or sample(shapes, media["schema"])
    cookie = document["components"]["securitySchemes"][SESSION]["name"] if is_session else ""
    request = SampleRequest(
        base=base,
        method=method,
        path=path,
        query=_query(shapes, parameters),
        key=is_authenticated and not is_session,
        cookie=cookie,
        body=body,
        answer=_kind(answers),
        file=_FILES.get(answers[0].media_type, "") if answers else "",
    )
    return OperationView(
        id=operation["operationId"],
        slug=slug_of(operation["operationId"]),
        tag=operation["tags"][0],
        method=method,
        path=path,
        summary=operation["summary"],
        description=operation.get("description", ""),
        authenticated=is_authenticated,
        session=is_session,
        public=not security,
        parameters=[_parameter(shapes, each) for each in parameters],
        body=shapes.all_rows(media["schema"]) if media else [],
        sample=pretty(body) if body is not None else "",
        inputs=inputs(shapes, parameters),
        examples=examples(request),
        answers=answers,
        errors=errors,
        streams=_kind(answers) == "events",
    )


def _query(shapes: Shapes, parameters: list[Schema]) -> dict[str, Any]:
    values = {
        each["name"]: example_value(shapes, each) for each in parameters if each["in"] == "query"
    }
    return {name: value for name, value in values.items() if value is not None}


def _kind(answers: list[AnswerView]) -> str:
    """Return the first response, in the form that the examples need."""
    media_type = answers[0].media_type if answers else ""
    if media_type in _FILES:
        return "file"
    kinds = {"": "nothing", "text/event-stream": "events", JSON: "json"}
    return kinds.get(media_type, "text")


def _parameter(shapes: Shapes, parameter: Schema) -> Row:
    schema = {**parameter["schema"]}
    if "description" in parameter:
        schema["description"] = parameter["description"]
    row = shapes.row(parameter["name"], schema, parameter.get("required", False))
    return replace(row, constraints=(f"in the {parameter['in']}", *row.constraints))


def _events(shapes: Shapes) -> tuple[list[Row], list[ObjectView]]:
    """Return the fields that every event has, and each event with its other fields."""
    schemas = {
        type_: shapes.components[name] for type_, name in event_data(shapes, _EVENTS).items()
    }
    if not schemas:
        return [], []
    shared = set.intersection(*(set(schema["properties"]) for schema in schemas.values()))
    first = next(iter(schemas.values()))["properties"]
    properties = {name: value for name, value in first.items() if name in shared}
    properties["type"] = {"type": "string", "enum": list(schemas)}
    common = {"properties": properties, "required": list(shared)}
    events = [
        ObjectView(
            id=f"event-{slug(type_)}",
            name=type_,
            description=schema.get("description", ""),
            rows=[row for row in shapes.rows(schema) if row.name not in shared],
        )
        for type_, schema in schemas.items()
    ]
    return shapes.rows(common), events


def _objects(document: Schema, shapes: Shapes, tags: list[TagView]) -> list[ObjectView]:
    """Return the named objects that are neither events nor bodies of requests."""
    elsewhere = set(event_data(shapes, _EVENTS).values())
    users = defaultdict(list)
    for methods in document["paths"].values():
        for operation in methods.values():
            body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
            elsewhere.add(body.get("schema", {}).get("$ref", "").rpartition("/")[2])
            successes = {
                status: each
                for status, each in operation["responses"].items()
                if status.startswith("2")
            }
            for name in shapes.objects_in(successes):
                users[name].append(slug_of(operation["operationId"]))
    order = [each.slug for tag in tags for each in tag.operations]
    return [
        ObjectView(
            f"object-{name}",
            name,
            schema.get("description", ""),
            shapes.rows(schema),
            tuple(sorted(users[name], key=order.index)),
        )
        for name, schema in shapes.components.items()
        if "properties" in schema and name not in elsewhere
    ]
