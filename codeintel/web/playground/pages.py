"""`/playground`: code in, findings or changed code out; live with scripts, without them as a form
that starts a run."""

from __future__ import annotations

import secrets

import msgspec
from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from codeintel.api.analyze import analysis
from codeintel.api.transform import transformation
from codeintel.base.errors import ServiceError
from codeintel.base.timestamps import Moment
from codeintel.http.endpoint import services
from codeintel.http.envelope import json_response
from codeintel.http.protection.origin import shown_origin
from codeintel.http.requests.connection import client_is_gone
from codeintel.identity.auth.caller import Caller
from codeintel.runs.capabilities import RuleQuery
from codeintel.runs.events.log import RunLog, tail
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import anybody, read_form, signed_in
from codeintel.web.markup import inline
from codeintel.web.playground.form import PlaygroundForm, refused_at
from codeintel.web.playground.view import playground_view


def start(caller: Caller, form: PlaygroundForm) -> RunLog:
    """Start what the form asks for, as the API does; returns the log of the run.

    :raises ServiceError: as the API's routes.
    """
    if form.is_analysis:
        return analysis(caller, form.analysis, form.number_of(form.analysis))
    kind = services().plugins.registry.kinds.get(form.task)
    body = form.transformation(changes_language=kind is not None and kind.changes_language)
    return transformation(caller, body, form.number_of(body))


def follow(log: RunLog, caller: Caller) -> None:
    """Read a run to its end: one that nobody reads is stopped. It ends at its own limit of time."""
    for _ in tail(log, client_is_gone(request), services().callers.still_valid(caller)):
        pass


TOKEN_SECONDS = 600


class TokenAnswer(msgspec.Struct, frozen=True, rename="camel"):
    """A credential for the API that ends soon."""

    token: str
    expires_at: Moment


@blueprint.get("/playground")
def playground() -> Response:
    """The form, for everybody; running needs an account."""
    return _page(anybody(), {})


@blueprint.post("/playground")
@signed_in
def run_in_playground(caller: Caller) -> BaseResponse:
    """Run what the form asks for, and show it when it is done: for browsers without scripts."""
    try:
        log = start(caller, read_form(PlaygroundForm))
    except ServiceError as error:
        return _page(caller, request.form.to_dict(), error)
    follow(log, caller)
    return redirect(url_for("web.run", run_id=log.run_id), 303)


@blueprint.post("/playground/token")
@signed_in
def playground_token(caller: Caller) -> Response:
    """A token of the session's account, for the page's scripts: the API takes no cookie."""
    token, expires_at = services().issuer.sign(
        caller.account_id, TOKEN_SECONDS, session_id=caller.session_id or ""
    )
    return json_response(TokenAnswer(token, expires_at))


def _page(caller: Caller, typed: dict[str, str], error: ServiceError | None = None) -> Response:
    view = playground_view(
        services().catalogue.capabilities(RuleQuery()),
        typed,
        is_signed_in=not caller.is_anonymous,
        origin=shown_origin(),
        available=_available(caller),
        addresses={
            "token": url_for("web.playground_token"),
            "runs": url_for("web.runs") + "/",
            "signIn": url_for("web.sign_in", next=url_for("web.playground")),
            "account": "/account",
        },
    )
    wrong = refused_at(error) if error is not None else None
    page = render_page(
        "playground.html", number=secrets.token_hex(16), view=view, wrong=wrong, inline=inline
    )
    response = page_answer(page, error.code.status if error is not None else 200)
    if error is not None and error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _available(caller: Caller) -> int | None:
    if caller.is_anonymous or caller.unlimited:
        return None
    return services().ledger.balance(caller.account_id).available
