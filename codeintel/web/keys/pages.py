"""`/account/keys`: API keys, made, shown once, rotated and revoked. No page needs a script."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.endpoint import actor, services
from codeintel.http.protection.origin import shown_origin
from codeintel.identity.auth.caller import Caller
from codeintel.identity.keys.records import KeyRecord
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.keys.form import KeyForm, filled
from codeintel.web.keys.samples import commands
from codeintel.web.keys.views import KeyRow, key_row, key_rows
from codeintel.web.login.require_login import signed_in

OVERLAPS = {0: "It ends now", 3_600: "1 hour", 86_400: "1 day", 604_800: "7 days"}
"""How long a rotated key may go on: seconds, in words."""
USUAL_OVERLAP = 86_400


@blueprint.get("/account/keys")
@signed_in
def keys(caller: Caller) -> BaseResponse:
    """All keys, and the form for another one."""
    records = services().keys.list(caller.account_id)
    just = request.args.get("revoked")
    told = [
        f"The key “{each.name}” is revoked."
        for each in records
        if each.revoked_at and each.id == just
    ]
    return page_answer(_list_page(records, KeyForm(len(records)), told=told))


@blueprint.post("/account/keys")
@signed_in
def make_key(caller: Caller) -> BaseResponse:
    """Make a key, and show its token: here and only here. A form makes one key, however often it is
    sent, for a page that is loaded again must not make another one unseen."""
    form = filled(request.form)
    if form.wrong:
        records = services().keys.list(caller.account_id)
        return page_answer(_list_page(records, form), ErrorCode.INVALID_REQUEST.status)
    try:
        record, token = services().keys.create(
            caller.account_id,
            form.name,
            form.scopes,
            form.ttl_days,
            actor=actor(caller),
            as_number=form.number,
        )
    except ServiceError as error:
        if error.code is not ErrorCode.IDEMPOTENCY_CONFLICT:
            raise
        records = services().keys.list(caller.account_id)
        page = _list_page(records, form.again(len(records)), sent_before=True)
        return page_answer(page, error.code.status)
    return _made_page(record, token)


@blueprint.get("/account/keys/<key_id>/revoke")
@signed_in
def ask_to_revoke(caller: Caller, key_id: str) -> BaseResponse:
    """Which key it is, and when it was used last."""
    return page_answer(render_page("key_revoke.html", row=_row(caller, key_id)))


@blueprint.post("/account/keys/<key_id>/revoke")
@signed_in
def revoke_key(caller: Caller, key_id: str) -> BaseResponse:
    """Revoke it."""
    services().keys.revoke(caller.account_id, key_id, actor=actor(caller))
    return Response(status=303, headers={"Location": url_for("web.keys", revoked=key_id)})


@blueprint.get("/account/keys/<key_id>/rotate")
@signed_in
def ask_to_rotate(caller: Caller, key_id: str) -> BaseResponse:
    """How long the key is to go on beside its replacement."""
    return page_answer(_rotate_page(_row(caller, key_id)))


@blueprint.post("/account/keys/<key_id>/rotate")
@signed_in
def rotate_key(caller: Caller, key_id: str) -> BaseResponse:
    """Make the replacement, and show its token. It can be done once."""
    chosen = request.form.get("overlap", "")
    if chosen not in map(str, OVERLAPS):
        page = _rotate_page(_row(caller, key_id), wrong="Choose how long the key is to go on.")
        return page_answer(page, ErrorCode.INVALID_REQUEST.status)
    try:
        made = services().keys.rotate(caller.account_id, key_id, int(chosen), actor=actor(caller))
    except ServiceError as error:
        if error.code is not ErrorCode.KEY_NOT_ACTIVE:
            raise
        return page_answer(_rotate_page(_row(caller, key_id)), error.code.status)
    return _made_page(made.key, made.token, made.previous)


def _row(caller: Caller, key_id: str) -> KeyRow:
    """
    :raises ServiceError: `not_found`.
    """
    records = services().keys.list(caller.account_id)
    row = next((row for row in key_rows(records, _now()) if row.record.id == key_id), None)
    if row is None:
        raise ServiceError(ErrorCode.NOT_FOUND, f"There is no API key {key_id!r}.")
    return row


def _list_page(records: list[KeyRecord], form: KeyForm, **more: Any) -> str:
    rows = key_rows(records, _now())
    return render_page("keys.html", rows=rows, form=form, **more)


def _rotate_page(row: KeyRow, wrong: str = "") -> str:
    return render_page(
        "key_rotate.html", row=row, overlaps=OVERLAPS, usual=USUAL_OVERLAP, wrong=wrong
    )


def _made_page(record: KeyRecord, token: str, previous: KeyRecord | None = None) -> Response:
    base = shown_origin()
    page = render_page(
        "key_made.html",
        row=key_row(record, _now()),
        token=token,
        previous=key_row(previous, _now()) if previous else None,
        commands=commands(base, token, record.scopes),
    )
    return page_answer(page, 201)


def _now() -> datetime:
    return datetime.now(UTC)
