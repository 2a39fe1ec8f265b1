"""The proof loop of real servers: followed, killed, and seen from another server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from counting_engine import COUNTING_ENGINE
from server_books import Books, database_url
from server_helpers import PEPPER, Stream, eventually, has, live, new_key
from servers import PostgresServer
from sqlalchemy import create_engine, text

from codeintel.testing.server import LiveServer

FILES = {f"/src/f{number}.py": f"# file {number}\n" for number in range(30)}
SECONDS = 90


def config_of(instance: Path, **more: str) -> dict[str, str]:
    """Return settings of a server whose analyses take a fifth of a second for each file."""
    (instance / "plugins").mkdir(exist_ok=True)
    (instance / "plugins" / "counting.py").write_text(COUNTING_ENGINE)
    return {
        "CODEINTEL_INSTANCE": str(instance),
        "CODEINTEL_KEY_PEPPER": PEPPER,
        "CODEINTEL_ANALYSIS_PROCESSES": "2",
        "CODEINTEL_DRAIN_TIMEOUT": "0.5",
        **more,
    }


def key_of(config: dict[str, str], email: str = "user@example.org") -> str:
    return new_key(config, email, scopes=("workspace:write", "api:v1"))


def send(server: LiveServer, key: str, path: str, method: str = "GET", **more: Any) -> Any:
    return requests.request(
        method,
        f"{server.url}/api/workspace{path}",
        headers={"Authorization": f"Bearer {key}"},
        timeout=120,
        **more,
    )


def push(server: LiveServer, key: str, files: dict[str, str] | None = None) -> str:
    """Push a workspace; returns the id of its session."""
    body = {"files": files or FILES, "name": "demo"}
    answer = send(server, key, "/sync", "POST", json=body)
    assert answer.status_code in {200, 201}, answer.text
    assert answer.json()["proofLoop"]["status"] == "queued"
    return str(answer.json()["sessionId"])


def follow(server: LiveServer, key: str, session_id: str) -> Stream:
    return Stream(send(server, key, f"/{session_id}/proof/events", stream=True))


def states(stream: Stream) -> list[str]:
    """Return the distinct states of a stream, in order."""
    return list(dict.fromkeys(event["status"] for event in stream.events))


def rows(url: str, query: str) -> list[Any]:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        found = list(connection.execute(text(query)))
    engine.dispose()
    return found


def charges(url: str) -> list[int]:
    return [entry.amount for entry in Books(url).entries if entry.amount < 0]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[LiveServer, str]]:
    config = config_of(tmp_path)
    with live(config) as running:
        yield running, key_of(config)


def test_progress_is_seen_as_it_comes(server: tuple[LiveServer, str]) -> None:
    running, key = server
    session_id = push(running, key)
    stream = follow(running, key, session_id)
    assert stream.response.headers["Content-Type"].startswith("text/event-stream")
    stream.read()
    assert states(stream) == ["queued", "running", "passed"]
    numbers = [int(frame.split(b"\n")[0][4:]) for frame in stream.frames]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(b"\nevent: proof\n" in frame for frame in stream.frames)
    done = [
        event["done"] for event in stream.events if event["status"] == "running" if "done" in event
    ]
    assert done == sorted(done)
    assert len(set(done)) >= 3
    assert {event["total"] for event in stream.events if "total" in event} == {30}
    assert stream.last["reason"] == (
        "30 files analyzed. 30 findings, none of high or critical severity with at least medium "
        "confidence."
    )
    again = follow(running, key, session_id).read()
    assert again.events == [stream.last]
    report = send(running, key, f"/{session_id}/report").json()
    assert report["summary"]["creditsCharged"] == 2
    assert len(report["findings"]) == 30
    Books(database_url(running.instance)).check()


def test_ten_quick_pushes_are_one_analysis(server: tuple[LiveServer, str]) -> None:
    running, key = server
    for number in range(10):
        session_id = push(running, key, {**FILES, "/a.py": f"# push {number}\n"})
    url = database_url(running.instance)
    eventually(lambda: bool(charges(url)), SECONDS)
    time.sleep(2)
    assert charges(url) == [-2]
    kept = rows(url, "SELECT revision, state FROM workspace_reports ORDER BY revision")
    ended = [row for row in kept if row.state == "passed"]
    assert len(ended) == 1
    assert kept[-1].revision == 10
    if len(kept) == 2:  # the burst took longer than the delay: the newest waits
        assert kept[-1].state == "queued"
        send(running, key, f"/{session_id}/proof", "POST")
        assert follow(running, key, session_id).read().last["status"] == "passed"
        assert charges(url) == [-2, -2]
    Books(url).check()


def test_a_stream_ends_with_its_credential(server: tuple[LiveServer, str]) -> None:
    running, key = server
    config = config_of(running.instance)
    other = key_of(config, "other@example.org")
    session_id = push(
        running, other, {**FILES, **{f"/more/{n}.py": f"# {n}\n" for n in range(200)}}
    )
    stream = follow(running, other, session_id).read(has(1))
    (row,) = rows(
        database_url(running.instance),
        "SELECT k.id FROM api_keys k JOIN accounts a ON a.id = k.account_id "
        "WHERE a.email = 'other@example.org'",
    )
    running.run("keys", "revoke", "other@example.org", row.id)
    stream.read()
    assert stream.last["status"] in {"queued", "running"}
    assert send(running, other, f"/{session_id}/proof").status_code == 401
    assert send(running, key, f"/{session_id}/proof/events").status_code == 404


def test_a_killed_worker_s_analysis_goes_on_and_is_charged_once(tmp_path: Path) -> None:
    config = config_of(tmp_path, CODEINTEL_JOB_WORKERS="0", CODEINTEL_HOLD_TTL="5")
    url = database_url(tmp_path)

    def begin() -> subprocess.Popen[bytes]:
        command = "from codeintel.cli import main; main(prog_name='codeintel')"
        return subprocess.Popen(
            [sys.executable, "-c", command, "worker"],
            env={**os.environ, **config},
            stdout=subprocess.DEVNULL,
        )

    def stored() -> set[str]:
        return {row.sha256 for row in rows(url, "SELECT sha256 FROM workspace_file_results")}

    workers: list[subprocess.Popen[bytes]] = []
    with live(config) as running:
        key = key_of(config)
        session_id = push(running, key)
        try:
            workers.append(begin())
            eventually(lambda: len(stored()) >= 5, SECONDS)
            workers[0].send_signal(signal.SIGKILL)
            workers[0].wait()
            before = len(stored())
            status = send(running, key, f"/{session_id}/proof").json()
            assert (status["status"], status["total"]) == ("running", 30)
            assert charges(url) == []
            workers.append(begin())
            stream = follow(running, key, session_id).read()
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
    assert states(stream) == ["running", "passed"]
    assert 5 <= before < 30
    assert charges(url) == [-2]
    Books(url).check()
    analysed = Counter((tmp_path / "analysed.txt").read_text().splitlines())
    assert set(analysed) == {content.strip() for content in FILES.values()}
    # Stored results are not analyzed again. Files in progress may be.
    assert sum(analysed.values()) <= 30 + (30 - before)
    assert sum(count > 1 for count in analysed.values()) <= 12
    (report,) = rows(url, "SELECT state, charged FROM workspace_reports")
    assert (report.state, report.charged) == ("passed", 2)


def test_what_one_server_analyses_is_followed_at_the_other(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer
) -> None:
    shared = {"DATABASE_URL": postgres_server.empty()}
    idle = config_of(tmp_path_factory.mktemp("idle"), CODEINTEL_JOB_WORKERS="0", **shared)
    busy = config_of(tmp_path_factory.mktemp("busy"), **shared)
    with live(idle) as one, live(busy) as two:
        key = key_of(idle)
        session_id = push(one, key)
        here = follow(one, key, session_id)
        assert states(here.read()) == ["queued", "running", "passed"]
        assert follow(two, key, session_id).read().last == here.last
        reports = [send(each, key, f"/{session_id}/report").json() for each in (one, two)]
        assert reports[0] == reports[1]
    assert not (one.instance / "analysed.txt").exists()
    assert len((two.instance / "analysed.txt").read_text().splitlines()) == 30
    Books(shared["DATABASE_URL"]).check()
