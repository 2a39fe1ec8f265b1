"""POST /api/v1/analyze/stream."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Blueprint, Response
from msgspec import UNSET, Meta, UnsetType

from codeintel.api.runs import STARTED
from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode
from codeintel.base.wording import NOT_BLANK
from codeintel.contracts import AnalysisTask, Model, RunKind
from codeintel.contracts.analysis import (
    MAX_CODE_CHARACTERS,
    MAX_LANGUAGE_CHARACTERS,
    MAX_PROMPT_CHARACTERS,
)
from codeintel.contracts.languages import NAME_PATTERN, canonical_language
from codeintel.http.endpoint import endpoint, services
from codeintel.http.idempotency import idempotent, ignored_fields
from codeintel.http.operation import IDEMPOTENCY_KEY, Operation
from codeintel.http.origins import FILE, run_origin
from codeintel.http.streams import stream_log
from codeintel.identity.auth.caller import Caller
from codeintel.runs.events.log import RunLog

Code = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_CODE_CHARACTERS,
        pattern=NOT_BLANK,
        description="The code. Must not be blank.",
    ),
]
"""Its length counts Unicode code points."""


blueprint = Blueprint("analyze", __name__, url_prefix="/api/v1")


class AnalyzeRequest(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=False):
    """Code to analyze. Lengths count Unicode code points."""

    code: Code
    language: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=MAX_LANGUAGE_CHARACTERS,
                pattern=NAME_PATTERN,
                description=(
                    "The language: a name, an alias such as `py`, or an extension. If it is "
                    "missing, the service detects it."
                ),
            ),
        ]
        | UnsetType
    ) = UNSET
    prompt: Annotated[
        str,
        Meta(
            max_length=MAX_PROMPT_CHARACTERS,
            description="A question for the summary to answer, or an aspect to check.",
        ),
    ] = ""
    model: Annotated[
        Model,
        Meta(description=("`pro` analyzes more deeply and costs one credit more than `flash`.")),
    ] = Model.FLASH


@blueprint.post("/analyze/stream")
@endpoint(
    Operation(
        summary="Analyze code",
        description=(
            "Streams findings as analyzers report them, a readable summary, and the whole result. "
            "The credits are reserved before the first event. Unused credits are refunded before "
            "the last event."
        ),
        tag="Analysis",
        body=AnalyzeRequest,
        body_example={
            "code": "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n",
            "language": "python",
            "prompt": "Is this safe?",
        },
        answers={200: STARTED},
        authenticated=True,
        scope=Scope.ANALYSIS_WRITE,
        headers=(IDEMPOTENCY_KEY, FILE),
        errors=(
            ErrorCode.INSUFFICIENT_CREDITS,
            ErrorCode.IDEMPOTENCY_CONFLICT,
            ErrorCode.EVENTS_GONE,
            ErrorCode.DRAINING,
            ErrorCode.OVERLOADED,
        ),
    )
)
def analyze(caller: Caller, body: AnalyzeRequest) -> Response:
    """Run the checks that can reject the run, cheapest for the caller first, then start it."""
    return stream_log(analysis(caller, body), caller)


def analysis(caller: Caller, body: AnalyzeRequest, number: str = "") -> RunLog:
    """Start the run of a request or a form, and return its log.

    :param number: the number of a form. See :func:`codeintel.http.idempotency.idempotent`.
    :raises ServiceError: as `idempotent` and the start of a run.
    """
    task = AnalysisTask(
        code=body.code,
        language=canonical_language(body.language) if body.language else None,
        prompt=body.prompt,
        model=body.model,
    )
    runs = services().runs
    with idempotent(caller, RunKind.ANALYSIS, body, number) as wanted:
        while wanted.log is None:
            with wanted.admitted():
                plan = runs.plan_analysis(caller, task)
                run = runs.start(plan, wanted.key, ignored_fields(), run_origin(caller))
                wanted.log = run.log if run is not None else None
    return wanted.log
