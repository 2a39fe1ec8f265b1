"""Drop-ins in use: the effect of a broken one on all runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dropins import drop, hook, says
from flask import Flask
from support import MakeApp, make_user

from codeintel.app import Services

BAD_CODE = "import subprocess\nsubprocess.call(input(), shell=True)\n"
SHIPPED = {"ruff": "completed", "bandit": "completed", "secrets": "completed"}

BROKEN = """
class Broken(Analyzer):
    name = "broken"
    languages = None
    def analyze(self, request):
        yield Note("so far so good")
        raise RuntimeError(request.code)

class Unwilling(Broken):
    def understands(self, language):
        raise RuntimeError

class Exits(Broken):
    def analyze(self, request):
        raise SystemExit

class Misplaced(Broken):
    def analyze(self, request):
        yield Reported(Finding(rule_id="T1", engine="broken", severity=Severity.LOW,
            confidence=Confidence.LOW, cwe=None, message="here", range=Range(999, 1, 999, 2)))

class Careless(Broken):
    timeout = "soon"

class Speechless(Broken):
    def analyze(self, request):
        return None

class Forgetful(Analyzer):
    name = "broken"
    def analyze(self, request):
        return iter(())
"""


def events(app: Flask, **body: Any) -> list[dict[str, Any]]:
    """Return the events of a run."""
    services: Services = app.extensions["codeintel"]
    user = make_user(services)
    given = {"code": BAD_CODE, "language": "python", **body}
    answer = app.test_client().post(
        "/api/v1/analyze/stream",
        json={name: value for name, value in given.items() if value is not None},
        headers=user.headers,
    )
    assert answer.status_code == 200, answer.text
    lines = [line for line in answer.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def result_of(seen: list[dict[str, Any]]) -> dict[str, Any]:
    (result,) = [event["result"] for event in seen if event["type"] == "result"]
    return dict(result)


@pytest.mark.parametrize(
    "kind",
    ["Broken", "Exits", "Misplaced", "Unwilling", "Careless", "Speechless", "Forgetful"],
)
def test_an_analyser_that_fails_takes_nothing_else_down(
    make_app: MakeApp, tmp_path: Path, kind: str
) -> None:
    drop(tmp_path, a=BROKEN + hook(f"register({kind}())"), b=says("after"))
    seen = events(make_app())
    assert seen[-1]["type"] == "run.completed"
    result = result_of(seen)
    statuses = {each["name"]: each["status"] for each in result["analyzers"]}
    assert {**SHIPPED, "after": "completed", "broken": "failed"}.items() <= statuses.items()
    found = [each for each in result["findings"] if each["cwe"] == "CWE-78"]
    assert 2 in [each["range"]["startLine"] for each in found]
    notes = [(each.get("analyzer"), each["message"]) for each in seen if each["type"] == "progress"]
    assert ("broken", "The analyzer broken failed, so its rules were not checked.") in notes
    assert ("after", "said by after") in notes
    assert "RuntimeError" not in json.dumps(seen)


def test_a_working_one_is_heard(make_app: MakeApp, tmp_path: Path) -> None:
    drop(tmp_path, mine=says("mine"))
    seen = events(make_app(), language="cobol")
    names = {each["name"] for each in result_of(seen)["analyzers"]}
    assert {"secrets", "mine"} <= names
    assert "ruff" not in names
    notes = [each["message"] for each in seen if each["type"] == "progress"]
    assert "said by mine" in notes


def test_the_preferred_engine_takes_the_run(make_app: MakeApp, tmp_path: Path) -> None:
    drop(tmp_path, mine=hook("register(Thinks('thinker'))", "register_engines"))
    seen = events(make_app())
    assert (seen[0]["engine"], result_of(seen)["engine"]) == ("thinker", "thinker")
    statuses = {each["name"]: each["status"] for each in result_of(seen)["analyzers"]}
    assert {**SHIPPED, "metrics": "completed"}.items() <= statuses.items()


@pytest.mark.parametrize(
    "available",
    ["raise RuntimeError", "raise SystemExit", "return False", "return None"],
)
def test_an_engine_that_is_not_available_leaves_the_run_to_the_next(
    make_app: MakeApp, tmp_path: Path, available: str
) -> None:
    source = f"""
class Tired(Thinks):
    def available(self, kind, model):
        {available}
"""
    drop(tmp_path, mine=source + hook("register(Tired('tired'))", "register_engines"))
    seen = events(make_app())
    assert (seen[0]["engine"], seen[-1]["type"]) == ("static", "run.completed")


@pytest.mark.parametrize(
    ("body", "type_", "charged"),
    [
        ("raise RuntimeError(task.code)", "run.failed", 0),
        ("raise SystemExit(1)", "run.failed", 0),
        ("return None", "run.failed", 0),
        ("raise Incomplete('too_hard', 'It is too hard.')", "run.incomplete", 1),
    ],
)
def test_an_engine_that_raises_fails_its_run_only(
    make_app: MakeApp, tmp_path: Path, body: str, type_: str, charged: int
) -> None:
    source = f"""
class Poor(Thinks):
    def available(self, kind, model):
        return model == "pro"
    def analyze(self, task, context):
        {body}
"""
    drop(tmp_path, mine=source + hook("register(Poor('poor'))", "register_engines"))
    app = make_app()
    last = events(app, model="pro")[-1]
    assert (last["type"], last["creditsCharged"]) == (type_, charged)
    assert "subprocess" not in json.dumps(last)


def test_the_next_run_of_another_model_is_well(make_app: MakeApp, tmp_path: Path) -> None:
    source = "class Poor(Thinks):\n    def available(self, kind, model): return model == 'pro'\n"
    drop(tmp_path, mine=source + hook("register(Poor('poor'))", "register_engines"))
    assert events(make_app())[0]["engine"] == "static"


@pytest.mark.parametrize(
    ("detectors", "language", "confidence"),
    [
        ({"a": "Rb"}, "ruby", 0.9),
        ({"a": None}, "python", None),
        ({"a": "raise"}, "python", None),
        ({"raises": "raise", "cannot_tell": None, "tells": "COBOL"}, "cobol", 0.9),
    ],
)
def test_the_first_detector_that_can_tell_is_believed(
    make_app: MakeApp,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    detectors: dict[str, str | None],
    language: str,
    confidence: float | None,
) -> None:
    """Check that they come before the shipped detector, whose preference is lower."""
    body = "; ".join(f"register(Tells({name!r}, {told!r}))" for name, told in detectors.items())
    drop(tmp_path, mine=hook(body, "register_language_detectors"))
    seen = events(make_app(), language=None)
    result = result_of(seen)
    assert (seen[-1]["type"], result["language"]) == ("run.completed", language)
    assert result["detection"]["language"] == language
    assert confidence in {None, result["detection"]["confidence"]}
    notes = [each["message"] for each in seen if each["type"] == "progress"]
    assert any(note.startswith("Language detected: ") for note in notes)
    assert ("RuntimeError at" in caplog.text) is ("raise" in detectors.values())
    assert "subprocess" not in caplog.text
