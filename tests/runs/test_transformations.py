"""The outcome of proposed transformations: checked, split, and returned or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from support import MakeApp, make_user

from codeintel.platform.db.models import new_id

CODE = "class A {\n    int a = 1;\n    int b = 2;\n}\n"
PLUGIN = """
import os
import time

import msgspec

from codeintel import hookimpl
from codeintel.contracts import (
    Change, Equivalence, Promise, Rewrite, Transformation, TransformationKind, Unsupported,
)


class NoOptions(msgspec.Struct):
    pass


PROMISES = (Promise.PARSES, Promise.NO_NEW_FINDINGS, Promise.STABLE)


class _Replacing(Transformation):
    languages = frozenset({"java"})
    version = "1"
    steps = ()

    def rewrite(self, request):
        code, changes = request.code, []
        for rule, old, new in self.steps:
            if rule not in request.without and old in code:
                code = code.replace(old, new)
                changes.append(Change(rule=rule, message=f"{old} is {new}."))
        return Rewrite(code=code, changes=tuple(changes))


def way(kind, *steps, **more):
    return type(kind, (_Replacing,), {"name": kind, "kind": kind, "steps": steps, **more})()


GOOD = ("good", "int a = 1", "int a = 3"), ("better", "int b = 2", "int b = 4")
BAD = ("breaks", "class A {", "class A {{")
GROWS = ("grows", "a = ", "a = 0 + ")


class Refusing(_Replacing):
    name = kind = "refusing"

    def rewrite(self, request):
        raise Unsupported("line 1: `class`")


class Raising(_Replacing):
    name = kind = "raising"

    def rewrite(self, request):
        raise ValueError(request.code)


class Hanging(_Replacing):
    name = kind = "hanging"
    timeout = 0.3

    def rewrite(self, request):
        time.sleep(60)


class Dying(_Replacing):
    name = kind = "dying"

    def rewrite(self, request):
        os._exit(1)


class Lying(_Replacing):
    name = kind = "lying"

    def rewrite(self, request):
        return "no rewrite at all"


class Stubborn(_Replacing):
    name = kind = "stubborn"

    def rewrite(self, request):
        return Rewrite(code="class {", changes=(Change(rule="r", message="m"),))


@hookimpl
def register_transformations(register, config):
    ways = (
        way("fine", *GOOD),
        way("partly", GOOD[0], BAD, GOOD[1]),
        way("wrong", BAD),
        way("restless", GOOD[0], GROWS),
        way("idle"),
        Refusing(), Raising(), Hanging(), Dying(), Lying(), Stubborn(),
    )
    for each in ways:
        register(TransformationKind(
            name=each.kind, summary="A test.", options=NoOptions, promises=PROMISES, surcharge=1,
        ))
        register(each)
"""
PRICE, LEAST = 3, 2


@pytest.fixture
def app(make_app: MakeApp, tmp_path: Path) -> Flask:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "ways.py").write_text(PLUGIN)
    app = make_app()
    assert {each.error for each in app.extensions["codeintel"].plugins.records} == {None}
    return app


class Run:
    """One transformation, and what it cost."""

    def __init__(self, app: Flask, kind: str, code: str = CODE) -> None:
        services = app.extensions["codeintel"]
        user = make_user(services, f"{new_id('user')}@example.org")
        answer = app.test_client().post(
            "/api/v1/transform/stream",
            json={"code": code, "language": "java", "transformation": kind},
            headers=user.headers,
        )
        lines = [line for line in answer.text.splitlines() if line.startswith("data: ")]
        self.events = [json.loads(line.removeprefix("data: ")) for line in lines]
        balance = services.ledger.balance(user.account.id)
        self.charged = 100 - balance.posted
        assert balance.held == 0

    @property
    def last(self) -> dict[str, Any]:
        return self.events[-1]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == kind]

    @property
    def result(self) -> dict[str, Any]:
        (event,) = self.of("result")
        return dict(event["result"])

    @property
    def checks(self) -> dict[str, str]:
        (event,) = self.of("verification")
        return {check["name"]: check["status"] for check in event["checks"]}


def test_what_passes_is_returned(app: Flask) -> None:
    found = Run(app, "fine")
    assert (found.last["type"], found.charged) == ("run.completed", PRICE)
    result = found.result
    assert result["code"] == CODE.replace("1", "3").replace("2", "4")
    assert (result["changed"], result["verified"], result["kind"]) == (True, False, "transform")
    assert result["verdict"] == "checked", "what promises no equivalence is never proven"
    (told,) = found.of("verification")
    assert (told["verdict"], told["verified"]) == ("checked", False)
    assert (result["transformation"], result["engine"]) == ("fine", "static")
    assert [change["rule"] for change in result["changes"]] == ["good", "better"]
    assert "-    int a = 1;\n-    int b = 2;\n+    int a = 3;\n" in result["diff"]
    assert found.checks["parses"] == found.checks["stable"] == "passed"
    assert found.checks["no_new_findings"] == "passed"
    assert result["unchecked"]


@pytest.mark.parametrize(("kind", "left_out"), [("partly", "breaks"), ("restless", "grows")])
def test_what_does_not_pass_is_left_out_and_the_rest_kept(
    app: Flask, kind: str, left_out: str
) -> None:
    found = Run(app, kind)
    assert (found.last["type"], found.result["verdict"]) == ("run.completed", "checked")
    kept = {change["rule"] for change in found.result["changes"]}
    assert "good" in kept
    assert left_out not in kept
    assert found.result["code"] != CODE
    assert any(left_out in event["message"] for event in found.of("progress"))


@pytest.mark.parametrize("kind", ["wrong", "idle"])
def test_nothing_is_left_to_change(app: Flask, kind: str) -> None:
    found = Run(app, kind)
    assert (found.last["type"], found.charged) == ("run.completed", PRICE)
    assert (found.result["code"], found.result["changed"]) == (CODE, False)
    assert (found.result["diff"], found.result["changes"]) == ("", [])
    assert (found.result["verdict"], found.result["verified"]) == ("proven", True)
    assert found.checks["parses"] == "passed"


@pytest.mark.parametrize("kind", ["idle", "refusing"])
def test_code_that_does_not_parse_costs_nothing(app: Flask, kind: str) -> None:
    found = Run(app, kind, "class A {\n    int a = = 1;\n}\n")
    assert (found.last["type"], found.last["reason"]) == ("run.failed", "invalid_code")
    assert found.last["message"].startswith("The code does not parse as java: line 2")
    assert (found.charged, found.of("result")) == (0, [])


def test_no_result_passes(app: Flask) -> None:
    found = Run(app, "stubborn")
    assert (found.last["type"], found.last["reason"]) == ("run.incomplete", "not_verified")
    assert "does not parse" in found.last["message"]
    assert (found.result["code"], found.result["changed"]) == (CODE, False)
    assert (found.result["verdict"], found.result["verified"]) == ("unproven", False)
    assert found.charged == LEAST


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("refusing", "unsupported_without_model"),
        ("raising", "transformation_failed"),
        ("hanging", "transformation_failed"),
        ("dying", "transformation_failed"),
        ("lying", "transformation_failed"),
    ],
)
def test_one_that_cannot_do_it_costs_nothing(
    app: Flask, caplog: pytest.LogCaptureFixture, kind: str, reason: str
) -> None:
    found = Run(app, kind)
    assert (found.last["type"], found.last["reason"], found.charged) == ("run.failed", reason, 0)
    assert found.of("result") == []
    assert "int a" not in caplog.text
    if kind == "refusing":
        assert found.last["message"] == "line 1: `class`"


def test_the_run_is_kept(app: Flask) -> None:
    services = app.extensions["codeintel"]
    user = make_user(services, scopes=("transform:write",))
    api = app.test_client()
    body = {"code": CODE, "language": "java", "transformation": "fine"}
    headers = {**user.headers, "Idempotency-Key": "once"}
    first = api.post("/api/v1/transform/stream", json=body, headers=headers)
    again = api.post("/api/v1/transform/stream", json=body, headers=headers)
    assert first.data == again.data
    run_id = json.loads(first.text.partition("data: ")[2].partition("\n")[0])["runId"]
    report = api.get(f"/api/v1/runs/{run_id}", headers=user.headers).json["data"]
    assert (report["kind"], report["state"]) == ("transform", "completed")
    assert (report["result"]["verdict"], report["result"]["verified"]) == ("checked", False)
    sarif = api.get(f"/api/v1/runs/{run_id}?format=sarif", headers=user.headers)
    assert (sarif.status_code, sarif.json["error"]["details"]) == (400, {"path": "format"})
    other = make_user(services, "b@example.org", scopes=("analysis:write",))
    assert api.get(f"/api/v1/runs/{run_id}", headers=other.headers).status_code == 404


def test_the_capabilities_tell(app: Flask) -> None:
    data = app.test_client().get("/api/v1/capabilities").json["data"]
    kinds = {each["name"]: each for each in data["transformations"]}
    fine = kinds["fine"]
    assert fine["prices"]["flash"] == {"full": PRICE, "long": PRICE + 1, "least": LEAST}
    (way,) = fine["ways"]
    assert (way["engine"], way["languages"], way["targets"]) == ("static", ["java"], None)
    assert (way["equivalence"], way["bestVerdict"]) == (None, "checked")
    assert {each["bestVerdict"] for each in kinds["convert"]["ways"]} == {"proven"}
    assert fine["promises"] == ["parses", "no_new_findings", "stable"]
    style = kinds["document"]["options"]["properties"]["style"]
    assert style["enum"] == ["google", "numpy", "sphinx"]
    (static,) = [each for each in data["engines"] if each["name"] == "static"]
    assert static["transforms"] == ["flash", "pro"]
