"""Answers of the service, and the command that asks for them."""

from __future__ import annotations

import json
from typing import Any

import responses
from click.testing import CliRunner, Result

from codeintel.cli import main

STREAM = "http://127.0.0.1:8000/api/v1/analyze/stream"
CAPABILITIES = "http://127.0.0.1:8000/api/v1/capabilities"
KEY = "ci_live_secretsecretsecret"
FINDING = {
    "ruleId": "S602",
    "engine": "ruff",
    "severity": "medium",
    "message": "caf\u00e9 \x9b",
    "range": {"startLine": 1, "startColumn": 2, "endLine": 1, "endColumn": 3},
}
CREATED = {"type": "run.created", "runId": "run_1", "engine": "static", "model": "flash"}
FOUND = {"type": "finding", "runId": "run_1", "finding": FINDING}
RESULT = {"type": "result", "runId": "run_1", "result": {"summary": "S", "findings": [FINDING]}}
USAGE = {"inputCharacters": 6}


def ended(how: str = "completed") -> dict[str, Any]:
    return {
        "type": f"run.{how}",
        "runId": "run_1",
        "usage": USAGE,
        "creditsCharged": 1,
        "creditsRefunded": 0,
    }


def sse(*events: object) -> str:
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events)


def run(*arguments: str, key: str | None = KEY, **more: Any) -> Result:
    return CliRunner(env={"CODEINTEL_API_KEY": key}).invoke(main, ["analyze", *arguments], **more)


def answer(service: responses.RequestsMock, *events: object, url: str = STREAM) -> None:
    service.post(url, body=sse(*events), content_type="text/event-stream")
