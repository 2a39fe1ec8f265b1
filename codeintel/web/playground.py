"""`/playground`: code in, findings or changed code out; live with scripts, without them as a form
that starts a run."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from flask import Response, redirect, request, url_for
from msgspec import UNSET, Meta, UnsetType
from werkzeug.wrappers import Response as BaseResponse

from codeintel.api.analyze import AnalyzeRequest, Code, analysis
from codeintel.api.transform import TransformRequest, transformation
from codeintel.base.errors import ServiceError
from codeintel.base.timestamps import Moment
from codeintel.base.wording import counted
from codeintel.contracts import Model
from codeintel.contracts.analysis import (
    MAX_CODE_CHARACTERS,
    MAX_LANGUAGE_CHARACTERS,
    MAX_PROMPT_CHARACTERS,
)
from codeintel.contracts.languages import NAME_PATTERN
from codeintel.http.endpoint import services
from codeintel.http.errors import json_response
from codeintel.http.protection import shown_origin
from codeintel.http.streams import client_is_gone
from codeintel.identity.auth.caller import Caller
from codeintel.identity.ledger import LONG_CODE_CHARACTERS, analysis_price
from codeintel.runs.capabilities import Capabilities, KindInfo, RuleQuery
from codeintel.runs.events.log import RunLog, tail
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.require_login import anybody, read_form, signed_in
from codeintel.web.schemas import curl
from codeintel.web.text import inline

ANALYSE = "analyse"

_Language = Annotated[
    str, Meta(min_length=1, max_length=MAX_LANGUAGE_CHARACTERS, pattern=NAME_PATTERN)
]
_FIELDS = {
    "code": "The code",
    "language": "The language",
    "target": "The language to write",
    "words": "The text",
    "task": "What to do",
    "model": "The model",
}
"""What messages call the fields."""
_PATHS = {
    "prompt": "words",
    "instructions": "words",
    "sourceLanguage": "language",
    "targetLanguage": "target",
    "transformation": "task",
}
"""Fields of the form by those of the API."""
_PATH = "/api/v1/analyze/stream"
_EXAMPLE = {"code": "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n"}
_ANALYSE_SUMMARY = "Findings as they are found, and a summary in words."
_QUESTION = "What the summary should answer, such as: is this safe?"
_INSTRUCTIONS = "What a model should heed; other engines do not read it."
TOKEN_SECONDS = 600


class PlaygroundForm(msgspec.Struct, frozen=True):
    """All fields. `words` is the question of an analysis, or instructions for a transformation."""

    code: Code
    task: Annotated[str, Meta(max_length=MAX_LANGUAGE_CHARACTERS)] = ANALYSE
    language: _Language | UnsetType = UNSET
    target: _Language | UnsetType = UNSET
    words: Annotated[str, Meta(max_length=MAX_PROMPT_CHARACTERS)] = ""
    model: Model = Model.FLASH
    number: Annotated[str, Meta(max_length=64)] = ""
    """That of the page that the form stood on."""

    def number_of(self, body: msgspec.Struct) -> str:
        """What makes two requests the same: sent twice from one page, and nothing changed."""
        if not self.number:
            return ""
        return hashlib.sha256(self.number.encode() + msgspec.json.encode(body)).hexdigest()

    @property
    def is_analysis(self) -> bool:
        """Whether it asks for findings, and for no new code."""
        return self.task == ANALYSE

    @property
    def analysis(self) -> AnalyzeRequest:
        """As the API knows it."""
        return AnalyzeRequest(self._code, self.language, self.words, self.model)

    def transformation(self, *, changes_language: bool) -> TransformRequest:
        """As the API knows it. The form has a target for whoever asks for another kind, too."""
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
        """Forms end lines as HTTP does, whatever was typed."""
        return self.code.replace("\r\n", "\n")


def refused_at(error: ServiceError) -> tuple[str, str]:
    """The field of the form that an error is about, empty for none, and the message for it."""
    path = str(error.details.get("path", ""))
    field = _PATHS.get(path, path)
    if field not in _FIELDS:
        return "", error.message
    return field, error.message.replace(f"`{path}`", _FIELDS[field], 1)


@dataclass(frozen=True)
class Task:
    """What can be done with code: analyzing it, or a kind of transformation. Prices are credits by
    model, for short and for long code."""

    name: str
    title: str
    summary: str
    words: str
    changes_language: bool
    prices: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class PlaygroundView:
    """All of it. `languages` and `targets` are names and titles; `typed` is what the form was sent
    with; `available` are credits, empty where they do not matter; `curl` is a command."""

    tasks: tuple[Task, ...]
    languages: tuple[tuple[str, str], ...]
    targets: tuple[tuple[str, str], ...]
    models: tuple[str, ...]
    typed: Mapping[str, str]
    available: str
    cheapest: str
    curl: str
    most: int
    longer: int
    settings: Mapping[str, Any]


def playground_view(
    known: Capabilities,
    typed: Mapping[str, str],
    *,
    is_signed_in: bool,
    origin: str,
    available: int | None,
    addresses: Mapping[str, str],
) -> PlaygroundView:
    """
    :param available: credits that can be spent; None where nothing is charged, or nobody is there.
    :param origin: of the service, for commands.
    :param addresses: of other pages, by the names that scripts know them by.
    """
    tasks = tuple(_tasks(known))
    languages = sorted(((each.name, each.title) for each in known.languages), key=_by_title)
    targets = {*_targets(known)}
    return PlaygroundView(
        tasks=tasks,
        languages=tuple(languages),
        targets=tuple(each for each in languages if each[0] in targets),
        models=tuple(known.models),
        typed=typed,
        available="" if available is None else counted(available, "credit"),
        cheapest=counted(
            min(short for each in tasks for short, _ in each.prices.values()), "credit"
        ),
        curl=curl(origin, "POST", _PATH, key=True, example=_EXAMPLE, stream=True),
        most=MAX_CODE_CHARACTERS,
        longer=LONG_CODE_CHARACTERS,
        settings={
            **addresses,
            "signedIn": is_signed_in,
            "most": MAX_CODE_CHARACTERS,
            "longer": LONG_CODE_CHARACTERS,
            "tasks": {each.name: _for_scripts(each) for each in tasks},
            "prices": {each.name: _prices(each) for each in tasks},
            "extensions": {
                extension: language.name
                for language in known.languages
                for extension in language.extensions
            },
        },
    )


def _by_title(language: tuple[str, str]) -> str:
    return language[1].lower()


def _tasks(known: Capabilities) -> Iterator[Task]:
    prices = {
        model.value: tuple(
            analysis_price(model, length).full for length in (1, LONG_CODE_CHARACTERS + 1)
        )
        for model in Model
    }
    yield Task(ANALYSE, "Analyse", _ANALYSE_SUMMARY, _QUESTION, False, _pairs(prices))
    for kind in known.transformations:
        own = {model.value: (price.full, price.long) for model, price in kind.prices.items()}
        title = kind.name.replace("_", " ").capitalize()
        yield Task(kind.name, title, kind.summary, _INSTRUCTIONS, kind.changes_language, own)


def _pairs(prices: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, int]]:
    return {model: (short, long) for model, (short, long) in prices.items()}


def _targets(known: Capabilities) -> Iterator[str]:
    """Languages that something can be converted to: all, where an engine takes any."""
    for kind in known.transformations:
        if kind.changes_language:
            yield from _targets_of(kind, known)


def _targets_of(kind: KindInfo, known: Capabilities) -> Iterator[str]:
    if kind.engines:
        yield from (each.name for each in known.languages)
    for way in kind.ways:
        yield from way.targets or way.languages


def _for_scripts(task: Task) -> dict[str, Any]:
    return {
        "summary": task.summary,
        "words": task.words,
        "changesLanguage": task.changes_language,
    }


def _prices(task: Task) -> dict[str, dict[str, int]]:
    return {model: {"full": full, "long": long} for model, (full, long) in task.prices.items()}


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
