"""POST /api/v1/transform/stream, and the rules for its body as JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from flask import Blueprint, Response

from codeintel.api.runs import STARTED
from codeintel.api.transformations.body import TransformRequest, Wanted, WrappedRequest, order_of
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.scopes import Scope
from codeintel.contracts import Model, RunKind, TransformationKind, TransformTask
from codeintel.http.endpoint import endpoint, services
from codeintel.http.idempotency import idempotent, ignored_fields
from codeintel.http.openapi.schemas import REF
from codeintel.http.operation import IDEMPOTENCY_KEY, Operation
from codeintel.http.streams import stream_log
from codeintel.identity.auth.caller import Caller
from codeintel.runs.events.log import RunLog

_OF_THE_FIRST = (
    "code",
    "transformation",
    "language",
    "sourceLanguage",
    "targetLanguage",
    "options",
)


def body_rules(
    kinds: Sequence[TransformationKind], schema_of: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    """Keywords for the schema of the body: what it must have beyond the types of its fields.

    They are `if`, `then` and `else`, since generators of clients pass over these and keep the
    types. Some generators make no type at all of a union of bodies.

    :param kinds: in the order in which they are listed.
    :param schema_of: gives the schema of a kind's options.
    """
    first: dict[str, Any] = {}
    for kind in reversed(kinds):
        first = _rule(kind, schema_of(kind.options), first)
    return {
        "properties": {"transformation": {"enum": [kind.name for kind in kinds]}},
        "if": {
            "required": ["request"],
            "properties": {"request": {"$ref": REF.format(name=WrappedRequest.__name__)}},
        },
        "then": {
            "properties": {**dict.fromkeys(_OF_THE_FIRST, False), "instructions": {"const": ""}}
        },
        "else": {
            "required": ["code", "transformation"],
            # They are the same, so one is enough.
            "not": {"required": ["language", "sourceLanguage"]},
            **first,
        },
    }


def _rule(
    kind: TransformationKind, options: dict[str, Any], others: dict[str, Any]
) -> dict[str, Any]:
    needs: dict[str, Any] = {"properties": {"options": options}}
    if kind.changes_language:
        needs["required"] = ["targetLanguage"]
    else:
        needs["properties"]["targetLanguage"] = False
    rule = {"if": {"properties": {"transformation": {"const": kind.name}}}, "then": needs}
    return {**rule, "else": others} if others else rule


blueprint = Blueprint("transform", __name__, url_prefix="/api/v1")


def _option_types() -> dict[str, list[type[msgspec.Struct]]]:
    """The options of each kind."""
    kinds = services().plugins.registry.kinds
    return {"options": [kinds[name].options for name in sorted(kinds)]}


def _rules(schema_of: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """The two shapes of a body, and what each kind needs, as JSON Schema has it."""
    kinds = services().plugins.registry.kinds
    return body_rules([kinds[name] for name in sorted(kinds)], schema_of)


@blueprint.post("/transform/stream")
@endpoint(
    Operation(
        summary="Transform code",
        description=(
            "Streams how the work goes on, what was checked of the new code, and the result: the "
            "whole new code with a diff. What does not pass the checks is not returned: the "
            "original comes back instead, with the reasons. The credits are reserved before the "
            "first event; what was not used is given back before the last."
        ),
        tag="Transformation",
        body=TransformRequest,
        body_parts=_option_types,
        body_rules=_rules,
        body_example={
            "code": "def f(x):\n    return not x in [1, 2]\n",
            "transformation": "refactor",
            "language": "python",
        },
        answers={200: STARTED},
        authenticated=True,
        scope=Scope.TRANSFORM_WRITE,
        headers=(IDEMPOTENCY_KEY,),
        errors=(
            ErrorCode.UNSUPPORTED_WITHOUT_MODEL,
            ErrorCode.INSUFFICIENT_CREDITS,
            ErrorCode.IDEMPOTENCY_CONFLICT,
            ErrorCode.EVENTS_GONE,
            ErrorCode.DRAINING,
            ErrorCode.OVERLOADED,
        ),
    )
)
def transform(caller: Caller, body: TransformRequest) -> Response:
    """Check what can refuse the run, in the order in which it costs the caller, then start it."""
    return stream_log(transformation(caller, body), caller)


def transformation(caller: Caller, body: TransformRequest, number: str = "") -> RunLog:
    """Start what a request or a form asks for; returns the log of the run.

    :param number: that of a form, see :func:`codeintel.http.idempotency.idempotent`.
    :raises ServiceError: for what cannot be done, and as `idempotent` and the start of a run.
    """
    order = order_of(body, services().plugins.registry.kinds)
    runs = services().runs
    if order.language is not None:  # what nobody can do is not counted either
        runs.check_transformation(_task(order, order.language, body.model))
    with idempotent(caller, RunKind.TRANSFORM, body, number) as wanted:
        while wanted.log is None:
            with wanted.admitted():
                task = _task(order, order.language or _told(caller, order.code), body.model)
                plan = runs.plan_transformation(caller, task)
                run = runs.start(plan, wanted.key, ignored_fields())
                wanted.log = run.log if run is not None else None
    return wanted.log


def _task(wanted: Wanted, language: str, model: Model) -> TransformTask:
    return TransformTask(
        code=wanted.code,
        kind=wanted.kind.name,
        language=language,
        target=wanted.target_from(language),
        options=wanted.options,
        instructions=wanted.instructions,
        model=model,
    )


def _told(caller: Caller, code: str) -> str:
    """The language as the code tells it.

    :raises ServiceError: `invalid_request` if it does not.
    """
    detectors = tuple(services().plugins.registry.detectors.values())
    detection = services().pool.detect(caller.account_id, detectors, code)
    if detection is None or detection.language is None:
        raise ServiceError(
            ErrorCode.INVALID_REQUEST,
            "What the code is written in cannot be told: name it in `language`.",
            details={"path": "language"},
        )
    return detection.language
