"""Transformations where code is run, and where it is not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from servers import binary
from support import MakeApp, make_user

from codeintel.engine.sandbox import bubblewrap
from codeintel.engine.sandbox.records import SandboxUnavailableError
from codeintel.platform.sandbox import Sandbox
from codeintel.runs.context import V4_NOT_DONE, V4_OFF

CODE = """def total(a: int, b: int) -> int:
    return a + b


def least(n: int) -> int:
    low, high = n, n + 1
    return low
"""
PLUGIN = """
import msgspec

from codeintel import hookimpl
from codeintel.contracts import Change, Promise, Rewrite, Transformation, TransformationKind


class NoOptions(msgspec.Struct):
    pass


class Swapping(Transformation):
    name = kind = "swapping"
    languages = frozenset({"python", "java"})
    steps = (("good", "a + b", "b + a"), ("bad", "return low", "return high"))

    def rewrite(self, request):
        code, changes = request.code, []
        for rule, old, new in self.steps:
            if rule not in request.without and old in code and new not in code:
                code = code.replace(old, new)
                changes.append(Change(rule=rule, message=f"{old} is {new}."))
        return Rewrite(code=code, changes=tuple(changes))


@hookimpl
def register_transformations(register, config):
    promises = (Promise.PARSES, Promise.EQUIVALENT)
    register(TransformationKind(
        name="swapping", summary="A test.", options=NoOptions, promises=promises,
    ))
    register(Swapping())
"""


def result(make_app: MakeApp, tmp_path: Path, language: str = "python", **more: Any) -> Any:
    """Return the result of a transformation with a good rule and a bad one."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "ways.py").write_text(PLUGIN)
    app: Flask = make_app({f"CODEINTEL_{name.upper()}": value for name, value in more.items()})
    user = make_user(app.extensions["codeintel"])
    answer = app.test_client().post(
        "/api/v1/transform/stream",
        json={"code": CODE, "language": language, "transformation": "swapping"},
        headers=user.headers,
    )
    lines = [line for line in answer.text.splitlines() if line.startswith("data: ")]
    events = [json.loads(line.removeprefix("data: ")) for line in lines]
    (found,) = [event["result"] for event in events if event["type"] == "result"]
    return found


def behaviours(found: Any) -> list[dict[str, Any]]:
    return [check for check in found["checks"] if check["name"] == "same_behaviour"]


def test_nothing_is_run_unless_configured(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    monkeypatch.setattr(bubblewrap, "found", lambda: started.append(1))
    found = result(make_app, tmp_path)
    assert (behaviours(found), started) == ([], [])
    assert V4_OFF in found["unchecked"]
    assert "return high" in found["code"]  # the change was not detected


def test_what_behaves_otherwise_is_left_out(make_app: MakeApp, tmp_path: Path) -> None:
    binary("bwrap")
    try:
        Sandbox(1).prove()
    except SandboxUnavailableError as error:
        pytest.skip(str(error))
    found = result(make_app, tmp_path, execution="bubblewrap")
    assert found["code"] == CODE.replace("a + b", "b + a")
    assert [change["rule"] for change in found["changes"]] == ["good"]
    (check,) = behaviours(found)
    assert (check["level"], check["status"]) == ("V4", "passed"), check
    told = re.search(r"2 functions, classes and methods called (\d+) times", check["evidence"])
    assert told is not None and int(told[1]) >= 30, check["evidence"]
    assert not {V4_OFF, V4_NOT_DONE} & set(found["unchecked"])


def test_nothing_is_run_without_a_sandbox(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "found", lambda: None)
    (check,) = behaviours(result(make_app, tmp_path, execution="bubblewrap"))
    assert check["status"] == "not_applicable"
    assert check["evidence"] == "sandbox_unavailable: bubblewrap is not installed."


def test_other_languages_are_not_run(make_app: MakeApp, tmp_path: Path) -> None:
    found = result(make_app, tmp_path, language="java", execution="bubblewrap")
    assert behaviours(found) == []
    assert V4_NOT_DONE in found["unchecked"]


JAVASCRIPT = """export function total(a, b) {
  if (a > b) {
    return a - b;
  } else {
    return b - a;
  }
}

export function least(items) {
  let low = items[0];
  for (const item of items) {
    if (item < low) low = item;
  }
  return low;
}
"""
STEPS = """(
        ("good", "} else {\\n    return b - a;\\n  }", "}\\n  return b - a;"),
        ("bad", "item < low", "item <= low + 1"),
    )"""


def test_javascript_that_behaves_otherwise_is_left_out(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary("bwrap")
    binary("node")
    try:
        Sandbox(1).prove()
    except SandboxUnavailableError as error:
        pytest.skip(str(error))
    plugin = re.sub(r"steps = .*", lambda _: f"steps = {STEPS}", PLUGIN)
    monkeypatch.setitem(globals(), "PLUGIN", plugin.replace('"java"', '"javascript"'))
    monkeypatch.setitem(globals(), "CODE", JAVASCRIPT)
    found = result(make_app, tmp_path, language="javascript", execution="bubblewrap")
    assert [change["rule"] for change in found["changes"]] == ["good"]
    (check,) = behaviours(found)
    assert (check["level"], check["status"]) == ("V4", "passed"), check
    assert check["conclusive"], check["evidence"]
    assert found["verdict"] == "proven"
    assert not {V4_OFF, V4_NOT_DONE} & set(found["unchecked"])


def test_javascript_is_not_run_without_node(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "found_node", lambda: None)
    monkeypatch.setitem(globals(), "PLUGIN", PLUGIN.replace('"java"', '"javascript"'))
    monkeypatch.setitem(globals(), "CODE", JAVASCRIPT)
    found = result(make_app, tmp_path, language="javascript", execution="bubblewrap")
    assert behaviours(found) == []
    assert V4_NOT_DONE in found["unchecked"]
