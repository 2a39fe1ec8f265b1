"""The state of `codeintel push` in the folder: broken, foreign, or replaced by links."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pushing import STATE, kept, run
from scripted_workspaces import (
    ScriptedService,
    scripted_service,
)


@pytest.mark.parametrize(
    "state",
    [
        "{",
        "[]",
        '{"version": 2}',
        '{"sessions": [{"url": "x", "sessionId": "../y", "revision": 1, "identity": {}}]}',
        '{"sessions": [{"url": "x", "sessionId": "y", "revision": 1, "identity": {}, "files": '
        '{"/../z": "' + "0" * 64 + '"}}]}',
        '{"sessions": [{"url": "x", "sessionId": "y", "revision": 1, "identity": {}, "conflicts": '
        '{"/a": "/.git/config"}}]}',
        "[" * 100_000,
    ],
)
def test_a_broken_state_is_refused(service: ScriptedService, folder: Path, state: str) -> None:
    (folder / ".codeintel").mkdir()
    (folder / STATE).write_text(state)
    for command in ("push", "status", "pull"):
        result = run(service, command, str(folder))
        assert result.exit_code == 2
        assert "workspace.json cannot be used" in result.stderr
        assert "Delete it" in result.stderr
    assert service.requests == []


def test_a_state_that_came_along_sends_the_key_nowhere(
    service: ScriptedService, folder: Path
) -> None:
    run(service, "push", str(folder))
    service.requests.clear()
    with scripted_service() as own:
        bodies = kept(own)
        assert run(own, "push", str(folder)).exit_code == 0
        assert run(own, "pull", str(folder)).exit_code == 0
    assert service.requests == []
    assert bodies[0]["baseRevision"] is None, "that of the other service means nothing here"
    urls = [each["url"] for each in json.loads((folder / STATE).read_text())["sessions"]]
    assert urls == [own.url, service.url], "what was known of the other stays"


@pytest.mark.parametrize("link", [".codeintel", STATE])
def test_links_in_place_of_the_state_are_not_followed(
    service: ScriptedService, folder: Path, tmp_path: Path, link: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder / link).parent.mkdir(exist_ok=True)
    (folder / link).symlink_to(outside)
    result = run(service, "push", str(folder))
    assert result.exit_code == 2
    assert "symbolic link" in result.stderr
    assert list(outside.iterdir()) == []


def test_what_cannot_be_remembered_is_not_sent(service: ScriptedService, folder: Path) -> None:
    (folder / ".codeintel/.gitignore").mkdir(parents=True)
    result = run(service, "push", str(folder))
    assert result.exit_code == 2
    assert "Cannot use the folder .codeintel: a folder is in the way" in result.stderr
    assert service.requests == []
