"""A refresh whose process is killed continues in another."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from refreshes import SECONDS, SETTINGS, snapshots
from sqlalchemy import select, text
from trust_upstreams import FakeUpstreams

from codeintel.app import Services
from codeintel.contracts.states import JobState
from codeintel.platform.db.writer import begin_write
from codeintel.trust.tables import TrustObservation
from codeintel.trust.work import REFRESH

ENTRY = Path(__file__).with_name("refresh_process.py")
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path, upstreams: FakeUpstreams) -> Iterator[Start]:
    """Provide a function that starts worker processes, which end with the test."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(*arguments: str) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            **SETTINGS,
            **upstreams.settings(),
            "CODEINTEL_INSTANCE": str(tmp_path),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        process = subprocess.Popen(
            [sys.executable, str(ENTRY), *arguments], stdout=subprocess.PIPE, env=environment
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


class Gate:
    """Delays the requests about one package."""

    def __init__(self, upstreams: FakeUpstreams, name: str) -> None:
        self._answer, self._name = upstreams.answer, name
        self.reached, self.open = threading.Event(), threading.Event()
        self.asked: Counter[str] = Counter()
        upstreams.answer = self.answer  # type: ignore[method-assign]

    def answer(self, path: str, body: bytes) -> tuple[int, Any]:
        self.asked[path] += 1
        if self._name in path:
            self.reached.set()
            assert self.open.wait(SECONDS)
        return self._answer(path, body)


def test_a_refresh_goes_on_after_its_process_was_killed(
    quiet: Services, upstreams: FakeUpstreams, start: Start
) -> None:
    """Check that it continues with its current package: no earlier package is requested or
    stored again."""
    gate = Gate(upstreams, "kit2")
    packages = [f"npm:kit{number}" for number in range(4)]
    job_id = quiet.jobs.enqueue(REFRESH, "some", {"packages": packages})
    first = start()
    assert gate.reached.wait(SECONDS)
    os.kill(first.pid, signal.SIGKILL)
    assert first.wait(SECONDS) == -signal.SIGKILL
    before = dict(gate.asked)
    assert snapshots(quiet) == {"npm:kit0": 1, "npm:kit1": 1}
    stopped = quiet.jobs.find(job_id)
    assert stopped is not None
    assert (stopped.state, stopped.cursor) == (JobState.RUNNING, {"done": 2, "failed": 0})
    engine = quiet.trust.store.engine
    for column in ("lease_ms", "run_after_ms"):  # as a minute would, and the pause after
        with closing(begin_write(engine)) as connection:
            connection.execute(text(f"UPDATE jobs SET {column} = 0"))
            connection.commit()
        quiet.jobs.reconciler.round()
    gate.open.set()
    start("once").wait(SECONDS)
    ended = quiet.jobs.find(job_id)
    assert ended is not None
    assert (ended.state, ended.attempts) == (JobState.DONE, 1)  # it continued
    assert ended.result == {"packages": 4, "failed": 0}
    assert snapshots(quiet) == dict.fromkeys(packages, 1)
    for path, count in gate.asked.items():
        if "kit0" in path or "kit1" in path:
            assert count == before[path]
    with engine.connect() as connection:
        statement = select(TrustObservation.package, TrustObservation.metric)
        found = Counter((package, metric) for package, metric in connection.execute(statement))
    for package in packages:
        assert found[package, "stars"] == found[package, "downloads"] == 1
        assert found[package, "release"] == 24
