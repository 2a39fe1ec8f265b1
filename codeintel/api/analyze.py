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
        description="The code; not blank.",
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
                    "Its language: a name, an alias such as `py`, or an extension; left out, it is "
                    "told from the code."
                ),
            ),
        ]
        | UnsetType
    ) = UNSET
    prompt: Annotated[
        str,
        Meta(
            max_length=MAX_PROMPT_CHARACTERS,
            description="What the summary should answer, such as an aspect to look at.",
        ),
    ] = ""
    model: Annotated[
        Model, Meta(description="`pro` looks deeper and costs one credit more than `flash`.")
    ] = Model.FLASH


@blueprint.post("/analyze/stream")
@endpoint(
    Operation(
        summary="Analyse code",
        description=(
            "Streams findings as analyzers find them, a summary in words, and the whole result. "
            "The credits are reserved before the first event; what was not used is given back "
            "before the last."
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
    """Check what can refuse the run, in the order in which it costs the caller, then start it."""
    return stream_log(analysis(caller, body), caller)


def analysis(caller: Caller, body: AnalyzeRequest, number: str = "") -> RunLog:
    """Start what a request or a form asks for; returns the log of the run.

    :param number: that of a form, see :func:`codeintel.http.idempotency.idempotent`.
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
