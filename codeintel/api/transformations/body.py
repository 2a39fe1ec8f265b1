"""The two shapes in which a transformation can be asked for, and their rules as JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.api.fields import Code
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import Model, TransformationKind
from codeintel.contracts.analysis import MAX_LANGUAGE_CHARACTERS
from codeintel.contracts.languages import NAME_PATTERN, canonical_language
from codeintel.contracts.transformations import MAX_INSTRUCTIONS_CHARACTERS
from codeintel.http.openapi.schemas import REF
from codeintel.http.refusals import explain
from codeintel.http.requests.body import note_ignored

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
        description="What a model should heed; other engines do not read it.",
    ),
]


class WrappedRequest(msgspec.Struct, frozen=True, rename="camel"):
    """A transformation in the second shape: `convert` with a `targetLanguage`, else `refactor`."""

    code: Code
    source_language: _Language | UnsetType = UNSET
    target_language: _Language | UnsetType = UNSET
    conversion_category: (
        Annotated[str, Meta(max_length=MAX_CATEGORY_CHARACTERS, description="Not used.")]
        | UnsetType
    ) = UNSET
    instructions: _Instructions = ""


class TransformRequest(msgspec.Struct, frozen=True, rename="camel"):
    """Code to transform: either the fields here, of which `code` and `transformation` are needed,
    or `request`. Lengths count Unicode code points."""

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
        Model, Meta(description="`pro` looks deeper and costs one credit more than `flash`.")
    ] = Model.FLASH
    request: WrappedRequest | UnsetType = UNSET


class Wanted(NamedTuple):
    """What both shapes come to. `language` is None where the code has to tell it, `target` where
    none was sent."""

    code: str
    kind: TransformationKind
    language: str | None
    target: str | None
    options: dict[str, Any]
    instructions: str
    target_path: str = "targetLanguage"

    def target_from(self, language: str) -> str:
        """The language to write, for code in `language`.

        :raises ServiceError: `invalid_request` if the kind does not go from one to the other.
        """
        kind, target, path = self.kind, self.target, self.target_path
        if target is None:
            return language
        if kind.changes_language and target == language:
            raise _wrong(path, f"`{path}` is what the code is written in already.")
        if not kind.changes_language and target != language:
            raise _wrong(path, f"{kind.name} keeps the language: leave `{path}` out.")
        return target


def order_of(body: TransformRequest, kinds: Mapping[str, TransformationKind]) -> Wanted:
    """What is asked for.

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
        raise _wrong("sourceLanguage", "`language` and `sourceLanguage` are the same: send one.")
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
            "request", "Send either the fields at the top level or `request`, besides `model`."
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
    """What is wanted, as far as that can be told before the code has told its language."""
    kind, path = wanted.kind, wanted.target_path
    if kind.changes_language and wanted.target is None:
        raise _wrong(path, f"`{path}` is missing: name the language to {kind.name} to.")
    if wanted.language is not None:
        wanted.target_from(wanted.language)
    return wanted


def _options(kind: TransformationKind, given: dict[str, Any] | UnsetType) -> dict[str, Any]:
    """The kind's options with their defaults, as plain values."""
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
