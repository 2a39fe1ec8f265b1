"""`GET /api/v1/capabilities`, with plugins that describe themselves or fail to."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flask import Flask
from flask.testing import FlaskClient
from support import MakeApp, User, make_user

from codeintel.contracts.languages import languages

PATH = "/api/v1/capabilities"
MODULE = """
from codeintel import hookimpl
from codeintel.contracts import *

def rule(id, cwe=None, languages=None, **more):
    return RuleInfo(id=id, summary=f"about {id}", cwe=cwe, severity=Severity.HIGH,
        confidence=Confidence.LOW, category=Category.SECURITY, languages=languages, **more)

class Base(Analyzer):
    languages = None
    def analyze(self, request):
        return iter(())

class Deep(Base):
    name, version, models = "deep", "2.1", frozenset({Model.PRO})
    languages = frozenset({"python", "klingon"})
    asked = 0
    def rules(self):
        type(self).asked += 1
        return [rule("D1", "CWE-89", remedy="Bind it."), rule("D2", None, ("klingon",))]

class Wide(Base):
    name = "wide"
    def rules(self):
        return iter([rule("W1", "CWE-89"), rule("W2", "CWE-79")])

class Thinks(Engine):
    name = "thinks"
    def available(self, kind, model):
        return kind is RunKind.ANALYSIS and model is Model.PRO
    def analyze(self, task, context):
        raise NotImplementedError

class Raises(Base):
    name = "raises"
    def rules(self):
        yield rule("R1")
        raise RuntimeError("what was " + "sent")

class Exits(Base):
    name = "exits"
    def rules(self):
        raise SystemExit

class Untyped(Base):
    name = "untyped"
    def rules(self):
        return [rule(7)]

class Unwilling(Base):
    name = "unwilling"
    def understands(self, language):
        raise RuntimeError

class Forgetful(Analyzer):
    name = "forgetful"
    def analyze(self, request):
        return iter(())

class Unsure(Thinks):
    name = "unsure"
    def available(self, kind, model):
        raise RuntimeError
"""
GOOD = """
@hookimpl
def register_analyzers(register):
    register(Wide())
    register(Deep())

@hookimpl
def register_engines(register):
    register(Thinks())
"""
BROKEN = """
@hookimpl
def register_analyzers(register):
    for each in (Raises, Exits, Untyped, Unwilling, Forgetful):
        register(each())

@hookimpl
def register_engines(register):
    register(Unsure())
"""


@pytest.fixture
def app(make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """Return an application with only the good plugin."""
    monkeypatch.setattr("codeintel.platform.plugins.discovery.shipped", tuple)
    _drop(tmp_path, good=GOOD)
    return make_app()


def _drop(instance: Path, **plugins: str) -> None:
    folder = instance / "plugins"
    folder.mkdir(exist_ok=True)
    for name, hooks in plugins.items():
        (folder / f"{name}.py").write_text(MODULE + hooks)


def asked(client: FlaskClient, query: str = "") -> dict[str, Any]:
    answer = client.get(f"{PATH}{query}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.get_json()["data"]
    return data


def rule_ids(client: FlaskClient, query: str) -> list[str]:
    return [rule["id"] for rule in asked(client, query)["rules"]]


def test_everything_that_plugins_state(client: FlaskClient) -> None:
    data = asked(client)
    assert data["models"] == ["flash", "pro"]
    assert data["analyzers"] == [
        {
            "name": "deep",
            "version": "2.1",
            "languages": ["klingon", "python"],
            "models": ["pro"],
            "rules": 2,
            "plugin": "good",
        },
        {
            "name": "wide",
            "version": "0",
            "languages": None,
            "models": ["flash", "pro"],
            "rules": 2,
            "plugin": "good",
        },
    ]
    assert data["engines"] == [
        {"name": "thinks", "models": ["pro"], "transforms": [], "plugin": "good"}
    ]
    assert data["rules"][0] == {
        "analyzer": "deep",
        "id": "D1",
        "summary": "about D1",
        "cwe": "CWE-89",
        "severity": "high",
        "confidence": "low",
        "category": "security",
        "languages": None,
        "remedy": "Bind it.",
    }
    assert [rule["id"] for rule in data["rules"]] == ["D1", "D2", "W1", "W2"]


def test_languages_with_their_names_and_who_knows_them(client: FlaskClient) -> None:
    found = {language["name"]: language for language in asked(client)["languages"]}
    assert list(found) == sorted({language.name for language in languages()} | {"klingon"})
    assert {"py", "python3"} <= set(found["python"]["aliases"])
    assert "py" in found["python"]["extensions"]
    assert found["python"]["analyzers"] == ["deep", "wide"]
    assert found["go"]["analyzers"] == ["wide"]
    assert (found["klingon"]["aliases"], found["klingon"]["analyzers"]) == ([], ["deep", "wide"])


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("?language=python", ["D1", "W1", "W2"]),
        ("?language=.PY", ["D1", "W1", "W2"]),
        ("?language=klingon", ["D1", "D2", "W1", "W2"]),
        ("?language=golang", ["W1", "W2"]),
        ("?analyzer=deep", ["D1", "D2"]),
        ("?cwe=CWE-89", ["D1", "W1"]),
        ("?cwe=CWE-89&analyzer=wide&language=go", ["W1"]),
        ("?cwe=CWE-90", []),
        ("?q=about+d2", ["D2"]),
        ("?q=SQL+command+klingon", ["D1"]),
        ("?q=", ["D1", "D2", "W1", "W2"]),
    ],
)
def test_rules_that_were_asked_for(client: FlaskClient, query: str, ids: list[str]) -> None:
    assert rule_ids(client, query) == ids
    assert len(asked(client, query)["analyzers"]) == 2


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("?language=volapuk", "language"),
        ("?language=", "language"),
        ("?analyzer=nobody", "analyzer"),
        ("?cwe=89", "cwe"),
        ("?cwe=CWE-89&cwe=CWE-90", "cwe"),
    ],
)
def test_values_that_are_refused(client: FlaskClient, query: str, parameter: str) -> None:
    answer = client.get(f"{PATH}{query}")
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "invalid_request")
    assert answer.json["error"]["details"] == {"path": parameter}
    assert "volapuk" not in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


def test_parameters_that_nothing_reads_are_named(client: FlaskClient) -> None:
    answer = client.get(f"{PATH}?lang=go&analyzer=wide")
    assert answer.json["meta"]["ignoredFields"] == ["lang"]


def test_what_fails_to_answer_takes_nothing_else_down(
    make_app: MakeApp,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("codeintel.platform.plugins.discovery.shipped", tuple)
    _drop(tmp_path, good=GOOD, zbroken=BROKEN)
    with caplog.at_level(logging.ERROR):
        data = asked(make_app().test_client())
    assert [rule["id"] for rule in data["rules"]] == ["D1", "D2", "W1", "W2"]
    assert [each["name"] for each in data["analyzers"]] == [
        *("deep", "exits", "raises", "untyped", "unwilling", "wide")
    ]
    python = next(each for each in data["languages"] if each["name"] == "python")
    assert python["analyzers"] == ["deep", "exits", "raises", "untyped", "wide"]
    assert data["engines"][1] == {
        "name": "unsure",
        "models": [],
        "transforms": [],
        "plugin": "zbroken",
    }
    for name in ("raises", "exits", "untyped", "unwilling", "forgetful", "unsure"):
        assert f"{name!r} cannot report" in caplog.text
    assert "what was sent" not in caplog.text


def test_rules_are_asked_for_once(app: Flask, client: FlaskClient) -> None:
    for query in ("", "?language=go", "?analyzer=deep"):
        asked(client, query)
    deep = app.extensions["codeintel"].plugins.registry.analyzers["deep"]
    assert deep.asked == 1


def test_what_has_not_changed_is_not_sent_again(client: FlaskClient) -> None:
    first = client.get(PATH)
    assert first.headers["Cache-Control"] == "public, max-age=60"
    assert {"Authorization", "X-Api-Key"} <= set(first.vary)
    tag = first.headers["ETag"]
    assert client.get(PATH).headers["ETag"] == tag
    again = client.get(PATH, headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    other = client.get(f"{PATH}?cwe=CWE-79", headers={"If-None-Match": tag})
    assert (other.status_code, other.headers["ETag"] == tag) == (200, False)


def test_with_a_credential_it_is_private(client: FlaskClient, user: User) -> None:
    answer = client.get(PATH, headers=user.headers)
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert client.get(PATH, headers={"x-api-key": "nonsense"}).status_code == 401


def test_a_key_without_scopes_for_it_may_read_it(app: Flask, client: FlaskClient) -> None:
    user = make_user(app.extensions["codeintel"], scopes=("workspace:write",))
    assert client.get(PATH, headers=user.headers).status_code == 200


def test_the_document_describes_it(client: FlaskClient) -> None:
    document = client.get("/api/v1/openapi.json").get_json()
    operation = document["paths"][PATH]["get"]
    assert operation["security"] == [{}, {"bearer": []}, {"apiKey": []}]
    assert [(each["name"], each["in"], each["required"]) for each in operation["parameters"]] == [
        ("language", "query", False),
        ("analyzer", "query", False),
        ("cwe", "query", False),
        ("q", "query", False),
    ]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    body = client.get(PATH).get_json()
    jsonschema.validate(body, {**document, **schema})
    del body["data"]["rules"][0]["severity"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(body, {**document, **schema})
