"""Plugins that fail when they are asked, rather than when they work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import MakeApp, make_user

ENGINE = """
from codeintel import hookimpl
from codeintel.contracts import Engine

class Undecided(Engine):
    name = "undecided"
    preference = 1000
    def available(self, kind, model):
        raise RuntimeError("who knows")
    def analyze(self, task, context):
        raise AssertionError

@hookimpl
def register_engines(register, config):
    register(Undecided())
"""
ANALYZER = """
from codeintel import hookimpl
from codeintel.contracts import Analyzer

class Undecided(Analyzer):
    name = "undecided"
    languages = frozenset()
    def understands(self, language):
        raise RuntimeError("who knows")
    def analyze(self, request):
        yield from ()

@hookimpl
def register_analyzers(register, config):
    register(Undecided())
"""


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in text.split("\n") if line.startswith("data: ")]


@pytest.mark.parametrize(("plugin", "is_told"), [(ENGINE, False), (ANALYZER, True)])
def test_the_others_do_the_work(
    make_app: MakeApp, tmp_path: Path, plugin: str, is_told: bool
) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "undecided.py").write_text(plugin)
    app = make_app()
    user = make_user(app.extensions["codeintel"])
    answer = app.test_client().post(
        "/api/v1/analyze/stream",
        json={"code": "eval(input())", "language": "python"},
        headers=user.headers,
    )
    seen = events(answer.text)
    assert seen[0]["engine"] == "static"
    assert seen[-1]["type"] == "run.completed"
    result = next(event["result"] for event in seen if event["type"] == "result")
    assert result["findings"]
    assert any(event.get("analyzer") == "undecided" for event in seen) is is_told
