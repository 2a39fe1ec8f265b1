"""The service without one of the plugins that ship, whichever it is."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from support import MakeApp, make_user

from codeintel.platform.plugins.discovery import shipped

BUILT_INS = [each.name for each in shipped()]
STATIC = "codeintel_plugins.static"
PAGES = ("/", "/playground", "/search", "/trust", "/docs/rules")


def without(make_app: MakeApp, names: str) -> Flask:
    return make_app({"CODEINTEL_PLUGINS_DISABLED": names})


@pytest.mark.parametrize("name", BUILT_INS)
def test_it_answers(make_app: MakeApp, name: str) -> None:
    app = without(make_app, name)
    client = app.test_client()
    assert client.get("/api/v1/health").status_code == 200
    answer = client.get("/api/v1/capabilities")
    assert answer.status_code == 200
    assert f'"{name}"' not in answer.text
    assert {page: client.get(page).status_code for page in PAGES} == dict.fromkeys(PAGES, 200)


@pytest.mark.parametrize(
    "names", [f"{STATIC.removesuffix('.static')}.{each}" for each in ("grammars", "python", "*s")]
)
def test_it_analyses_with_what_is_left(make_app: MakeApp, names: str) -> None:
    app = without(make_app, names)
    answer = app.test_client().post(
        "/api/v1/analyze/stream",
        json={"code": "import os\n\ndef f():\n    return eval(input())\n", "language": "python"},
        headers=make_user(app.extensions["codeintel"]).headers,
    )
    assert answer.status_code == 200
    lines = [each for each in answer.text.splitlines() if each.startswith("data: ")]
    events = [json.loads(each.removeprefix("data: ")) for each in lines]
    (result,) = [each["result"] for each in events if each["type"] == "result"]
    assert result["language"] == "python"
    assert result["engine"] == "static"


def test_without_an_engine_it_says_so(make_app: MakeApp) -> None:
    app = without(make_app, STATIC)
    answer = app.test_client().post(
        "/api/v1/analyze/stream",
        json={"code": "x = 1\n", "language": "python"},
        headers=make_user(app.extensions["codeintel"]).headers,
    )
    assert answer.status_code == 503
    assert answer.json["error"]["code"] == "overloaded"
    assert "has no engine" in answer.json["error"]["message"]
    assert "Retry-After" not in answer.headers


def test_without_the_engine_nobody_does_the_registered_transformations(make_app: MakeApp) -> None:
    kinds = [
        without(make_app, names)
        .test_client()
        .get("/api/v1/capabilities")
        .json["data"]["transformations"]
        for names in ("", STATIC)
    ]
    names, same = ([each["name"] for each in those] for those in kinds)
    assert names == same
    assert [any(each["ways"] for each in those) for those in kinds] == [True, False]


def test_a_kind_that_nobody_offers_is_an_unknown_one(make_app: MakeApp) -> None:
    app = without(make_app, "codeintel_plugins.transformations*")
    headers = make_user(app.extensions["codeintel"]).headers
    answers = [
        app.test_client().post(
            "/api/v1/transform/stream",
            json={"code": "x = 1\n", "language": "python", "transformation": kind},
            headers=headers,
        )
        for kind in ("modernize", "no_such_kind")
    ]
    assert [each.status_code for each in answers] == [400, 400]
    ones, others = (each.json["error"] for each in answers)
    assert json.dumps(ones).replace("modernize", "no_such_kind") == json.dumps(others)


def test_a_source_that_nobody_offers_is_an_unknown_one(make_app: MakeApp) -> None:
    client = without(make_app, "*.registries.npm").test_client()
    answers = [client.get(f"/api/v1/search?q=x&sources={name}") for name in ("npm", "nowhere")]
    ones, others = (each.json["error"] for each in answers)
    assert ones["code"] == others["code"]
    assert [each.status_code for each in answers] == [400, 400]
