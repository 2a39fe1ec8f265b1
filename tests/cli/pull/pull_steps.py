"""A folder and a service in step, and what is in the folder later."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result
from scripted_workspaces import ScriptedService

from codeintel.cli import main

KEY = "ci_live_secretsecretsecret"
STATE = ".codeintel/workspace.json"


def run(service: ScriptedService, *arguments: str) -> Result:
    environment = {"CODEINTEL_API_KEY": KEY, "CODEINTEL_URL": service.url}
    return CliRunner(env=environment).invoke(main, list(arguments))


def in_step(service: ScriptedService, folder: Path, files: dict[str, bytes]) -> None:
    """Push a folder, so that folder and service have the same files."""
    for path, data in files.items():
        target = folder / path.removeprefix("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    assert run(service, "push", str(folder)).exit_code == 0
    service.files = dict(files)
    service.revision = 2


def on_disk(folder: Path) -> dict[str, bytes]:
    return {
        f"/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] != ".codeintel"
    }


def revision(folder: Path) -> int:
    number: int = json.loads((folder / STATE).read_text())["sessions"][0]["revision"]
    return number
