"""`codeintel jobs`: list, show and cancel background jobs."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from codeintel.cli import instance, output
from codeintel.cli.suggestions import Choice, did_you_mean
from codeintel.contracts.states import OPEN, JobState
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.platform.jobs.store import Job

MAX_LIMIT = 1_000
MAX_KEY_CHARACTERS = 40
"""The length of a key in the list. Longer keys are cut."""
_HEADERS = ("id", "kind", "key", "state", "progress", "attempts", "created", "error")
_NOTHING = "-"


@click.group(short_help="Manage background jobs.")
def jobs() -> None:
    """List, show and cancel background jobs. Jobs that have ended are kept for a week."""


@jobs.command("list", short_help="List jobs, newest first.")
@click.option(
    "--state",
    type=Choice([each.value for each in JobState]),
    help="Show only jobs in this state.",
)
@click.option("--kind", help="Show only jobs of this kind, such as trust.refresh.")
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_LIMIT),
    default=50,
    show_default=True,
    help="The number of jobs.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(state: str | None, kind: str | None, limit: int, *, as_json: bool) -> None:
    """List background jobs, newest first."""
    wanted = JobState(state) if state is not None else None
    with instance.open_services() as services:
        found = services.jobs.list(kind, wanted, limit)
        kinds = sorted(services.jobs.kinds)
    if as_json:
        output.write_json({"jobs": [_document(job) for job in found]})
    elif found:
        output.write(output.table(_HEADERS, [_row(job) for job in found], output.terminal_width()))
    elif kind is not None and kind not in kinds:
        output.write_line(
            f'Unknown kind "{kind}".{did_you_mean(kind, kinds)} Kinds: {", ".join(kinds)}.'
        )
    else:
        output.write("No matching jobs.\n" if kind or state else "No jobs.\n")


@jobs.command(short_help="Show a job.")
@click.argument("job_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(job_id: str, *, as_json: bool) -> None:
    """Show the progress, the process, the error and the result of the job ID."""
    with instance.open_services() as services:
        job = _find(services.jobs.find(job_id), job_id)
    if as_json:
        more = {"arguments": job.arguments, "cursor": job.cursor, "result": job.result}
        output.write_json({**_document(job), **more})
    else:
        output.write(output.table(("job", ""), _facts(job), output.terminal_width()))


@jobs.command(short_help="Cancel a job.")
@click.argument("job_id", metavar="ID")
def cancel(job_id: str) -> None:
    """Cancel the job ID. A running job stops at its next checkpoint. Stored results are kept."""
    with instance.open_services() as services:
        before = _find(services.jobs.find(job_id), job_id)
        is_told = services.jobs.cancel(job_id)
        job = services.jobs.find(job_id) or before
    name = f"the job {job.id} ({job.kind} {job.key})"
    if is_told and job.state in OPEN:
        output.write_line(
            f"Asked {name} to stop. It runs in {job.owner} and stops at its next checkpoint, or "
            "after about 10 seconds. If that process is dead, the job ends when its lease expires."
        )
    elif is_told:
        output.write_line(f"Cancelled {name}.")
    else:
        at = f" at {_clock(job.finished_ms)}" if job.finished_ms is not None else ""
        output.write_line(f"Nothing to do: {name} already ended{at} ({job.state}).")


def _find(job: Job | None, job_id: str) -> Job:
    if job is None:
        raise Failure(
            f"There is no job {job_id}. Run `codeintel jobs list` to list all jobs. Jobs that have "
            "ended are kept for a week."
        )
    return job


def _state(job: Job) -> str:
    if job.state is JobState.RUNNING and job.cancel_ms is not None:
        return "running, cancellation requested"
    return job.state


def _progress(job: Job) -> str:
    """Return the progress, such as `3/15`, or the note before the first checkpoint."""
    if job.progress_done is None:
        return job.progress_note or _NOTHING
    total = "" if job.progress_total is None else f"/{job.progress_total:,}"
    return f"{job.progress_done:,}{total}"


def _row(job: Job) -> tuple[str, ...]:
    key = job.key
    if len(key) > MAX_KEY_CHARACTERS:
        key = key[: MAX_KEY_CHARACTERS - 3] + "..."
    made = _clock(job.created_ms).removesuffix(" UTC")
    told = (_state(job), _progress(job), str(job.attempts), made, job.error or _NOTHING)
    return job.id, job.kind, key, *told


def _facts(job: Job) -> list[tuple[str, str]]:
    note = f" {job.progress_note}" if job.progress_note and job.progress_done is not None else ""
    facts = [
        ("id", job.id),
        ("kind", job.kind),
        ("key", job.key),
        ("state", _state(job)),
        ("progress", _progress(job) + note),
        ("attempts", str(job.attempts)),
        ("deaths", str(job.deaths)),
        ("process", job.owner or _NOTHING),
        ("created", _clock(job.created_ms)),
        ("started", _clock(job.started_ms)),
        ("ended", _clock(job.finished_ms)),
    ]
    if job.state is JobState.QUEUED:
        facts.append(("not before", _clock(job.run_after_ms)))
    facts.append(("error", job.error or _NOTHING))
    if job.result is not None:
        facts.append(("result", json.dumps(job.result)))
    return facts


def _document(job: Job) -> dict[str, Any]:
    return {
        "id": job.id,
        "kind": job.kind,
        "key": job.key,
        "state": job.state,
        "attempts": job.attempts,
        "deaths": job.deaths,
        "owner": job.owner,
        "progress": {
            "done": job.progress_done,
            "total": job.progress_total,
            "note": job.progress_note,
        },
        "error": job.error,
        "createdAt": _moment(job.created_ms),
        "startedAt": _moment(job.started_ms),
        "runAfter": _moment(job.run_after_ms),
        "cancelledAt": _moment(job.cancel_ms),
        "finishedAt": _moment(job.finished_ms),
    }


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds // 1000, UTC)


def _clock(milliseconds: int | None) -> str:
    at = _moment(milliseconds)
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" if at is not None else _NOTHING
