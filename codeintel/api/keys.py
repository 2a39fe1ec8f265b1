"""/api/account/api-keys: the API keys of the signed-in user."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Blueprint, Response
from msgspec import Meta

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode
from codeintel.base.wording import NOT_BLANK
from codeintel.http.endpoint import actor, endpoint, services
from codeintel.http.errors import json_response, unversioned
from codeintel.http.operation import Answer, Link, Operation
from codeintel.identity.auth.caller import Caller
from codeintel.identity.keys.records import (
    DEFAULT_OVERLAP_SECONDS,
    DEFAULT_TTL_DAYS,
    MAX_NAME_CHARACTERS,
    MAX_OVERLAP_SECONDS,
    MAX_TTL_DAYS,
    KeyRecord,
)

blueprint = Blueprint("api_keys", __name__, url_prefix="/api/account/api-keys")

TAG = "Keys"
_MADE = {"key_id": "$response.body#/key/id"}
_REVOKE = Link("api_keys.revoke", _MADE, "Ends the new key.")
_ROTATE = Link("api_keys.rotate", _MADE, "Replaces the new key.")


class NewKey(msgspec.Struct, frozen=True, rename="camel"):
    """The request for a new key."""

    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_NAME_CHARACTERS,
            pattern=NOT_BLANK,
            description="The purpose of the key.",
            # some databases cannot store it
            extra_json_schema={"not": {"pattern": r"\x00"}},
        ),
    ]
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, description="The scopes of the key.")]
    ttl_days: Annotated[
        int, Meta(ge=1, le=MAX_TTL_DAYS, description="The number of days until the key expires.")
    ] = DEFAULT_TTL_DAYS


class Replacement(msgspec.Struct, frozen=True, rename="camel"):
    """The options of a rotation."""

    overlap_seconds: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_OVERLAP_SECONDS,
            description="The number of seconds for which the old key remains valid.",
        ),
    ] = DEFAULT_OVERLAP_SECONDS


class KeyList(msgspec.Struct, frozen=True):
    """The keys, newest first, including expired and revoked ones."""

    keys: list[KeyRecord]


class MadeKey(msgspec.Struct, frozen=True):
    """A new key. `token` is the key itself, which is shown only once."""

    key: KeyRecord
    token: str


class ReplacedKey(msgspec.Struct, frozen=True):
    """A new key, its token, which is shown only once, and the replaced key."""

    key: KeyRecord
    token: str
    previous: KeyRecord


_NEW = Answer("The key and its token.", MadeKey, enveloped=False, links=(_REVOKE, _ROTATE))


class RevokedKey(msgspec.Struct, frozen=True):
    """The key after the request."""

    key: KeyRecord


@blueprint.get("")
@endpoint(
    Operation(
        summary="List the API keys",
        description="The keys of the account, newest first, including revoked and expired ones.",
        tag=TAG,
        answers={200: Answer("The keys.", KeyList, enveloped=False)},
        authenticated=True,
        session=True,
    )
)
def list_(caller: Caller) -> Response:
    """List the account's keys."""
    return json_response(KeyList(services().keys.list(caller.account_id)))


@blueprint.post("")
@endpoint(
    Operation(
        summary="Create an API key",
        description=(
            "The response contains the token. The service does not store it and cannot show it "
            "again."
        ),
        tag=TAG,
        body=NewKey,
        body_example={"name": "laptop", "scopes": ["analysis:write"], "ttlDays": 90},
        answers={201: _NEW},
        authenticated=True,
        session=True,
        errors=(ErrorCode.CROSS_ORIGIN,),
    )
)
def create(caller: Caller, body: NewKey) -> Response:
    """Make one."""
    key, token = services().keys.create(
        caller.account_id, body.name, body.scopes, body.ttl_days, actor=actor(caller)
    )
    return json_response(unversioned(MadeKey(key, token)), 201)


@blueprint.delete("/<key_id>")
@endpoint(
    Operation(
        summary="Revoke an API key",
        description=(
            "Permanent. All processes reject the key within 5 seconds and end its open streams. "
            "Repeating the request has no effect."
        ),
        tag=TAG,
        answers={200: Answer("The key, revoked.", RevokedKey, enveloped=False)},
        authenticated=True,
        session=True,
        errors=(ErrorCode.CROSS_ORIGIN, ErrorCode.NOT_FOUND),
    )
)
def revoke(caller: Caller, key_id: str) -> Response:
    """End one."""
    key = services().keys.revoke(caller.account_id, key_id, actor=actor(caller))
    return json_response(RevokedKey(key))


@blueprint.post("/<key_id>/rotate")
@endpoint(
    Operation(
        summary="Rotate an API key",
        description=(
            "Creates a key with the same name, scopes and lifetime. The old key remains valid for "
            "the overlap, which is one day by default, but never beyond its own expiration."
        ),
        tag=TAG,
        body=Replacement,
        body_optional=True,
        body_example={"overlapSeconds": DEFAULT_OVERLAP_SECONDS},
        answers={
            201: Answer(
                "The new key, its token, the old key.",
                ReplacedKey,
                enveloped=False,
                links=(_REVOKE, _ROTATE),
            )
        },
        authenticated=True,
        session=True,
        errors=(ErrorCode.CROSS_ORIGIN, ErrorCode.NOT_FOUND, ErrorCode.KEY_NOT_ACTIVE),
    )
)
def rotate(caller: Caller, key_id: str, body: Replacement) -> Response:
    """Replace one."""
    made = services().keys.rotate(
        caller.account_id, key_id, body.overlap_seconds, actor=actor(caller)
    )
    return json_response(unversioned(ReplacedKey(made.key, made.token, made.previous)), 201)
