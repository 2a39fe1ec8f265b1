"""POST /api/v1/transform/stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, Response

from codeintel.api.runs import STARTED
from codeintel.api.transformations.body import TransformRequest, Wanted, body_rules, order_of
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.scopes import Scope
from codeintel.contracts import Model, RunKind, TransformTask
from codeintel.http.endpoint import endpoint, services
from codeintel.http.idempotency import idempotent, ignored_fields
from codeintel.http.operation import IDEMPOTENCY_KEY, Operation
from codeintel.http.streams import stream_log
from codeintel.identity.auth.caller import Caller
from codeintel.runs.events.log import RunLog

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
