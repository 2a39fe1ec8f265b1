"""`python -m codeintel.trust.forecasts.child SECONDS`: compute forecasts in a separate process.

It reads one JSON document from standard input (:class:`Job`) and writes one to standard output
(:class:`Done`), with an outcome for each task. The numeric libraries take a second and some 170 MB
to import, so only this process imports them.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

import msgspec

from codeintel.base.confinement.jobs import confine_program
from codeintel.trust.forecasts import (
    Done,
    Forecast,
    ForecastOutcome,
    Job,
    NoForecast,
    SeriesTask,
    Task,
)

MEMORY_BYTES = 2 * 1024**3
PR_SET_PDEATHSIG = 1
NICENESS = 10
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)


def main() -> None:
    fence(int(sys.argv[1]))
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    sys.stdout.buffer.write(msgspec.json.encode(Done(tuple(map(outcome, job.tasks)))))


def fence(seconds: int) -> None:
    """Confine this process: one thread, limited memory and processor time, no files.

    It dies with its parent and can only read code.

    :raises OSError: if it cannot be confined.
    """
    os.environ.update(ONE_THREAD)  # before numpy is imported
    sys.dont_write_bytecode = True
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.nice(NICENESS)
    limits = {
        resource.RLIMIT_AS: MEMORY_BYTES,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
    }
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))
    confine_program()


def outcome(task: Task) -> ForecastOutcome:
    """Return the outcome of a task. A failing task does not affect the others."""
    try:
        found = _forecast(task)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other tasks go on
        reason = f"it could not be computed ({type(error).__name__})"
        found = NoForecast(task.metric, task.horizon_days, reason)
    return (
        ForecastOutcome(forecast=found)
        if isinstance(found, Forecast)
        else ForecastOutcome(none=found)
    )


def _forecast(task: Task) -> Forecast | NoForecast:
    if isinstance(task, SeriesTask):
        from codeintel.trust.forecasts.forecasting import forecast

        return forecast(task)
    from codeintel.trust.forecasts.forecasting import from_releases

    return from_releases(task)


if __name__ == "__main__":
    main()
