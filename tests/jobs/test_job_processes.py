"""Real worker processes: killed, stopped, side by side."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from job_helpers import STEPS, MakeParty, Party, effects
from support import MakeApp

from codeintel.cli.operating.serve import worker
from codeintel.contracts.states import JobState
from codeintel.platform.jobs.kinds import JobKind
from codeintel.platform.jobs.process import _counts

SECONDS = 120
ENTRY = Path(__file__).with_name("job_process.py")
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def one(sqlite_party: MakeParty) -> Party:
    """Return this process, which only enqueues."""
    return sqlite_party(
        *(JobKind(name, lambda _: None) for name in ("hang", "die", "once", "freeze"))
    )


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Provide a function that starts worker processes, which end with the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str, **settings: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, str(ENTRY), *arguments],
            stdout=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "CODEINTEL_INSTANCE": str(tmp_path),
                "PYTHONPATH": os.pathsep.join(sys.path),
                **settings,
            },
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def end(process: subprocess.Popen[str], number: int) -> tuple[int, str]:
    """End the process, and return its status and output."""
    process.send_signal(number)
    out, _ = process.communicate(timeout=SECONDS)
    return process.returncode, out


def test_a_killed_process_has_its_job_done_by_the_next_one(one: Party, start: Start) -> None:
    job_id = one.jobs.enqueue("hang", "a")
    first = start("1")
    wait(lambda: effects(one.engine, job_id) == [0, 1])
    assert end(first, signal.SIGKILL)[0] == -signal.SIGKILL
    assert one.job(job_id).state is JobState.RUNNING
    second = start("1", "once")
    out, _ = second.communicate(timeout=SECONDS)
    assert second.returncode == 0
    assert re.search(r"^hang a done [\d.]+ s", out, re.MULTILINE)
    job = one.job(job_id)
    assert (job.state, job.attempts) == (JobState.DONE, 1)  # it continued
    assert effects(one.engine, job_id) == list(range(STEPS))


def test_where_processes_are_of_many_machines_the_lease_decides(
    make_app: MakeApp, postgres_url: str, tmp_path: Path, start: Start
) -> None:
    settings = {"DATABASE_URL": postgres_url, "CODEINTEL_KEY_PEPPER": "p" * 40}
    here = Party.of(make_app(settings), tmp_path, JobKind("brief", lambda _: None))
    job_id = here.jobs.enqueue("brief", "a")
    first, second = (start("1", **settings) for _ in range(2))
    wait(lambda: effects(here.engine, job_id)[:2] == [0, 1])
    owner = here.job(job_id).owner or ""
    holder, other = (first, second) if f":{first.pid}:" in owner else (second, first)
    assert end(holder, signal.SIGKILL)[0] == -signal.SIGKILL
    here.wait(job_id)
    assert end(other, signal.SIGINT)[0] == 0
    assert here.job(job_id).epoch >= 4  # a lease may run out on a busy machine
    assert effects(here.engine, job_id) == list(range(STEPS))
    here.messages.close()


def test_a_signal_lets_jobs_come_to_a_checkpoint(one: Party, start: Start) -> None:
    job_id = one.jobs.enqueue("hang", "a")
    process = start("2")
    wait(lambda: effects(one.engine, job_id) == [0, 1])
    status, out = end(process, signal.SIGTERM)
    assert status == 0
    assert out == "Running background jobs, 2 at a time: brief, count, die, freeze, hang, once\n"
    job = one.job(job_id)
    assert (job.state, job.cursor, job.attempts) == (JobState.QUEUED, 3, 0)
    assert effects(one.engine, job_id) == [0, 1, 2]


def test_processes_share_the_work(one: Party, start: Start) -> None:
    ids = [one.jobs.enqueue("count", str(number)) for number in range(20)]
    processes = [start("2", "once") for _ in range(2)]
    lines: list[str] = []
    for process in processes:
        out, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 0
        lines += out.splitlines()[1:]
    assert all(line.endswith(f" s, {STEPS}/{STEPS}") for line in lines)
    assert sorted(line.split()[:3] for line in lines) == sorted(
        ["count", str(number), "done"] for number in range(20)
    )
    for job_id in ids:
        assert one.job(job_id).attempts == 1
        assert effects(one.engine, job_id) == list(range(STEPS))


@pytest.mark.parametrize(("kind", "deaths"), [("die", 2), ("once", 1)])
def test_a_job_that_kills_its_process_twice_is_not_started_a_third_time(
    one: Party, start: Start, kind: str, deaths: int
) -> None:
    job_id = one.jobs.enqueue(kind, "a")
    for status in (*[-signal.SIGKILL] * deaths, 0):
        process = start("1", "once")
        process.communicate(timeout=SECONDS)
        assert process.returncode == status
    job = one.job(job_id)
    assert (job.state, job.deaths, job.attempts) == (JobState.FAILED, deaths, deaths)
    assert effects(one.engine, job_id) == [0] * deaths
    assert "died or froze" in job.error


def test_a_job_that_freezes_its_process_twice_is_not_started_a_third_time(
    make_app: MakeApp, postgres_url: str, tmp_path: Path, start: Start
) -> None:
    settings = {"DATABASE_URL": postgres_url, "CODEINTEL_KEY_PEPPER": "p" * 40}
    here = Party.of(make_app(settings), tmp_path, JobKind("freeze", lambda _: None))
    job_id = here.jobs.enqueue("freeze", "a")
    processes = [start("1", **settings) for _ in range(3)]
    here.wait(job_id)
    job = here.job(job_id)
    assert (job.state, job.deaths) == (JobState.FAILED, 2)
    assert "has happened 2 times at this point, so the job is not retried" in job.error
    assert effects(here.engine, job_id) == [0, 0]
    for process in processes:
        process.kill()
    here.messages.close()


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [([], ["1"]), (["--workers", "3"], ["3"]), (["--workers", "2", "--once"], ["2", "once"])],
)
def test_the_command_becomes_a_process_of_its_own(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    expected: list[str],
) -> None:
    run: list[Any] = []
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(tmp_path))
    monkeypatch.setattr(os, "execv", lambda *given: run.append(given))
    outcome = CliRunner().invoke(worker, arguments)
    assert outcome.exit_code == 0, outcome.output
    module = ["-P", "-m", "codeintel.server.job_worker"]
    assert run == [(sys.executable, [sys.executable, *module, *expected])]


@pytest.mark.usefixtures("app")
def test_the_command_works(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "from codeintel.cli import main; main()", "worker", "--once"],
        env={**os.environ, "CODEINTEL_INSTANCE": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("Running background jobs, 1 at a time: ")


@pytest.mark.parametrize(
    ("result", "progress", "told"),
    [
        ({"packages": 15, "failed": 2}, (15, 15), ", 15 packages, 2 failed"),
        ({"packages": 1, "failed": 0}, (1, 1), ", 1 package"),
        ({"packages": 1_500}, (None, None), ", 1,500 packages"),
        (None, (1_500, 3_000), ", 1,500/3,000"),
        (5, (3, None), ", 3"),
        ([], (None, None), ""),
    ],
)
def test_what_is_told_of_a_job_that_ended(
    result: object, progress: tuple[int | None, int | None], told: str
) -> None:
    done, total = progress
    job: Any = SimpleNamespace(result=result, progress_done=done, progress_total=total)
    assert _counts(job) == told
