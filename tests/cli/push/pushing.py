"""Running `codeintel push`, and keeping what it sends, for tests to import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from click.testing import CliRunner, Result
from scripted_workspaces import (
    ScriptedService,
)

from codeintel.cli import main

KEY = "ci_live_secretsecretsecret"
SYNC = "POST /api/workspace/sync"
STATE = ".codeintel/workspace.json"


def run(service: ScriptedService, *arguments: str, key: str | None = KEY) -> Result:
    environment = {"CODEINTEL_API_KEY": key, "CODEINTEL_URL": service.url}
    return CliRunner(env=environment).invoke(main, list(arguments))


def kept(service: ScriptedService) -> list[dict[str, Any]]:
    """Record the bodies of pushes in the service."""
    bodies: list[dict[str, Any]] = []

    def keep(body: Mapping[str, Any]) -> None:
        bodies.append(dict(body))

    service.on[SYNC] = keep
    return bodies
