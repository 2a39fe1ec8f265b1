"""`codeintel jobs`, against a real application on SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codeintel import create_app
from codeintel.cli import main
from codeintel.contracts.states import JobState
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema
from codeintel.platform.jobs.holding import JobHolder
from codeintel.platform.jobs.kinds import JobFailure
from codeintel.platform.jobs.service import Jobs

FORECAST, RANK = "trust.forecast", "trust.rank"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("instance"))


@pytest.fixture
def jobs(folder: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Jobs]:
    """Return the jobs of an instance, without any job yet."""
    monkeypatch.setenv("CODEINTEL_INSTANCE", folder)
    app = create_app()
    ensure_schema(app)
    found: Jobs = app.extensions["codeintel"].jobs
    with app.app_context():
        with db.engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM jobs")
        yield found
        found.stop(0)
        db.engine.dispose()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["jobs", *arguments])


def holder_of(jobs: Jobs) -> JobHolder:
    return jobs._work._holder


def hold(jobs: Jobs, job_id: str) -> Any:
    taken = holder_of(jobs).take(job_id)
    assert taken is not None
    return taken


def ok(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_none(jobs: Jobs) -> None:
    assert ok("list") == "No jobs.\n"
    assert ok("list", "--state", "failed") == "No matching jobs.\n"
    assert ok("list", "--kind", RANK) == "No matching jobs.\n"
    assert json.loads(ok("list", "--json")) == {"jobs": []}
    told = ok("list", "--kind", "other")
    assert told.startswith('Unknown kind "other". Kinds: ')
    assert all(kind in told for kind in jobs.kinds)


def test_the_list(jobs: Jobs) -> None:
    waiting = jobs.enqueue(FORECAST, "npm:a\x1b[2J")
    running = jobs.enqueue(RANK, "network" * 10)
    held = hold(jobs, running)
    holder_of(jobs).advance(held, lambda _: None, 3, 3, 1_500, "three")
    table = ok("list").splitlines()
    assert len(table) == 3
    lines = {line.split()[0]: line for line in table}
    assert "queued   -" in lines[waiting] and "npm:a\\x1b[2J" in lines[waiting]
    assert "running  3/1,500   1 " in lines[running] and "networkne...  " in lines[running]
    for arguments, ids in (
        (("--state", "running"), [running]),
        (("--kind", FORECAST), [waiting]),
        (("--kind", FORECAST, "--state", "running"), []),
    ):
        found = json.loads(ok("list", "--json", *arguments))["jobs"]
        assert [each["id"] for each in found] == ids
    assert len(json.loads(ok("list", "--json", "--limit", "1"))["jobs"]) == 1


def test_a_job(jobs: Jobs) -> None:
    job_id = jobs.enqueue(FORECAST, "npm:a", {"packages": ["npm:a"]})
    held = hold(jobs, job_id)
    holder_of(jobs).advance(held, lambda _: None, {"done": 1}, 1, 2, "npm:a")
    shown = json.loads(ok("show", job_id, "--json"))
    assert shown["progress"] == {"done": 1, "total": 2, "note": "npm:a"}
    assert (shown["state"], shown["attempts"], shown["finishedAt"]) == ("running", 1, None)
    assert (shown["arguments"], shown["cursor"]) == ({"packages": ["npm:a"]}, {"done": 1})
    assert shown["owner"] and shown["createdAt"].endswith("Z")
    text = ok("show", job_id)
    assert f"id        {job_id}\n" in text and "progress  1/2 npm:a\n" in text
    assert "ended     -\n" in text and "not before" not in text
    assert shown["deaths"] == 0 and "deaths    0\n" in text
    holder_of(jobs).retry(held, str(JobFailure("The disk is full.")))
    text = ok("show", job_id)
    assert "error       The disk is full.\n" in text and "not before  20" in text
    assert "The disk is full." in ok("list")


def test_a_result(jobs: Jobs) -> None:
    job_id = jobs.enqueue(RANK, "network")
    holder_of(jobs).end(hold(jobs, job_id), JobState.DONE, result='{"packages": 3}')
    assert 'result    {"packages": 3}\n' in ok("show", job_id)
    told = ok("cancel", job_id)
    assert told.startswith(f"Nothing to do: the job {job_id} (trust.rank network) already ended")
    assert told.endswith(" UTC (done).\n")


def test_a_waiting_job_is_cancelled(jobs: Jobs) -> None:
    job_id = jobs.enqueue(RANK, "network")
    assert ok("cancel", job_id) == f"Cancelled the job {job_id} (trust.rank network).\n"
    assert json.loads(ok("show", job_id, "--json"))["state"] == "cancelled"
    assert "Nothing to do" in ok("cancel", job_id)


def test_a_running_job_is_told_to_stop(jobs: Jobs) -> None:
    job_id = jobs.enqueue(RANK, "network")
    held = hold(jobs, job_id)
    told = ok("cancel", job_id)
    assert told.startswith(f"Asked the job {job_id} (trust.rank network) to stop.")
    assert held.owner in told
    assert "running, cancellation requested" in ok("list")
    assert json.loads(ok("show", job_id, "--json"))["cancelledAt"]
    assert holder_of(jobs).give_back(held) is JobState.CANCELLED


@pytest.mark.parametrize("command", ["show", "cancel"])
def test_an_unknown_job(jobs: Jobs, command: str) -> None:
    assert jobs.list() == []
    result = run(command, "job_none")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "There is no job job_none. Run `codeintel jobs list`" in result.stderr


@pytest.mark.parametrize("arguments", [("list", "--state", "odd"), ("list", "--limit", "0")])
def test_bad_options(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_without_an_instance() -> None:
    result = run("list")
    assert result.exit_code == 2
    assert "There is no codeintel instance" in result.stderr
