"""POST /api/v1/transform/stream, with a body in one of two shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from flask import Blueprint, Response
from msgspec import UNSET, Meta, UnsetType

from codeintel.api.analyze import Code
from codeintel.api.runs import STARTED
from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import Model, RunKind, TransformationKind, TransformTask
from codeintel.contracts.analysis import MAX_LANGUAGE_CHARACTERS
from codeintel.contracts.languages import NAME_PATTERN, canonical_language
from codeintel.contracts.transformations import MAX_INSTRUCTIONS_CHARACTERS
from codeintel.http.endpoint import endpoint, services
from codeintel.http.idempotency import idempotent, ignored_fields
from codeintel.http.openapi.schemas import REF
from codeintel.http.operation import IDEMPOTENCY_KEY, Operation
from codeintel.http.origins import FILE, run_origin
from codeintel.http.refusals import explain
from codeintel.http.requests.body import note_ignored
from codeintel.http.streams import stream_log
from codeintel.identity.auth.caller import Caller
from codeintel.runs.events.log import RunLog

blueprint = Blueprint("transform", __name__, url_prefix="/api/v1")


CONVERT, REFACTOR = "convert", "refactor"
MAX_CATEGORY_CHARACTERS = 50

_Language = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_LANGUAGE_CHARACTERS,
        pattern=NAME_PATTERN,
        description="A name, an alias such as `py`, or an extension.",
    ),
]
_Instructions = Annotated[
    str,
    Meta(
        max_length=MAX_INSTRUCTIONS_CHARACTERS,
        description="Instructions for a model. Other engines ignore them.",
    ),
]


class WrappedRequest(msgspec.Struct, frozen=True, rename="camel"):
    """A transformation in the second shape: `convert` with a `targetLanguage`, otherwise
    `refactor`.
    """

    code: Code
    source_language: _Language | UnsetType = UNSET
    target_language: _Language | UnsetType = UNSET
    conversion_category: (
        Annotated[str, Meta(max_length=MAX_CATEGORY_CHARACTERS, description="Not used.")]
        | UnsetType
    ) = UNSET
    instructions: _Instructions = ""


class TransformRequest(msgspec.Struct, frozen=True, rename="camel"):
    """Code to transform: either the fields here, with at least `code` and `transformation`, or
    `request`. Lengths count Unicode code points.
    """

    code: Code | UnsetType = UNSET
    transformation: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=MAX_LANGUAGE_CHARACTERS,
                description="A kind, such as `refactor`, `convert`, `optimize`, `modernize` or "
                "`document`; the capabilities list all.",
            ),
        ]
        | UnsetType
    ) = UNSET
    language: _Language | UnsetType = UNSET
    source_language: _Language | UnsetType = UNSET
    """The same as `language`."""
    target_language: _Language | UnsetType = UNSET
    options: Annotated[dict[str, Any], Meta(description="Options of the kind.")] | UnsetType = UNSET
    instructions: _Instructions = ""
    model: Annotated[
        Model,
        Meta(description="`pro` analyzes more deeply and costs one credit more than `flash`."),
    ] = Model.FLASH
    request: WrappedRequest | UnsetType = UNSET


class Wanted(NamedTuple):
    """The common form of both shapes. `language` is None if it must be detected, and `target` is
    None if it was not sent.
    """

    code: str
    kind: TransformationKind
    language: str | None
    target: str | None
    options: dict[str, Any]
    instructions: str
    target_path: str = "targetLanguage"

    def target_from(self, language: str) -> str:
        """Return the target language for code in `language`.

        :raises ServiceError: `invalid_request` if the kind does not convert between the two.
        """
        kind, target, path = self.kind, self.target, self.target_path
        if target is None:
            return language
        if kind.changes_language and target == language:
            raise _wrong(path, f"`{path}` is already the language of the code.")
        if not kind.changes_language and target != language:
            raise _wrong(path, f"{kind.name} keeps the language: leave `{path}` out.")
        return target


def order_of(body: TransformRequest, kinds: Mapping[str, TransformationKind]) -> Wanted:
    """Return the transformation that a body asks for.

    :raises ServiceError: `invalid_request`, naming the field.
    """
    if body.request is not UNSET:
        return _wrapped(body, body.request, kinds)
    if body.code is UNSET:
        raise _wrong("code", "`code` is missing.")
    if body.transformation is UNSET:
        raise _wrong("transformation", "`transformation` is missing.")
    kind = kinds.get(body.transformation)
    if kind is None:
        raise _wrong(
            "transformation", f"`transformation` must be one of: {', '.join(sorted(kinds))}."
        )
    language, other = _name(body.language), _name(body.source_language)
    if language and other and language != other:
        raise _wrong(
            "sourceLanguage",
            "`language` and `sourceLanguage` are the same field. Send one of them.",
        )
    language = language or other
    options = _options(kind, body.options)
    wanted = Wanted(
        *(body.code, kind, language, _name(body.target_language), options, body.instructions)
    )
    return _checked(wanted)


def _wrapped(
    body: TransformRequest, request: WrappedRequest, kinds: Mapping[str, TransformationKind]
) -> Wanted:
    apart = msgspec.structs.replace(body, request=UNSET, model=Model.FLASH)
    if apart != TransformRequest():
        raise _wrong(
            "request",
            "Send either the fields at the top level or `request`, and optionally `model`.",
        )
    name = REFACTOR if request.target_language is UNSET else CONVERT
    kind = kinds.get(name)
    if kind is None:
        raise _wrong("request", f"This service does not {name}.")
    if request.conversion_category is not UNSET:
        note_ignored(["request.conversionCategory"])
    language = _name(request.source_language)
    target, options = _name(request.target_language), _options(kind, UNSET)
    wanted = Wanted(
        *(request.code, kind, language, target, options, request.instructions),
        target_path="request.targetLanguage",
    )
    return _checked(wanted)


def _name(language: str | UnsetType) -> str | None:
    return canonical_language(language) if language is not UNSET else None


def _checked(wanted: Wanted) -> Wanted:
    """Check the request as far as possible before the language is detected."""
    kind, path = wanted.kind, wanted.target_path
    if kind.changes_language and wanted.target is None:
        raise _wrong(path, f"`{path}` is missing: name the language to {kind.name} to.")
    if wanted.language is not None:
        wanted.target_from(wanted.language)
    return wanted


def _options(kind: TransformationKind, given: dict[str, Any] | UnsetType) -> dict[str, Any]:
    """Return the kind's options with their defaults, as plain values."""
    sent = {} if given is UNSET else given
    try:
        options = msgspec.convert(sent, kind.options)
    except msgspec.ValidationError as error:
        refusal = explain(str(error), kind.options, sent)
        path = f"options.{refusal.details['path']}" if "path" in refusal.details else "options"
        said = refusal.message.replace("`", "`options.", 1) if "path" in refusal.details else ""
        raise _wrong(path, said or "`options` are wrong.") from None
    known = {field.encode_name for field in msgspec.structs.fields(kind.options)}
    note_ignored(f"options.{name}" for name in sent if name not in known)
    found: dict[str, Any] = msgspec.to_builtins(options)
    return found


def _wrong(path: str, message: str) -> ServiceError:
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": path})


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
    """Return keywords for the schema of the body: its requirements beyond the types of its fields.

    They use `if`, `then` and `else`, because client generators skip these and keep the types. Some
    generators create no type for a union of bodies.

    :param kinds: in display order.
    :param schema_of: returns the schema of a kind's options.
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
            # both fields have the same meaning, so one is enough
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


def _option_types() -> dict[str, list[type[msgspec.Struct]]]:
    """Return the option types of each kind."""
    kinds = services().plugins.registry.kinds
    return {"options": [kinds[name].options for name in sorted(kinds)]}


def _rules(schema_of: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """Return the two shapes of a body, and the requirements of each kind, as JSON Schema."""
    kinds = services().plugins.registry.kinds
    return body_rules([kinds[name] for name in sorted(kinds)], schema_of)


@blueprint.post("/transform/stream")
@endpoint(
    Operation(
        summary="Transform code",
        description=(
            "Streams progress, the checks of the new code, and the result: the whole new code with "
            "a diff. Code that fails the checks is not returned. The result is then the original "
            "code, with the reasons. The credits are reserved before the first event. Unused "
            "credits are refunded before the last event."
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
        headers=(IDEMPOTENCY_KEY, FILE),
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
    """Run the checks that can reject the run, cheapest for the caller first, then start it."""
    return stream_log(transformation(caller, body), caller)


def transformation(caller: Caller, body: TransformRequest, number: str = "") -> RunLog:
    """Start the run of a request or a form, and return its log.

    :param number: the number of a form. See :func:`codeintel.http.idempotency.idempotent`.
    :raises ServiceError: for unsupported transformations, and as `idempotent` and the start of a
        run.
    """
    order = order_of(body, services().plugins.registry.kinds)
    runs = services().runs
    if order.language is not None:  # an unsupported transformation is not counted either
        runs.check_transformation(_task(order, order.language, body.model))
    with idempotent(caller, RunKind.TRANSFORM, body, number) as wanted:
        while wanted.log is None:
            with wanted.admitted():
                task = _task(order, order.language or _told(caller, order.code), body.model)
                plan = runs.plan_transformation(caller, task)
                run = runs.start(plan, wanted.key, ignored_fields(), run_origin(caller))
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
    """Return the detected language.

    :raises ServiceError: `invalid_request` if no language is detected.
    """
    detectors = tuple(services().plugins.registry.detectors.values())
    detection = services().pool.detect(caller.account_id, detectors, code)
    if detection is None or detection.language is None:
        raise ServiceError(
            ErrorCode.INVALID_REQUEST,
            "The language could not be detected. Set `language`.",
            details={"path": "language"},
        )
    return detection.language
