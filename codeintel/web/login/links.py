"""`/signin` and `/signout`: with a link that the service gave, or at a provider."""

from __future__ import annotations

from urllib.parse import quote

from flask import Response, request, session

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.endpoint import actor, client, count_failure, services
from codeintel.identity.sessions import LINK
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.pages import login_links
from codeintel.web.login.require_login import (
    START,
    check_form,
    check_origin,
    page_after_sign_in,
    path_after_sign_in,
    visitor,
)

# What is sent on from the page of a link must not hold the link.
_REFERRER = "strict-origin"
_WANTED = "wanted"


@blueprint.get("/signin")
def sign_in() -> Response:
    """Show the ways to sign in. The login cookie keeps the page that the visitor opened, because
    a link from a terminal does not name it."""
    if (wanted := _next()) != START:
        session.permanent = True
        session[_WANTED] = wanted
    return page_answer(_ways())


@blueprint.get("/signin/<token>")
def sign_in_link(token: str) -> Response:
    """Ask before the link is used up, because mail programs and chats open links to show a
    preview."""
    try:
        email = services().links.email(token)
    except ServiceError as error:
        return _refused(error)
    following = _next()
    if following == START:
        following = path_after_sign_in(str(session.get(_WANTED, "")))
    page = render_page("sign_in_link.html", email=email, now=visitor().email, next=following)
    return _private(page_answer(page))


@blueprint.post("/signin/<token>")
def use_sign_in_link(token: str) -> Response:
    """Use up the link, start a session and redirect to the requested page."""
    check_origin()
    try:
        account_id = services().links.consume(token)
    except ServiceError as error:
        return _refused(error)
    session.pop(_WANTED, None)
    response = _private(_on(page_after_sign_in(_next())))
    services().browsers.sign_in(request, response, account_id, LINK, client())
    return response


@blueprint.post("/signout")
def sign_out() -> Response:
    """End the session of this browser. With `next`, continue to the sign-in page, from where the
    visitor comes back to that path with another account."""
    check_origin()
    caller = visitor()
    if caller.session_id:
        check_form()
        services().sessions.end(caller.account_id, caller.session_id, actor(caller))
    return _signed_out("signed-out", _next() if request.form.get("next") else "")


@blueprint.post("/signout/everywhere")
def sign_out_everywhere() -> Response:
    """End all sessions of the account."""
    check_origin()
    caller = visitor()
    if caller.session_id:
        check_form()
        services().sessions.end_all(caller.account_id, actor(caller))
    return _signed_out("signed-out-everywhere")


def _signed_out(notice: str, following: str = "") -> Response:
    address = f"/signin?next={quote(following)}&notice=" if following else "/?notice="
    response = _private(_on(address + notice))
    services().browsers.sign_out(response)
    response.headers["Clear-Site-Data"] = '"storage"'  # the playground's draft
    return response


def _ways(refused: str = "") -> str:
    following = _next()
    return render_page(
        "signin.html", refused=refused, next=following, providers=login_links(following)
    )


def _refused(error: ServiceError) -> Response:
    """Return the page that explains how to get a valid link.

    :raises ServiceError: `rate_limit_exceeded` after too many failures.
    """
    if error.code is not ErrorCode.SIGN_IN_LINK_INVALID:
        raise error
    if (too_often := count_failure()) is not None:
        raise too_often
    return _private(page_answer(_ways(error.message), error.code.status))


def _next() -> str:
    return path_after_sign_in(request.values.get("next", ""))


def _on(address: str) -> Response:
    return Response(status=303, headers={"Location": address})


def _private(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Referrer-Policy"] = _REFERRER
    return response
