"""Rules of the document in addition to types, which the service follows: patterns, conditions,
headers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flask import Flask
from flask.testing import FlaskClient
from gunicorn.http.errors import InvalidRequestLine, LimitRequestLine
from support import make_user

from codeintel.app import Services
from codeintel.base.errors import ServiceError
from codeintel.base.wording import NOT_BLANK
from codeintel.contracts.workspaces.paths import is_folder_name, path_problems
from codeintel.server.worker import refused
from codeintel.trust.targets import TARGET_PATTERN, parse_comparison, parse_target
from codeintel.workspaces.requests import FOLDER_PATTERN, PATTERN

DOCUMENT = json.loads((Path(__file__).parents[2] / "docs/openapi.json").read_text())
PATHS = (
    *("/a", "/a/b.py", "/.gitignore", "/.github/x", "/a b", "/ä", "/...", "/git", "/codeintel"),
    *(
        "",
        "/",
        "a",
        "//a",
        "/a/",
        "/a//b",
        "/.",
        "/a/..",
        "/../a",
        "/a\\b",
        "/c:",
        "/a\nb",
        "/a\x85",
    ),
    *(
        "/.git",
        "/.GIT/config",
        "/a/.git. /x",
        "/git~1",
        "/.codeintel/x",
        "/.CodeIntel",
        "/codein~1",
    ),
    *(f"/{'a' * 255}", f"/{'a' * 256}"),
)
FOLDERS = ("", "main", "a b", ".", "..", "...", "a/b", "a\\b", "C:", "c:x", "ab:", "a\tb")
TARGETS = (
    *("react", "@babel/core", "npm:react", "pypi:requests", "golang:github.com/gorilla/mux"),
    *("pkg:npm/react@19.0.0", "pkg:pypi/flask", "docker:grafana/grafana", "github:pallets/flask"),
    *("package:react..vs..package:vue", "package:react..vs..package:pypi:flask"),
    *("", " ", "a b", "ä", "@/x", "npm:", "nobody:x", "github:flask", "docker:Redis", "package:a"),
    *("a..vs..b", "package:a..vs..b", "pkg:npm/", "..vs.."),
    "..vs..".join(f"package:a{number}" for number in range(11)),
)
CODE = {"code": "x = 1"}
REFACTOR = {**CODE, "transformation": "refactor"}
CONVERT = {**CODE, "transformation": "convert"}
BODIES: list[tuple[dict[str, Any], bool]] = [
    (REFACTOR, True),
    ({**REFACTOR, "language": "python", "model": "pro", "unknown": 1}, True),
    ({**CONVERT, "targetLanguage": "go"}, True),
    ({"request": CODE, "model": "pro"}, True),
    ({"request": {**CODE, "targetLanguage": "go"}}, True),
    ({}, False),
    (CODE, False),
    ({"transformation": "refactor"}, False),
    ({**CODE, "transformation": "paint"}, False),
    (CONVERT, False),
    ({**REFACTOR, "targetLanguage": "go"}, False),
    ({**REFACTOR, "language": "python", "sourceLanguage": "go"}, False),
    ({**REFACTOR, "options": []}, False),
    ({**REFACTOR, "request": CODE}, False),
    ({"request": None}, False),
    ({"request": {}}, False),
]


def is_refused(parse: Any, text: str) -> bool:
    try:
        parse(text)
    except ServiceError:
        return True
    return False


@pytest.mark.parametrize("path", PATHS)
def test_paths(path: str) -> None:
    assert bool(re.search(PATTERN, path)) is (path_problems([path]) == [])


@pytest.mark.parametrize("name", FOLDERS)
def test_folders(name: str) -> None:
    assert bool(re.search(FOLDER_PATTERN, name)) is is_folder_name(name)


@pytest.mark.parametrize("target", TARGETS)
def test_targets(target: str) -> None:
    taken = not is_refused(parse_target, target) or not is_refused(parse_comparison, target)
    assert bool(re.search(TARGET_PATTERN, target)) is taken


def test_blank_is_what_python_calls_white_space() -> None:
    for number in range(0x11000):
        character = chr(number)
        assert bool(re.search(NOT_BLANK, character)) is not character.isspace(), hex(number)


@pytest.mark.parametrize(("body", "is_good"), BODIES)
def test_bodies_of_transformations(
    client: FlaskClient, services: Services, body: Any, is_good: bool
) -> None:
    schema = {**DOCUMENT, "$ref": "#/components/schemas/TransformRequest"}
    assert jsonschema.Draft202012Validator(schema).is_valid(body) is is_good
    if not is_good:
        headers = make_user(services).headers
        answer = client.post("/api/v1/transform/stream", json=body, headers=headers)
        assert answer.get_json()["error"]["code"] == "invalid_request"


def test_a_whole_number_may_have_a_point(client: FlaskClient, services: Services) -> None:
    headers = make_user(services, scopes=("workspace:write",)).headers
    statuses = []
    for revision in ("1.0", "1e0", "1", "1.5", '"1"'):
        answer = client.post(
            "/api/workspace/wsp_0/restore",
            data=f'{{"revision": {revision}, "else": [2.0]}}',
            content_type="application/json",
            headers=headers,
        )
        statuses.append(answer.status_code)
    assert statuses == [404, 404, 404, 400, 400]
    body = client.post(
        "/api/workspace/wsp_0/restore",
        data="1.0",
        content_type="application/json",
        headers=headers,
    )
    assert body.get_json()["error"]["code"] == "invalid_request"


def test_an_address_takes_its_own_methods_only(client: FlaskClient) -> None:
    told = client.options("/api/workspace/sync").headers["Allow"]
    assert told == "OPTIONS, POST"
    refusal = client.put("/api/workspace/sync")
    assert (refusal.status_code, refusal.headers["Allow"]) == (405, told)
    assert refusal.get_json()["error"]["details"] == {"allowed": ["OPTIONS", "POST"]}
    assert "DELETE" in client.options("/api/workspace/wsp_0").headers["Allow"]


def test_a_stream_names_its_run(client: FlaskClient, services: Services) -> None:
    headers = make_user(services).headers
    answer = client.post(
        "/api/v1/analyze/stream", json={"code": "x = 1", "language": "python"}, headers=headers
    )
    assert f'"runId":"{answer.headers["X-Run-Id"]}"' in answer.text


def test_too_long_an_address_is_refused_as_anything_else_is(app: Flask) -> None:
    answer = refused(app, LimitRequestLine(9_000, 8_190), "192.0.2.7")
    assert answer is not None
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 414 ")
    assert b"\r\nX-RateLimit-Limit: " in head and b"\r\nConnection: close" in head
    assert json.loads(body)["error"]["code"] == "uri_too_long"
    assert refused(app, InvalidRequestLine("?"), "192.0.2.7") is None
