"""Bad input to POST /api/v1/transform/stream: a clear refusal or a finished run, never a 500."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from support import User

from codeintel.app import Services

URL = "/api/v1/transform/stream"
TOP: dict[str, Any] = {"code": "x = 1\n", "transformation": "refactor", "language": "python"}
WRAPPED = {"code": "x = 1\n", "sourceLanguage": "python"}
KINDS = "convert, document, modernize, optimize, refactor"


def _top(**fields: Any) -> bytes:
    """Return the first shape with changed fields. `...` omits a field."""
    body = {**TOP, **fields}
    return json.dumps({name: value for name, value in body.items() if value is not ...}).encode()


def _wrapped(_top: dict[str, Any] | None = None, **fields: Any) -> bytes:
    body = {name: value for name, value in {**WRAPPED, **fields}.items() if value is not ...}
    return json.dumps({"request": body, **(_top or {})}).encode()


# name, body, error.code, details.path
REFUSED: list[tuple[str, bytes, str, str | None]] = [
    ("no body", b"", "invalid_json", None),
    ("not JSON", b"code=1", "invalid_json", None),
    ("lone surrogate", b'{"code": "\\ud800 = 1"}', "invalid_json", None),
    ("nested JSON", b"[" * 100_000, "invalid_json", None),
    ("an array", b"[]", "invalid_request", None),
    ("nothing", b"{}", "invalid_request", "code"),
    ("no code", _top(code=...), "invalid_request", "code"),
    ("empty code", _top(code=""), "invalid_request", "code"),
    ("blank code", _top(code=" \n\t\r "), "invalid_request", "code"),
    ("code is null", _top(code=None), "invalid_request", "code"),
    ("code too long", _top(code="x" * 100_001), "invalid_request", "code"),
    ("no kind", _top(transformation=...), "invalid_request", "transformation"),
    ("empty kind", _top(transformation=""), "invalid_request", "transformation"),
    ("unknown kind", _top(transformation="improve"), "invalid_request", "transformation"),
    ("kind in capitals", _top(transformation="REFACTOR"), "invalid_request", "transformation"),
    ("kind is a list", _top(transformation=["refactor"]), "invalid_request", "transformation"),
    ("long kind", _top(transformation="x" * 51), "invalid_request", "transformation"),
    ("dot language", _top(language="."), "invalid_request", "language"),
    ("long language", _top(language="y" * 51), "invalid_request", "language"),
    ("two languages", _top(sourceLanguage="java"), "invalid_request", "sourceLanguage"),
    ("no target", _top(transformation="convert"), "invalid_request", "targetLanguage"),
    (
        "empty target",
        _top(transformation="convert", targetLanguage=""),
        "invalid_request",
        "targetLanguage",
    ),
    (
        "the same target",
        _top(transformation="convert", targetLanguage="py"),
        "invalid_request",
        "targetLanguage",
    ),
    (
        "a target that refactor has not",
        _top(targetLanguage="java"),
        "invalid_request",
        "targetLanguage",
    ),
    ("options is a list", _top(options=[]), "invalid_request", "options"),
    ("options is text", _top(options="aggressive"), "invalid_request", "options"),
    (
        "an option of another type",
        _top(options={"aggressive": "yes"}),
        "invalid_request",
        "options.aggressive",
    ),
    (
        "an option of another value",
        _top(transformation="document", options={"style": "terse"}),
        "invalid_request",
        "options.style",
    ),
    (
        "an option of another form",
        _top(transformation="modernize", options={"pythonVersion": "2.7"}),
        "invalid_request",
        "options.pythonVersion",
    ),
    ("long instructions", _top(instructions="y" * 1001), "invalid_request", "instructions"),
    ("unknown model", _top(model="turbo"), "invalid_request", "model"),
    ("request is null", json.dumps({"request": None}).encode(), "invalid_request", "request"),
    ("request is empty", json.dumps({"request": {}}).encode(), "invalid_request", "request.code"),
    ("wrapped without code", _wrapped(code=...), "invalid_request", "request.code"),
    ("wrapped blank code", _wrapped(code=" "), "invalid_request", "request.code"),
    (
        "wrapped same target",
        _wrapped(targetLanguage="python"),
        "invalid_request",
        "request.targetLanguage",
    ),
    (
        "wrapped long category",
        _wrapped(conversionCategory="c" * 51),
        "invalid_request",
        "request.conversionCategory",
    ),
    ("both shapes", _wrapped({"code": "x = 1"}), "invalid_request", "request"),
    ("both shapes in part", _wrapped({"transformation": "refactor"}), "invalid_request", "request"),
    ("options beside the other", _wrapped({"options": {}}), "invalid_request", "request"),
    ("nobody can", _top(language="cobol"), "unsupported_without_model", None),
    (
        "nobody can convert",
        _top(transformation="convert", targetLanguage="haskell"),
        "unsupported_without_model",
        None,
    ),
]


@pytest.mark.parametrize(
    ("body", "code", "path"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_bad_bodies_are_refused_and_cost_nothing(
    client: FlaskClient,
    user: User,
    services: Services,
    body: bytes,
    code: str,
    path: str | None,
) -> None:
    answer = client.post(URL, data=body, content_type="application/json", headers=user.headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, code)
    assert answer.json["error"]["details"].get("path") == path
    assert answer.json["error"]["message"].endswith(".")
    if path:
        assert f"`{path}`" in answer.json["error"]["message"]
    balance = services.ledger.balance(user.account.id)
    assert (balance.posted, balance.held) == (100, 0)
    state = services.limits.peek_operation(user.account.id, user.account.tier, "transform")
    assert state.remaining == 20


SOURCE = "import os\n\n\ndef f(a):\n    return [each for each in os.listdir(a) if each]\n"


@pytest.mark.parametrize(
    ("kind", "target", "status"),
    [
        ("convert", "python", 400),  # which it is written in
        ("refactor", "python", 200),
        ("refactor", "java", 400),
    ],
)
def test_a_target_is_compared_with_what_the_code_tells(
    client: FlaskClient, user: User, services: Services, kind: str, target: str, status: int
) -> None:
    body = {"code": SOURCE, "transformation": kind, "targetLanguage": target}
    answer = client.post(URL, json=body, headers=user.headers)
    assert answer.status_code == status
    if status == 400:
        assert answer.json["error"]["details"] == {"path": "targetLanguage"}
        assert services.ledger.balance(user.account.id).posted == 100


WORDS = {
    "unknown kind": f"`transformation` must be one of: {KINDS}.",
    "an option of another type": "`options.aggressive` must be true or false.",
    "an option of another value": "`options.style` must be one of: google, numpy, sphinx.",
    "no target": "`targetLanguage` is missing: name the language to convert to.",
    "both shapes": "Send either the fields at the top level or `request`, and optionally `model`.",
    "wrapped without code": "`request.code` is missing.",
}


@pytest.mark.parametrize("name", WORDS)
def test_refusals_are_in_words(client: FlaskClient, user: User, name: str) -> None:
    (body,) = [row[1] for row in REFUSED if row[0] == name]
    answer = client.post(URL, data=body, content_type="application/json", headers=user.headers)
    assert answer.json["error"]["message"] == WORDS[name]


@pytest.mark.parametrize(
    ("body", "ignored"),
    [
        ({**TOP, "speed": 1}, ["speed"]),
        ({**TOP, "options": {"aggressive": True, "color": "red"}}, ["options.color"]),
        ({"request": {**WRAPPED, "conversionCategory": "snippet"}}, ["request.conversionCategory"]),
        ({"request": WRAPPED, "model": "pro"}, []),
        (
            {"request": {**WRAPPED, "transformation": "document", "speed": 1}, "color": "red"},
            ["color", "request.speed", "request.transformation"],
        ),
        ({**TOP, "language": ..., "sourceLanguage": "PY"}, []),
    ],
)
def test_what_nobody_reads_is_named(
    client: FlaskClient, user: User, body: dict[str, Any], ignored: list[str]
) -> None:
    sent = {name: value for name, value in body.items() if value is not ...}
    answer = client.post(URL, json=sent, headers=user.headers)
    assert answer.status_code == 200
    first = json.loads(answer.text.split("data: ", 1)[1].split("\n", 1)[0])
    assert (first["type"], first["kind"]) == ("run.created", "transform")
    assert first["ignoredFields"] == ignored
    assert '"type":"run.completed"' in answer.text
