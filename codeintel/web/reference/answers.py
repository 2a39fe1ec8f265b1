"""Describe the answers and errors of an operation from the OpenAPI document. Pure."""

from __future__ import annotations

import json
from dataclasses import replace
from http import HTTPStatus

from codeintel.http.operation import EVENT_STREAM, JSON
from codeintel.web.reference.views import AnswerView, ErrorView, ObjectView
from codeintel.web.schemas.commands import pretty
from codeintel.web.schemas.samples import frame, sample
from codeintel.web.schemas.shapes import Row, Schema, Shapes

_ERROR = {"$ref": "#/components/schemas/ErrorEnvelope"}
_META = frozenset({"Meta"})


def answers_of(
    document: Schema, shapes: Shapes, responses: Schema
) -> tuple[list[AnswerView], list[ErrorView]]:
    """Return the success responses and the errors."""
    examples = document["components"]["examples"]
    answers: list[AnswerView] = []
    errors: list[ErrorView] = []
    for status, response in responses.items():
        content = dict(response.get("content", {}))
        codes = content.get(JSON, {}).get("examples", {})
        errors += [ErrorView(int(status), code, examples[code]["summary"]) for code in codes]
        if codes:
            # The error envelope, alone or with the body of an answer with the same status.
            schema = content.pop(JSON)["schema"]
            for each in schema.get("anyOf", ()):
                if each != _ERROR:
                    content[JSON] = {"schema": each}
        if content or not codes:
            answer = _answer(shapes, int(status), response["description"], content)
            answers.append(_once(answer, answers))
    return answers, errors


def _once(answer: AnswerView, earlier: list[AnswerView]) -> AnswerView:
    """Return an answer without the fields that an earlier one has, too."""
    for each in earlier:
        if answer.shape and each.shape == answer.shape and each.rows == answer.rows:
            return replace(answer, shape="", rows=[], type="", same_as=each.status)
    return answer


def event_data(shapes: Shapes, name: str) -> dict[str, str]:
    """Return the components of a union of events, by their type."""
    mapping = shapes.components.get(name, {}).get("discriminator", {}).get("mapping", {})
    return {type_: target.rpartition("/")[2] for type_, target in mapping.items()}


def _answer(shapes: Shapes, status: int, description: str, content: Schema) -> AnswerView:
    media_type, *others = content or ("",)
    schema: Schema = content[media_type]["schema"] if media_type else {}
    rows: list[Row] = []
    shape = ""
    is_run = False
    if media_type == EVENT_STREAM:
        schema = schema["anyOf"][-1]
        event = sample(shapes, schema)
        is_run = "sequence" in event and "type" in event
        rows = [] if is_run else shapes.rows(schema)
        shape = frame(event) if is_run else f"data: {json.dumps(event)}\n"
    elif "json" in media_type:
        enveloped = {"data", "meta"} <= shapes.resolve(schema).get("properties", {}).keys()
        rows = shapes.rows(schema, depth=1 if enveloped else 0, opaque=_META)
        shape = pretty(sample(shapes, schema))
    entered = {each.name.partition(".")[0] for each in rows if "." in each.name}
    shown = {each.object for each in rows if each.name.rstrip("[]*.") in entered}
    if rows:
        shown.add(str(schema.get("$ref", "")).rpartition("/")[2])
    names = [] if is_run else shapes.objects_in(schema)
    words = shapes.words(schema) if shape and not rows and not is_run else ""
    return AnswerView(
        type=words,
        status=status,
        phrase=HTTPStatus(status).phrase,
        description=description.split("\n\n", 1)[0],
        media_type=media_type,
        others=tuple(others),
        rows=rows,
        shape=shape,
        is_run=is_run,
        objects=[_object(shapes, name) for name in names if name not in shown],
    )


def _object(shapes: Shapes, name: str) -> ObjectView:
    schema = shapes.components[name]
    return ObjectView(f"object-{name}", name, schema.get("description", ""), shapes.rows(schema))
