"""Forecasts by child processes."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from datetime import date, timedelta

import gevent.subprocess
import pytest

from codeintel.trust.forecasts import (
    DORMANCY_RISK,
    Forecast,
    NoForecast,
    Observation,
    ReleasesTask,
    SeriesTask,
    Task,
    child,
    process,
)
from codeintel.trust.forecasts.process import ForecastError, run_spread, run_tasks

START = date(2025, 1, 3)
WEEKS = tuple(
    Observation(START + timedelta(days=7 * at), 100.0 + at * 3 + at % 4) for at in range(34)
)
RELEASES = tuple(START + timedelta(days=30 * at) for at in range(20))
TASKS: tuple[Task, ...] = (
    SeriesTask("stars", WEEKS, horizon_days=28),
    SeriesTask("short", WEEKS[:9], steps=4),
    ReleasesTask(DORMANCY_RISK, RELEASES, RELEASES[-1], 90),
)


def test_each_task_has_its_outcome() -> None:
    stars, short, risk = run_spread(TASKS, 60.0, 2)
    assert isinstance(stars, Forecast)
    assert (stars.metric, stars.horizon_days, len(stars.path)) == ("stars", 28, 4)
    assert stars.low <= stars.value <= stars.high
    assert isinstance(short, NoForecast)
    assert (short.metric, short.have) == ("short", 9)
    assert isinstance(risk, Forecast)
    assert risk.metric == DORMANCY_RISK
    assert run_tasks([], 1.0) == []


def test_one_bad_task_costs_no_other_its_forecast(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(task: Task) -> Forecast | NoForecast:
        raise MemoryError(f"secret of {task.metric}")

    monkeypatch.setattr(child, "_forecast", broken)
    none = child.outcome(TASKS[0]).none
    assert none is not None
    assert (none.metric, none.reason) == ("stars", "it could not be computed (MemoryError)")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit(3)", "ended with status 3"),
        ("print('forecasts')", "an invalid answer"),
        ("print('{\"outcomes\": []}')", "3 tasks, but 0 outcomes"),
        ("print('a' * 5000, flush=True); import time; time.sleep(60)", "too much output"),
    ],
)
def test_a_child_that_fails_is_told(
    program: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_CHILD", ("-c", program))
    monkeypatch.setattr(process, "MAX_OUTPUT_BYTES", 1000)
    with pytest.raises(ForecastError, match=said):
        run_tasks(TASKS, 30.0)


def test_a_child_over_its_time_is_killed_with_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipe, ours = os.pipe()
    os.set_inheritable(ours, True)
    # The grandchild holds the other end as well: only when both are gone is there an end to read.
    program = f"import os, time; os.dup({ours}); os.fork(); time.sleep(60)"
    monkeypatch.setattr(process, "_CHILD", ("-c", program))
    real = gevent.subprocess.Popen
    monkeypatch.setattr(gevent.subprocess, "Popen", lambda *a, **k: real(*a, **k, pass_fds=[ours]))
    with pytest.raises(ForecastError, match=r"took more than 0\.5 s"):
        run_tasks(TASKS, 0.5)
    os.close(ours)
    assert select.select([pipe], [], [], 20.0)[0] == [pipe]
    assert os.read(pipe, 1) == b""
    os.close(pipe)


def test_the_parent_imports_nothing_that_computes() -> None:
    program = (
        "import sys, codeintel.cli.trust.forecast, codeintel.trust.forecasts.process, "
        "codeintel.trust.forecasts.series, codeintel.trust.forecasts.child; "
        "print(sorted({'numpy', 'scipy', 'pandas', 'statsmodels'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("[]\n", 0)


def test_the_child_has_limits() -> None:
    program = (
        "import os, resource as r; from codeintel.trust.forecasts.child import fence; fence(7); "
        "print(r.getrlimit(r.RLIMIT_CPU)[0], r.getrlimit(r.RLIMIT_AS)[0] >> 20, "
        "os.environ['OMP_NUM_THREADS'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "7 2048 1\n"
