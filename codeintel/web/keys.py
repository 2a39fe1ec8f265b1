"""`/account/keys`: create, rotate and revoke API keys. No page needs a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from flask import Response, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.wording import counted
from codeintel.http.endpoint import actor, services
from codeintel.http.protection import shown_origin
from codeintel.identity.auth.caller import Caller
from codeintel.identity.keys.records import (
    DEFAULT_TTL_DAYS,
    MAX_TTL_DAYS,
    KeyRecord,
    KeyStatus,
    check_life,
    checked_name,
)
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.require_login import signed_in
from codeintel.web.schemas.commands import curl

PRESETS = {7: "7 days", 30: "30 days", 90: "90 days", 365: "1 year"}
CUSTOM = "custom"
FIELDS = {"name": "name", "scopes": "scope-1", "expiry": "expiry-7", "days": "days"}
"""The fields, with the id of their first input."""
_DAYS = re.compile(r"\s*\d{1,9}\s*", re.ASCII)
_WHOLE_DAYS = f"Enter a whole number of days from 1 to {MAX_TTL_DAYS:,}, such as 45."
_CODE = "def load(path):\n    return eval(open(path).read())\n"
SOON = timedelta(days=14)
_DAY = timedelta(days=1)
OVERLAPS = {0: "Now", 3_600: "In 1 hour", 86_400: "In 1 day", 604_800: "In 7 days"}
"""How long a rotated key still works: seconds, and a title."""
USUAL_OVERLAP = 86_400


class ScopeChoice(NamedTuple):
    """A scope to select."""

    id: str
    name: str
    meaning: str
    checked: bool


class ExpiryChoice(NamedTuple):
    """A lifetime to select. `until` is the last day."""

    value: str
    title: str
    until: date
    checked: bool


@dataclass(frozen=True)
class KeyForm:
    """The submitted fields, and the errors by field.

    `number` is the number of keys when the form was loaded. A form creates at most one key.
    """

    number: int
    name: str = ""
    scopes: Sequence[str] = ()
    expiry: str = str(DEFAULT_TTL_DAYS)
    days: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)

    @property
    def scope_choices(self) -> list[ScopeChoice]:
        """Return all scopes."""
        return [
            ScopeChoice(f"scope-{place}", scope, scope.meaning, scope in self.scopes)
            for place, scope in enumerate(Scope, 1)
        ]

    @property
    def expiry_choices(self) -> list[ExpiryChoice]:
        """Return the preset lifetimes."""
        today = datetime.now(UTC).date()
        return [
            ExpiryChoice(str(days), title, today + timedelta(days), str(days) == self.expiry)
            for days, title in PRESETS.items()
        ]

    @property
    def is_custom(self) -> bool:
        """Return whether a custom number of days is selected."""
        return self.expiry == CUSTOM

    @property
    def ttl_days(self) -> int:
        """Return the selected lifetime in days. The fields must be valid."""
        return int(self.days if self.is_custom else self.expiry)

    @property
    def mistakes(self) -> list[tuple[str, str]]:
        """Return the input id and the message of each invalid field."""
        return [(FIELDS[name], self.wrong[name]) for name in FIELDS if name in self.wrong]

    def again(self, number: int) -> KeyForm:
        """Return the form for another submission."""
        return replace(self, number=number)


def filled(sent: MultiDict[str, str]) -> KeyForm:
    """Return the submitted form."""
    form = KeyForm(
        number=int(sent["number"]) if _DAYS.fullmatch(sent.get("number", "")) else -1,
        name=sent.get("name", ""),
        scopes=tuple(sent.getlist("scopes")),
        expiry=sent.get("expiry", ""),
        days=sent.get("days", ""),
    )
    return replace(form, wrong=dict(_wrong(form)))


def _wrong(form: KeyForm) -> Iterable[tuple[str, str]]:
    if told := _refusal(lambda: checked_name(form.name)):
        yield "name", told
    if not form.scopes:
        yield "scopes", "Select at least one scope."
    elif not set(form.scopes) <= set(Scope):
        yield "scopes", "Select scopes from the list."
    if form.is_custom:
        if not _DAYS.fullmatch(form.days) or _refusal(lambda: check_life(int(form.days))):
            yield "days", _WHOLE_DAYS
    elif form.expiry not in map(str, PRESETS):
        yield "expiry", "Select when the key expires."


def _refusal(check: Callable[[], object]) -> str:
    """Return the message of a failed check; empty if it passes."""
    try:
        check()
    except ServiceError as error:
        return error.message
    return ""


class Command(NamedTuple):
    """A command for a terminal."""

    title: str
    text: str


class _Call(NamedTuple):
    scope: Scope | None
    title: str
    method: str
    path: str
    body: dict[str, Any] | None = None


_CALLS = (
    _Call(
        Scope.ANALYSIS_WRITE,
        "Analyze code",
        "POST",
        "/api/v1/analyze/stream",
        {"code": _CODE, "language": "python"},
    ),
    _Call(
        Scope.TRANSFORM_WRITE,
        "Transform code",
        "POST",
        "/api/v1/transform/stream",
        {"code": _CODE, "transformation": "modernize", "language": "python"},
    ),
    _Call(Scope.SEARCH_READ, "Search the registries", "GET", "/api/v1/search?q=redis"),
    _Call(Scope.ACCOUNT_READ, "Read the account", "GET", "/api/v1/account"),
)
_ANY = _Call(None, "Check that the key works", "GET", "/api/v1/capabilities")


def commands(base: str, token: str, scopes: Collection[Scope]) -> list[Command]:
    """Return a command for each scope of the key. The first one sets the variable that all use.

    :param base: origin of the service.
    """
    calls = [
        call for call in _CALLS if call.scope in scopes or (Scope.API_V1 in scopes and call.scope)
    ] or [_ANY]
    made = [Command(call.title, _curl(base, call)) for call in calls]
    setting = f"export CODEINTEL_API_KEY={token}\n"
    return [Command(made[0].title, setting + made[0].text), *made[1:]]


def _curl(base: str, call: _Call) -> str:
    return curl(
        base, call.method, call.path, key=True, example=call.body, stream=call.body is not None
    )


@dataclass(frozen=True)
class KeyRow:
    """A key with its state in words: `state` is one of `active`, `soon`, `replaced`, `expired`,
    `revoked`; `note` says more."""

    record: KeyRecord
    state: str
    title: str
    note: str

    @property
    def is_active(self) -> bool:
        """Return whether the key can be revoked."""
        return self.record.status is KeyStatus.ACTIVE

    @property
    def can_rotate(self) -> bool:
        """Return whether the key can be rotated."""
        return self.is_active and self.record.replaced_by is None


def key_rows(records: Sequence[KeyRecord], now: datetime) -> list[KeyRow]:
    """Return the rows of the keys, in the given order."""
    previews = {each.id: each.preview for each in records}
    return [key_row(each, now, previews.get(each.replaced_by or "", "")) for each in records]


def key_row(record: KeyRecord, now: datetime, replacement: str = "") -> KeyRow:
    """Return the row of a key.

    :param replacement: the preview of its successor.
    """
    left = record.expires_at - now
    by = f"by {replacement}" if replacement else ""
    if record.revoked_at is not None:
        note = f"on {record.revoked_at:%b} {record.revoked_at.day}, {record.revoked_at.year}"
        return KeyRow(record, "revoked", "revoked", note)
    if record.status is KeyStatus.EXPIRED:
        title = "replaced" if record.replaced_by else "expired"
        return KeyRow(record, "expired", title, by)
    if record.replaced_by:
        note = f"{by}; ends in {_left(left)}".removeprefix("; ")
        return KeyRow(record, "replaced", "replaced", note)
    if left <= SOON:
        note = f"in {_left(left)}"
        return KeyRow(record, "soon", "expires soon", note)
    return KeyRow(record, "active", "active", "")


def _left(left: timedelta) -> str:
    """Return `3 days`, `5 hours` or `2 minutes`, rounded down."""
    if left >= 2 * _DAY:
        return counted(left // _DAY, "day")
    hours = left // timedelta(hours=1)
    return counted(hours, "hour") if hours else counted(left // timedelta(minutes=1), "minute")


@blueprint.get("/account/keys")
@signed_in
def keys(caller: Caller) -> BaseResponse:
    """Show all keys, and the form to create one."""
    records = services().keys.list(caller.account_id)
    just = request.args.get("revoked")
    told = [
        f"The key “{each.name}” is revoked."
        for each in records
        if each.revoked_at and each.id == just
    ]
    return page_answer(_list_page(records, KeyForm(len(records)), revoked_notices=told))


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
    """Ask to confirm that a key is revoked, and show when it was last used."""
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
    """Ask how long the old key stays valid in addition to its replacement."""
    return page_answer(_rotate_page(_row(caller, key_id)))


@blueprint.post("/account/keys/<key_id>/rotate")
@signed_in
def rotate_key(caller: Caller, key_id: str) -> BaseResponse:
    """Make the replacement, and show its token. It can be done once."""
    chosen = request.form.get("overlap", "")
    if chosen not in map(str, OVERLAPS):
        page = _rotate_page(_row(caller, key_id), wrong="Choose how long the old key stays valid.")
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
        raise ServiceError(ErrorCode.NOT_FOUND, f"The API key {key_id!r} does not exist.")
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
