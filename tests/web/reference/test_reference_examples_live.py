"""The examples of requests work against a service, as they are on the pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import requests
from servers import PATH, binary
from support import make_user
from web_pages import Page

from codeintel import create_app
from codeintel.app import Services
from codeintel.identity.sessions import LINK
from codeintel.platform.db import db
from codeintel.testing.server import LiveServer

SECONDS = 60
PUBLIC = ("health", "capabilities", "openapi-describe", "well-known-jwks")
ACCOUNT = ("account", "workspace-list", "runs-read-run", "runs-read-events", "api-keys-list")
WORKSPACE = ("workspace-read", "workspace-read-file", "workspace-archive", "workspace-changes")
STREAMS = {"analyze", "transform", "runs-read-events"}


class Place(NamedTuple):
    """A service with an account, a run and a workspace."""

    server: LiveServer
    variables: dict[str, str]

    def example(self, slug: str, language: str) -> str:
        """Return an example as its page has it."""
        page = Page(requests.get(f"{self.server.url}/docs/api/{slug}", timeout=SECONDS).text)
        return "".join(page.root.one("code", id=f"example-{language}")._texts())

    def run(self, slug: str, language: str, folder: Path) -> str:
        """Run an example, and return its output."""
        code = self.example(slug, language)
        commands = {
            "curl": ["/bin/sh", "-c", f"{code} --fail --silent --show-error"],
            "python": [sys.executable, "-c", code],
            "javascript": [binary("node"), "--input-type=module", "--eval", code],
        }
        done = subprocess.run(
            commands[language],
            env={"PATH": PATH, "HOME": os.environ.get("HOME", "/"), **self.variables},
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{slug}: {done.stderr}\n{code}"
        return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    binary("curl")
    instance = tmp_path_factory.mktemp("instance")
    with LiveServer(instance) as server:
        app = create_app({"CODEINTEL_INSTANCE": instance})
        services: Services = app.extensions["codeintel"]
        account = make_user(services, "examples@example.org", unlimited=True).account.id
        key = services.keys.create(account, "examples", ["api:v1", "workspace:write"])[1]
        session = services.sessions.open(account, LINK, agent="a test")
        with app.app_context():
            db.engine.dispose()
        place = Place(server, {"CODEINTEL_API_KEY": key, "CODEINTEL_SESSION": session})
        folder = tmp_path_factory.mktemp("first")
        events = place.run("analyze", "curl", folder)
        place.variables["RUN_ID"] = json.loads(events.split("data:")[1].split("\n")[0])["runId"]
        pushed = json.loads(place.run("workspace-sync", "curl", folder))
        place.variables["WORKSPACE_ID"] = pushed["sessionId"]
        place.variables["FILE_PATH"] = "main.py"
        yield place


@pytest.mark.parametrize("language", ["curl", "python", "javascript"])
@pytest.mark.parametrize("slug", [*PUBLIC, *ACCOUNT, *WORKSPACE, "analyze", "workspace-sync"])
def test_an_example_works(place: Place, tmp_path: Path, slug: str, language: str) -> None:
    said = place.run(slug, language, tmp_path)
    if slug in STREAMS:
        assert "run.completed" in said
    elif slug == "workspace-archive":
        assert (tmp_path / "workspace.zip").read_bytes().startswith(b"PK")
    else:
        assert len(said) > 10
