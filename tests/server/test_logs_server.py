"""The standard output and error of a real server, through requests that fail in every way with
secrets everywhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests
from log_canaries import (
    FORGED,
    LEAKY_ENGINE,
    SECONDS,
    Canaries,
    analyze,
    ask_wrongly,
    push,
    send_nonsense,
    settings,
)
from server_helpers import eventually
from servers import PostgresServer
from support import make_user

from codeintel import create_app
from codeintel.base.entitlements import Tier
from codeintel.platform.db import db
from codeintel.testing.server import LiveServer

ENTRY = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (DEBUG|INFO|WARNING|ERROR|CRITICAL) [\w.]+: "
)
ACCESS = re.compile(r'127\.0\.0\.1 - - \[[^]]+\] "[^"]*" \d{3} ')
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


class Story:
    """All kinds of failures, and the resulting output."""

    def __init__(self, folder: Path, postgres: PostgresServer, format_: str) -> None:
        self.canary = Canaries()
        (folder / "plugins").mkdir()
        (folder / "plugins" / "leaky.py").write_text(LEAKY_ENGINE)
        config = settings(self.canary, postgres.port)
        server = LiveServer(folder, CODEINTEL_LOG_FORMAT=format_, **config)
        with server:
            self._tell(server, {"CODEINTEL_INSTANCE": str(folder), **config}, postgres)
        before, _, after = server.output.partition("codeintel 0.1.0 is running at ")
        self.text = server.output
        _, _, rest = after.partition("codeintel analyze path/to/file.py\n")
        self.lines = [*before.splitlines(), *rest.splitlines()]
        self.lines = [line for line in self.lines if line]

    def _tell(self, server: LiveServer, config: dict[str, str], postgres: PostgresServer) -> None:
        scopes = ("api:v1", "workspace:write")
        app = create_app(config)
        user = make_user(app.extensions["codeintel"], tier=Tier.TEAM, scopes=scopes)
        with app.app_context():
            db.engine.dispose()
        self.canary.made["key"] = key = user.token
        ask_wrongly(server.url, self.canary)
        send_nonsense(server.url, self.canary)
        assert "run.failed" in analyze(server.url, key, self.canary, "flash")
        analyze(server.url, key, self.canary, "pro")
        assert push(server.url, key, self.canary).ok
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute("ALTER TABLE balances RENAME TO gone")
            broken = requests.get(
                f"{server.url}/api/v1/account", headers={"X-Api-Key": key}, timeout=SECONDS
            )
            connection.execute("ALTER TABLE gone RENAME TO balances")
        assert broken.status_code == 500
        self.broken = broken.headers["X-Request-Id"]
        postgres.kill()
        answer = requests.get(
            f"{server.url}/api/v1/account", headers={"X-Api-Key": key}, timeout=SECONDS
        )
        assert answer.status_code == 503
        eventually(lambda: "database" in server.output, SECONDS)


@pytest.fixture(scope="module", params=["text", "json"])
def story(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    postgres = PostgresServer()
    try:
        postgres.start()
        yield Story(tmp_path_factory.mktemp("instance"), postgres, request.param)
    finally:
        postgres.remove()


def test_no_secret_gets_out(story: Story) -> None:
    assert len(story.canary.made) > 35
    assert story.canary.out(story.text) == set()
    # And those who look for them would find them.
    planted = story.text + story.canary("bearer")
    assert story.canary.out(planted) == {"bearer"}


def test_what_went_wrong_is_told(story: Story) -> None:
    for told in (
        "/api/v1/account failed: ProgrammingError",
        "the database is unavailable",
        "a greenlet failed: RuntimeError",
        "failed: ValueError",
        "Redis does not answer",
        "Invalid request from ip=127.0.0.1",
        "the identity provider 'id' cannot be used",
    ):
        assert told in story.text, told
    assert story.broken in story.text


def test_every_line_is_an_entry_of_its_own(story: Story) -> None:
    is_json = story.lines[-1].startswith("{")
    for line in story.lines:
        assert line.isprintable(), line
        assert not line.startswith(FORGED)
        if is_json:
            entry = json.loads(line)
            assert {"time", "level", "logger", "message"} <= set(entry), line
            assert TIME.fullmatch(entry["time"])
        else:
            assert ENTRY.match(line) or ACCESS.match(line) or line.startswith("  "), line


def test_entries_have_ids(story: Story) -> None:
    if not story.lines[-1].startswith("{"):
        assert f"request {story.broken} to /api/v1/account failed" in story.text
        return
    entries = [json.loads(line) for line in story.lines]
    (broken,) = [each for each in entries if "/api/v1/account failed" in each["message"]]
    assert broken["request_id"] == story.broken
    assert broken["exception"]["type"] == "ProgrammingError"
    assert {"file", "line", "function"} == set(broken["exception"]["frames"][0])
    accessed = [each for each in entries if each["logger"] == "gunicorn.access"]
    assert broken["request_id"] in {each.get("request_id") for each in accessed}
    (failed,) = [each for each in entries if each["logger"] == "codeintel.runs.run"]
    assert failed["run_id"].startswith("run_")
    assert failed["request_id"] in {each.get("request_id") for each in accessed}
    (own,) = [each for each in entries if each["logger"] == "leaky"]
    assert (own["run_id"], own["message"]) == (
        failed["run_id"],
        f"it failed\n{FORGED}: RuntimeError",
    )
    assert {each["path"] for each in accessed} >= {"/signin/\N{HORIZONTAL ELLIPSIS}", "/signin"}
    assert all({"method", "status", "seconds", "bytes"} <= set(each) for each in accessed)
