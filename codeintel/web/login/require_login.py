"""Sessions of pages: the visitor, trusted forms, and redirects after the sign-in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

import msgspec
from flask import g, redirect, request, url_for
from markupsafe import Markup
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response as BaseResponse

from codeintel.http.endpoint import services
from codeintel.http.requests.forms import receive_form
from codeintel.http.requests.query import list_names, read_fields
from codeintel.identity.auth.browsers import require_same_origin
from codeintel.identity.auth.caller import ANONYMOUS, Caller
from codeintel.web.blueprint import blueprint

T = TypeVar("T", bound=msgspec.Struct)
View = TypeVar("View", bound=Callable[..., BaseResponse])
CSRF_FIELD, CSRF_HEADER = "csrf", "X-CSRF-Token"
START = "/"
FIRST_PAGE = "/?notice=signed-in"
"""The page after a sign-in that did not start on another page."""
MAX_CHARACTERS = 2_048
# One slash that no other follows, and nothing that browsers drop or read as a slash.
_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*\Z")
_ROUND = ("/signin", "/signout", "/auth/")


def visitor() -> Caller:
    """Return the visitor of a page, who may be anonymous."""
    caller: Caller | None = g.get("caller")
    if caller is None:
        caller = g.caller = services().browsers.identify(request)
    return caller


def anybody() -> Caller:
    """Return the visitor, or an anonymous one if the database fails, for pages that work without
    an account."""
    try:
        return visitor()
    except SQLAlchemyError:
        g.caller = ANONYMOUS
        return ANONYMOUS


def signed_in(view: View) -> View:
    """Require a signed-in user for a view, and pass the user as `caller=`.

    Other visitors must sign in first. Requests that change data must come from a form of a page of
    the session.
    """

    @wraps(view)
    def wrapped(**arguments: Any) -> BaseResponse:
        caller = visitor()
        if caller.is_anonymous:
            return redirect(url_for("web.sign_in", next=_here()), 303)
        if request.method not in {"GET", "HEAD", "OPTIONS"}:
            check_form()
        return view(caller=caller, **arguments)

    return cast(View, wrapped)


def check_form() -> None:
    """
    :raises ServiceError: `cross_origin`, `csrf_failed`.
    """
    check_origin()
    sent = request.headers.get(CSRF_HEADER) or request.form.get(CSRF_FIELD, "")
    services().browsers.check_form(request, sent)


def check_origin() -> None:
    """Check the origin for forms that need no session. Then receive the form.

    :raises ServiceError: `cross_origin`, `payload_too_large`, `request_timeout`.
    """
    require_same_origin(request, services().settings.public_url)
    receive_form(request)


def read_form(type_: type[T]) -> T:
    """Return the fields of the submitted form as `type_`. Empty texts count as missing.

    :raises ServiceError: `invalid_request`, whose `details.path` names the field.
    """
    given: Mapping[str, Sequence[str]] = request.form.to_dict(flat=False)
    filled = {name: values for name, values in given.items() if any(values)}
    return read_fields(filled, type_, merged=list_names(type_))


def _here() -> str:
    """Return the path after signing in: this page, if it can be requested again."""
    return request.full_path.removesuffix("?") if request.method == "GET" else ""


def _form_token() -> str:
    return services().browsers.form_token(request)


def _form_field() -> Markup:
    return Markup('<input type="hidden" name="{}" value="{}">').format(CSRF_FIELD, _form_token())


@blueprint.app_context_processor
def _signed() -> dict[str, Any]:
    """Return the form tokens for templates."""
    return {"csrf_token": _form_token, "csrf_field": _form_field}


def safe_path(text: str) -> str:
    """Return the path with its query if it is one of this service, else the start page."""
    return text if len(text) <= MAX_CHARACTERS and _PATH.match(text) else START


def path_after_sign_in(text: str) -> str:
    """Return the path, or the start page instead of pages that sign in or out."""
    path = safe_path(text)
    return START if path.startswith(_ROUND) else path


def page_after_sign_in(path: str) -> str:
    """Return the page after the sign-in. `path` must be safe."""
    return FIRST_PAGE if path == START else path
