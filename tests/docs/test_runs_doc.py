"""docs/runs.md agrees with the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import codeintel_plugins.openai
from codeintel_plugins.openai.answers import MAX_EVENT_BYTES
from codeintel_plugins.openai.settings import SETTINGS as AI_SETTINGS
from flask import Flask

from codeintel.contracts.events import RunEvent
from codeintel.platform.config import SETTINGS
from codeintel.runs.events.log import ENDED_BYTES

TEXT = (Path(__file__).parents[2] / "docs" / "runs.md").read_text()
SOURCES = Path(codeintel_plugins.openai.__file__).parent.glob("*.py")


def test_every_event_is_described() -> None:
    described = set(re.findall(r"`([a-z_]+(?:\.[a-z]+)?)`", TEXT.partition("## Events")[2]))
    assert {event.__struct_config__.tag for event in get_args(RunEvent)} <= described


def test_every_reason_is_described() -> None:
    reasons = {
        reason for path in SOURCES for reason in re.findall(r'"(upstream_\w+)"', path.read_text())
    }
    assert reasons == set(re.findall(r"`(upstream_\w+)`", TEXT))


def test_every_setting_exists() -> None:
    known = {info.name for info in SETTINGS} | {setting.name for setting in AI_SETTINGS}
    told = set(re.findall(r"CODEINTEL_[A-Z_]+", TEXT))
    assert {"CODEINTEL_RUN_TIMEOUT", "CODEINTEL_RESULT_CACHE", "CODEINTEL_HOLD_TTL"} <= told
    assert told <= known


def test_every_path_exists(app: Flask) -> None:
    rules = {re.sub(r"<\w+>", "{id}", rule.rule) for rule in app.url_map.iter_rules()}
    assert set(re.findall(r"`(?:GET|POST) (/[^`?]+)`", TEXT)) <= rules


def test_limits_are_the_real_ones() -> None:
    assert f"{ENDED_BYTES // 1024**2} MiB of ended runs" in TEXT
    assert f"an event over {MAX_EVENT_BYTES // 1024**2} MiB" in TEXT
