"""The parent's side: forecasts from child processes, within bounds. Nothing here computes."""

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
# What the child's interpreter needs to find itself and its packages; nothing else gets through.
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR")
_CHILD = ("-m", "codeintel.trust.forecasts.child")


class ForecastError(RuntimeError):
    """No forecasts at all: the child took too long, said too much or died, or what computes is not
    installed."""


def run_tasks(tasks: Sequence[Task], seconds: float) -> list[Forecast | NoForecast]:
    """What comes of each task, in their order. Other greenlets run meanwhile.

    :param seconds: after which the child is killed; starting it takes two of them.
    :raises ForecastError: if there is no answer.
    """
    if not tasks:
        return []
    if FORECASTS.is_missing:
        raise ForecastError(FORECASTS.refusal)
    answer = _answer(msgspec.json.encode(Job(tuple(tasks))), seconds)
    try:
        outcomes = msgspec.json.decode(answer, type=Done).outcomes
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ForecastError("the forecasts' process wrote something else than forecasts") from None
    found = [each.forecast or each.none for each in outcomes]
    whole = [each for each in found if each is not None]
    if len(whole) != len(tasks):
        raise ForecastError(f"{len(tasks)} tasks, but {len(whole)} outcomes")
    return whole


def run_spread(
    tasks: Sequence[Task], seconds: float, processes: int
) -> list[Forecast | NoForecast]:
    """The same with several children at a time, each with its share of the tasks.

    :raises ForecastError: if any of them gives no answer.
    """
    count = max(1, min(processes, len(tasks)))
    pool = Pool(count)
    try:
        shares = pool.map(lambda start: run_tasks(tasks[start::count], seconds), range(count))
    finally:
        pool.kill()  # where one has failed, the others' children are of no use
    return [shares[at % count][at // count] for at in range(len(tasks))]


def _answer(job: bytes, seconds: float) -> bytes:
    # A file as standard input: nobody has to write while the answer is read.
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
        raise ForecastError("the forecasts' process wrote more than anybody reads")
    if heard.status is None:
        raise ForecastError(f"the forecasts took more than {seconds:g} s")
    if heard.status != 0:
        raise ForecastError(f"the forecasts' process ended with status {heard.status}")
    return heard.output
