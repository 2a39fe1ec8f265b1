"""A fake API that these tests share, and asking its models."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from fake_models import FakeApi, running_fake_api
from model_runs import Analysis
from support import MakeApp

SECONDS = 60
"""No analysis may take longer, regardless of the API and of the machine's load."""
SOON, PATIENT = "0.5", "20"
FIRST_TOKEN_NEVER = ("mute", "silent")
NEXT_TOKEN_NEVER = ("chatty", "stalled")
"""Models that are waited for in vain: only with them the time that runs out is short."""


@pytest.fixture(scope="session")
def fake_api() -> Iterator[FakeApi]:
    with running_fake_api() as api:
        yield api


@pytest.fixture
def ask(make_app: MakeApp, fake_api: FakeApi) -> Any:
    """Return a function that lets a model analyze `CODE` with given settings. It must end in
    time and release everything."""

    def analyse(model: str, body: dict[str, str] | None = None, **settings: Any) -> Analysis:
        config = {
            "CODEINTEL_AI_BASE_URL": fake_api.url,
            "CODEINTEL_AI_MODEL_FLASH": model,
            "CODEINTEL_AI_STATIC_EVIDENCE": "false",
            "CODEINTEL_AI_FALLBACK_STATIC": "false",
            "CODEINTEL_AI_FIRST_TOKEN_TIMEOUT": SOON if model in FIRST_TOKEN_NEVER else PATIENT,
            "CODEINTEL_AI_TOKEN_TIMEOUT": SOON if model in NEXT_TOKEN_NEVER else PATIENT,
            "CODEINTEL_AI_RETRIES": "1",
        }
        app = make_app({**config, **{f"CODEINTEL_AI_{k}": v for k, v in settings.items()}})
        begin = time.monotonic()
        found = Analysis(app, **(body or {}))
        assert time.monotonic() - begin < SECONDS
        assert found.held == 0
        return found

    return analyse
