"""The playground's page and form. With scripts, results arrive live. Without them, the form starts
a run and leads to its page."""

from __future__ import annotations

import hashlib
import secrets
from typing import Annotated

import msgspec
from flask import Response, redirect, request, url_for
from msgspec import UNSET, Meta, UnsetType
from werkzeug.wrappers import Response as BaseResponse

from codeintel.api.analyze import AnalyzeRequest, Code, analysis
from codeintel.api.transform import TransformRequest, transformation
from codeintel.base.errors import ServiceError
from codeintel.base.timestamps import Moment
from codeintel.contracts import Model
from codeintel.contracts.analysis import MAX_LANGUAGE_CHARACTERS, MAX_PROMPT_CHARACTERS
from codeintel.contracts.languages import NAME_PATTERN
from codeintel.http.endpoint import services
from codeintel.http.errors import json_response
from codeintel.http.protection import shown_origin
from codeintel.http.streams import client_is_gone
from codeintel.identity.auth.caller import Caller
from codeintel.runs.capability_types import RuleQuery
from codeintel.runs.events.log import RunLog, tail
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.require_login import anybody, read_form, signed_in
from codeintel.web.playground.examples import examples
from codeintel.web.playground.views import ANALYSE, playground_view
from codeintel.web.text import inline

_Language = Annotated[
    str, Meta(min_length=1, max_length=MAX_LANGUAGE_CHARACTERS, pattern=NAME_PATTERN)
]
_FIELDS = {
    "code": "The code",
    "language": "The language",
    "target": "The target language",
    "words": "The text",
    "task": "The task",
    "model": "The depth",
}
"""Names of the fields in messages."""
_PATHS = {
    "prompt": "words",
    "instructions": "words",
    "sourceLanguage": "language",
    "targetLanguage": "target",
    "transformation": "task",
}
"""Fields of the form by fields of the API."""
TOKEN_SECONDS = 600


class PlaygroundForm(msgspec.Struct, frozen=True):
    """The form. `words` is the question of an analysis, or the instructions of a transformation."""

    code: Code
    task: Annotated[str, Meta(max_length=MAX_LANGUAGE_CHARACTERS)] = ANALYSE
    language: _Language | UnsetType = UNSET
    target: _Language | UnsetType = UNSET
    words: Annotated[str, Meta(max_length=MAX_PROMPT_CHARACTERS)] = ""
    model: Model = Model.FLASH
    number: Annotated[str, Meta(max_length=64)] = ""
    """The number of the page that has the form."""

    def number_of(self, body: msgspec.Struct) -> str:
        """Return the idempotency key: the same for a form that is sent twice without a change."""
        if not self.number:
            return ""
        return hashlib.sha256(self.number.encode() + msgspec.json.encode(body)).hexdigest()

    @property
    def is_analysis(self) -> bool:
        """Return whether the form asks for findings."""
        return self.task == ANALYSE

    @property
    def analysis(self) -> AnalyzeRequest:
        """Return the request that the API takes."""
        return AnalyzeRequest(self._code, self.language, self.words, self.model)

    def transformation(self, *, changes_language: bool) -> TransformRequest:
        """Return the request that the API takes, with a target if the kind changes the language."""
        return TransformRequest(
            code=self._code,
            transformation=self.task,
            language=self.language,
            target_language=self.target if changes_language else UNSET,
            instructions=self.words,
            model=self.model,
        )

    @property
    def _code(self) -> str:
        """Return the code with line feeds: browsers send forms with CRLF."""
        return self.code.replace("\r\n", "\n")


def refused_at(error: ServiceError) -> tuple[str, str]:
    """Return the field of the form that an error names, empty for none, and its message."""
    path = str(error.details.get("path", ""))
    field = _PATHS.get(path, path)
    if field not in _FIELDS:
        return "", error.message
    return field, error.message.replace(f"`{path}`", _FIELDS[field], 1)


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
    """Read a run to its end, because runs without a reader are stopped."""
    for _ in tail(log, client_is_gone(request), services().callers.still_valid(caller)):
        pass


class TokenAnswer(msgspec.Struct, frozen=True, rename="camel"):
    """A short-lived credential for the API."""

    token: str
    expires_at: Moment


@blueprint.get("/playground")
def playground() -> Response:
    """Show the form to all users. Running code needs an account."""
    chosen = examples().get(request.args.get("example", ""))
    if chosen is None:
        return _page(anybody(), {})
    return _page(anybody(), {"code": chosen.code, "language": chosen.language, "model": Model.PRO})


@blueprint.post("/playground")
@signed_in
def run_in_playground(caller: Caller) -> BaseResponse:
    """Run what the form asks for, then show the run. This is for browsers without scripts."""
    try:
        log = start(caller, read_form(PlaygroundForm))
    except ServiceError as error:
        return _page(caller, request.form.to_dict(), error)
    follow(log, caller)
    return redirect(url_for("web.run", run_id=log.run_id), 303)


@blueprint.post("/playground/token")
@signed_in
def playground_token(caller: Caller) -> Response:
    """Return an API token for the page's scripts, because the API takes no cookies."""
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
            "rules": url_for("web.finding_titles"),
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
