"""The parent's side: get forecasts from child processes, within limits.

It computes nothing itself.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Sequence

import msgspec
from gevent import subprocess
from gevent.pool import Pool

from codeintel.base.bounded_child import listen
from codeintel.base.extras import FORECASTS
from codeintel.trust.forecasts import Done, Forecast, Job, NoForecast, Task

MAX_OUTPUT_BYTES = 64 * 1024 * 1024
# What the child's interpreter needs to find itself and its packages. Nothing else is passed on.
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR")
_CHILD = ("-P", "-m", "codeintel.trust.forecasts.child")


class ForecastError(RuntimeError):
    """Raised when all forecasts are missing.

    The child took too long, wrote too much or died, or the optional dependencies are not installed.
    """


def run_tasks(tasks: Sequence[Task], seconds: float) -> list[Forecast | NoForecast]:
    """Return the outcome of each task, in order. Other greenlets run meanwhile.

    :param seconds: time after which the child is killed; its start takes two of them.
    :raises ForecastError: if the child does not answer.
    """
    if not tasks:
        return []
    if FORECASTS.is_missing:
        raise ForecastError(FORECASTS.refusal)
    answer = _answer(msgspec.json.encode(Job(tuple(tasks))), seconds)
    try:
        outcomes = msgspec.json.decode(answer, type=Done).outcomes
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ForecastError("the forecasts' process wrote an invalid answer") from None
    found = [each.forecast or each.none for each in outcomes]
    whole = [each for each in found if each is not None]
    if len(whole) != len(tasks):
        raise ForecastError(f"{len(tasks)} tasks, but {len(whole)} outcomes")
    return whole


def run_spread(
    tasks: Sequence[Task], seconds: float, processes: int
) -> list[Forecast | NoForecast]:
    """Return the outcomes of tasks that several children share.

    :param processes: maximum number of children.
    :raises ForecastError: if any of them does not answer.
    """
    count = max(1, min(processes, len(tasks)))
    pool = Pool(count)
    try:
        shares = pool.map(lambda start: run_tasks(tasks[start::count], seconds), range(count))
    finally:
        pool.kill()  # if one has failed, the other children are useless
    return [shares[at % count][at // count] for at in range(len(tasks))]


def _answer(job: bytes, seconds: float) -> bytes:
    # A file as standard input, so that no greenlet has to write while the answer is read.
    with tempfile.TemporaryFile() as given:
        given.write(job)
        given.seek(0)
        process = subprocess.Popen(
            [sys.executable, *_CHILD, str(math.ceil(seconds) + 1)],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            start_new_session=True,
        )
    heard = listen(process, seconds, MAX_OUTPUT_BYTES)
    if heard.said_too_much:
        raise ForecastError("the forecasts' process wrote too much output")
    if heard.status is None:
        raise ForecastError(f"the forecasts took more than {seconds:g} s")
    if heard.status != 0:
        raise ForecastError(f"the forecasts' process ended with status {heard.status}")
    return heard.output
