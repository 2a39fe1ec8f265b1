# ruff: noqa
# fmt: off
import asyncio
import time
import datetime
import logging
from typing import Callable, Iterator, Awaitable, Optional, Generator

logger = logging.getLogger(__name__)


class Task(object):
    waiting = []

    def __init__(self, name, when=None, action=None):
        # type: (str, Optional[datetime.datetime], Optional[Callable[[], None]]) -> None
        self.name = name
        self.when = when or datetime.datetime.now(datetime.timezone.utc)
        self.action = action if action else None

    def run(self):
        if self.action != None:
            logger.info("running %s", self.name)
            return self.action()

    def is_due(self, now):
        return not self.when > now


async def work(n: int, results: "list") -> Optional[int]:
    await asyncio.sleep(0)
    if n < 0:
        return None
    results.append(n)
    return n


async def everything(numbers) -> list:
    results = []
    done = []
    for n in numbers:
        done.append(await work(n, results))
    return done


async def first(numbers):
    for n in numbers:
        if await work(n, []):
            return True
    return False


def ticks(limit: int) -> Generator[int, None, None]:
    n = 0
    while n < limit:
        received = yield n
        if received is not None:
            n = received
        else:
            n += 1


def doubled(limit) -> Iterator[int]:
    for tick in ticks(limit):
        yield tick * 2


def relay(limit):
    for tick in ticks(limit):
        yield tick


def retry(action: Callable[[], int], times: int = 3) -> int:
    for attempt in range(0, times):
        try:
            return action()
        except ValueError as error:
            last = error
    raise last


def check():
    task = Task("a", action=lambda: 3)
    assert task.run() == 3 and Task("b").run() is None
    assert task.is_due(datetime.datetime.now(datetime.timezone.utc))
    assert asyncio.run(everything([1, -1, 2])) == [1, None, 2]
    assert asyncio.run(first([0, 1])) and not asyncio.run(first([0]))
    assert list(doubled(3)) == [0, 2, 4] and list(relay(2)) == [0, 1]
    running = relay(5)
    next(running)
    calls = []

    def action():
        calls.append(1)
        if len(calls) < 2:
            raise ValueError("again")
        return len(calls)
    assert retry(action) == 2
