"""Check what an idle service still holds, and what it leaves behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gateway_parts.cost import children
from server_books import Books
from sqlalchemy import create_engine, text

from soak.service import Service
from soak.verdict import Verdict

DRAIN_SECONDS = 120.0
QUIET_SECONDS = 12.0
"""Longer than idle connections of clients are kept."""
SPARE_GREENLETS = 3
"""Of one kind; what waits for the next job is not always the same."""
SPARE_FILES = 100
"""Connections to upstreams are kept for the next request."""
SHOWN_TYPES = 5
ROW_BYTES = 60 * 1024
BASE_BYTES = 64 * 1024 * 1024
_OPEN_JOBS = text(
    "SELECT kind, state FROM jobs "
    "WHERE state = 'running' OR state = 'queued' AND run_after_ms < :now"
)


@dataclass(frozen=True)
class Held:
    """The total of all workers: greenlets by function, open files, and threads."""

    greenlets: dict[str, int]
    files: int
    threads: int
    objects: dict[str, int]
    allocated: list[str]


def held(service: Service) -> Held:
    """Now."""
    probes = [service.probe(worker) for worker in service.workers]
    return Held(
        greenlets=_sums([each["greenlets"] for each in probes]),
        files=sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in service.workers),
        threads=sum(each["threads"] for each in probes),
        objects=_sums([each["objects"] for each in probes]),
        allocated=[line for each in probes for line in each["allocated"]],
    )


def _sums(counts: list[dict[str, int]]) -> dict[str, int]:
    names = {name for each in counts for name in each}
    return {name: sum(each.get(name, 0) for each in counts) for name in names}


def drain(service: Service) -> list[str]:
    """Wait until nothing is running. Return the jobs, runs and processes that do not end in
    time."""
    engine = create_engine(service.database().replace("postgresql:", "postgresql+psycopg:"))

    def busy() -> list[str]:
        with engine.connect() as connection:
            rows = connection.execute(_OPEN_JOBS, {"now": time.time() * 1000})
            jobs = [f"job {row.kind} {row.state}" for row in rows]
        runs = [f"run {run}" for run in service.books().running]
        return [*runs, *jobs, *_children_of_zygotes(service)]

    _eventually(lambda: not busy())
    found = busy()
    engine.dispose()
    time.sleep(QUIET_SECONDS)
    return found


def _children_of_zygotes(service: Service) -> list[str]:
    return [f"process {pid}" for zygote in service.zygotes for pid in children(zygote)]


def _eventually(question: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + DRAIN_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError):
            if question():
                return True
        time.sleep(0.5)
    return False


def compare(verdict: Verdict, before: Held, after: Held) -> None:
    """Check that the workers do not hold more after the load than before it."""
    leaked = [
        f"{count} of {name}, {before.greenlets.get(name, 0)} before"
        for name, count in sorted(after.greenlets.items())
        if count > before.greenlets.get(name, 0) + SPARE_GREENLETS
    ]
    verdict.nothing("mixed: greenlets left", leaked)
    more = {name: count - before.objects.get(name, 0) for name, count in after.objects.items()}
    for name, count in sorted(more.items(), key=lambda item: -item[1])[:SHOWN_TYPES]:
        verdict.tell(f"mixed: more objects, {name}", count)
    verdict.at_most("mixed: open files of the workers", after.files, before.files + SPARE_FILES)
    verdict.at_most("mixed: threads of the workers", after.threads, before.threads + 10)


def check_files(verdict: Verdict, service: Service) -> None:
    """Check that no job folders are left while the service keeps running."""
    left = [str(path) for path in service.temporary.glob("*/*")]
    verdict.nothing("mixed: folders of jobs left", left)


def check_stopped(verdict: Verdict, temporary: Path) -> None:
    """Behind its end: no process of it, no temporary file."""
    verdict.nothing("mixed: processes left", _processes_with(f"TMPDIR={temporary}"))
    verdict.nothing("mixed: temporary files left", [str(path) for path in temporary.iterdir()])


def _processes_with(setting: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if setting.encode() in path.read_bytes().split(b"\0"):
                found.append(f"process {path.parent.name}")
    return found


def check_books(verdict: Verdict, part: str, books: Books) -> None:
    """Balances, holds and charges add up."""
    wrong = []
    try:
        books.check()
    except AssertionError as error:
        wrong = [f"an invariant is broken: {error}"]
    verdict.nothing(f"{part}: books", wrong)


def check_database(verdict: Verdict, service: Service, runs: int) -> None:
    """Money and runs are as they must be, and the file is no larger than what is in it."""
    check_books(verdict, "mixed", service.books())
    size = sum(path.stat().st_size for path in service.server.instance.glob("codeintel.db*"))
    if size:
        bound = (BASE_BYTES + ROW_BYTES * runs) / 2**20
        verdict.at_most("mixed: database", size / 2**20, bound, "MiB")
