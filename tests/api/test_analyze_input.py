"""Bad input to POST /api/v1/analyze/stream: a clear refusal or a finished run, never a 500."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from support import User

from codeintel.app import Services

URL = "/api/v1/analyze/stream"


def _body(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


# name, body, status, error.code, details.path
REFUSED: list[tuple[str, bytes, int, str, str | None]] = [
    ("no body", b"", 400, "invalid_json", None),
    ("not JSON", b"code=1", 400, "invalid_json", None),
    ("cut off", b'{"code": "x', 400, "invalid_json", None),
    ("not UTF-8", b'{"code": "\xff"}', 400, "invalid_json", None),
    ("lone surrogate", b'{"code": "\\ud800 = 1"}', 400, "invalid_json", None),
    ("nested JSON", b"[" * 100_000, 400, "invalid_json", None),
    ("an array", b"[]", 400, "invalid_request", None),
    ("null", b"null", 400, "invalid_request", None),
    ("no code", _body(language="python"), 400, "invalid_request", "code"),
    ("empty code", _body(code=""), 400, "invalid_request", "code"),
    ("blank code", _body(code=" \n\t\r "), 400, "invalid_request", "code"),
    ("code is a number", _body(code=1), 400, "invalid_request", "code"),
    ("code is null", _body(code=None), 400, "invalid_request", "code"),
    ("code is a list", _body(code=["x"]), 400, "invalid_request", "code"),
    ("code too long", _body(code="x" * 100_001), 400, "invalid_request", "code"),
    ("unknown model", _body(code="x", model="turbo"), 400, "invalid_request", "model"),
    ("model is a number", _body(code="x", model=2), 400, "invalid_request", "model"),
    ("empty model", _body(code="x", model=""), 400, "invalid_request", "model"),
    ("language is a list", _body(code="x", language=[]), 400, "invalid_request", "language"),
    ("empty language", _body(code="x", language=""), 400, "invalid_request", "language"),
    ("dot language", _body(code="x", language="."), 400, "invalid_request", "language"),
    (
        "sign language",
        _body(code="x", language=" -_+!&"),
        400,
        "invalid_request",
        "language",
    ),
    ("long language", _body(code="x", language="y" * 51), 400, "invalid_request", "language"),
    ("prompt too long", _body(code="x", prompt="y" * 1001), 400, "invalid_request", "prompt"),
    ("prompt is true", _body(code="x", prompt=True), 400, "invalid_request", "prompt"),
    ("body too large", _body(code="x", pad="y" * 1024 * 1024), 413, "payload_too_large", None),
]


@pytest.mark.parametrize(
    ("body", "status", "code", "path"),
    [row[1:] for row in REFUSED],
    ids=[row[0] for row in REFUSED],
)
def test_bad_bodies_are_refused_and_cost_nothing(
    client: FlaskClient,
    user: User,
    services: Services,
    body: bytes,
    status: int,
    code: str,
    path: str | None,
) -> None:
    answer = client.post(URL, data=body, content_type="application/json", headers=user.headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert answer.json["error"]["details"].get("path") == path
    assert answer.json["error"]["message"].endswith(".")
    if path:
        assert f"`{path}`" in answer.json["error"]["message"]
    balance = services.ledger.balance(user.account.id)
    assert (balance.posted, balance.held) == (100, 0)
    state = services.limits.peek_operation(user.account.id, user.account.tier, "analysis")
    assert state.remaining == 30


WORDS = {
    "an array": "The body must be a JSON object.",
    "null": "The body must be a JSON object.",
    "no code": "`code` is missing.",
    "code is a list": "`code` must be a string.",
    "code too long": "`code` must have at most 100,000 characters, it has 100,001.",
    "unknown model": "`model` must be one of: flash, pro.",
    "prompt is true": "`prompt` must be a string.",
}


@pytest.mark.parametrize("name", WORDS)
def test_refusals_are_in_words(client: FlaskClient, user: User, name: str) -> None:
    (body,) = [row[1] for row in REFUSED if row[0] == name]
    answer = client.post(URL, data=body, content_type="application/json", headers=user.headers)
    assert answer.json["error"]["message"] == WORDS[name]


@pytest.mark.parametrize(
    ("headers", "content_type"),
    [
        ({}, "text/plain"),
        ({}, "application/x-www-form-urlencoded"),
        ({}, "application/json; charset=latin-1"),
        ({}, None),
        ({"Content-Encoding": "gzip"}, "application/json"),
        ({"Content-Encoding": "br"}, "application/json"),
    ],
)
def test_other_encodings_and_types_are_refused(
    client: FlaskClient, user: User, headers: dict[str, str], content_type: str | None
) -> None:
    body = _body(code="x")
    data = gzip.compress(body) if headers else body
    answer = client.post(
        URL, data=data, content_type=content_type, headers={**user.headers, **headers}
    )
    assert (answer.status_code, answer.json["error"]["code"]) == (415, "unsupported_media_type")


def test_the_size_is_checked_without_reading_and_told(client: FlaskClient, user: User) -> None:
    answer = client.post(
        URL,
        data=_body(code="x", pad="y" * 2_000_000),
        content_type="application/json",
        headers=user.headers,
    )
    assert answer.json["error"]["details"] == {"limit": 1_048_576, "actual": 2_000_024}


def test_authentication_comes_before_the_body(client: FlaskClient) -> None:
    answer = client.post(URL, data=b"\xff" * 2_000_000, content_type="image/png")
    assert answer.status_code == 401


FINISHED = {
    "NUL bytes": "x = 1\x00\ny = '\x00'\n",
    "100,000 characters on one line": "x = '" + "a" * 99_990 + "'",
    "100,000 characters of one line of code": "x=1;" * 25_000,
    "10,000 nested brackets": "(" * 10_000 + ")" * 10_000,
    "50,000 times 1+": "1+" * 49_999 + "1",
    "unclosed brackets": "[" * 50_000,
    "deep indentation": "".join(" " * i + "if x:\n" for i in range(400)),
    "only a comment": "# nothing",
    "astral characters": "x = '" + "\N{GRINNING FACE}" * 1000 + "'\neval(x)\n",
    "carriage returns": "import os\rimport sys\r\n" * 20,
    "byte order mark": "\ufeffimport os\n",
    "a form feed": "x = 1\n\x0ceval(x)\n",
    "a private-use language": "anything",
}


@pytest.mark.parametrize("name", FINISHED)
@pytest.mark.parametrize("model", ["flash", "pro"])
def test_hostile_code_ends_in_a_finished_run(
    client: FlaskClient, user: User, services: Services, name: str, model: str
) -> None:
    language = "klingon" if name.endswith("language") else "python"
    answer = client.post(
        URL,
        json={"code": FINISHED[name], "language": language, "model": model},
        headers=user.headers,
    )
    assert answer.status_code == 200
    seen = [json.loads(line[6:]) for line in answer.text.split("\n") if line.startswith("data: ")]
    last = seen[-1]
    assert last["type"] in {"run.completed", "run.incomplete"}, last
    assert last["creditsCharged"] + last["creditsRefunded"] == seen[0]["creditsReserved"]
    balance = services.ledger.balance(user.account.id)
    assert (balance.posted, balance.held) == (100 - last["creditsCharged"], 0)


def test_unknown_fields_are_named_not_refused(client: FlaskClient, user: User) -> None:
    answer = client.post(
        URL, json={"code": "x = 1", "temperature": 1, "stream": True}, headers=user.headers
    )
    created = json.loads(answer.text.split("\n")[2].removeprefix("data: "))
    assert created["ignoredFields"] == ["stream", "temperature"]
