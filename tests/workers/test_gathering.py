"""Concurrent analyses of small files share processes, and have the results of single runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gevent
import pytest
from test_batch_pool import Outcome, outcome, python
from worker_helpers import SECONDS, Workers, children, eventually

from codeintel.contracts import AnalyzerRequest, AnalyzerStatus
from codeintel.platform.workers import gathering
from codeintel.platform.workers.fork_server import Nursery
from codeintel.platform.workers.gathering import GatheredPool

COMPLETED, FAILED = AnalyzerStatus.COMPLETED, AnalyzerStatus.FAILED


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Provide the jobs that were started."""
    started: list[int] = []
    fork = Nursery.fork

    def counted(self: Nursery) -> tuple[int, Any]:
        job, connection = fork(self)
        started.append(job)
        return job, connection

    monkeypatch.setattr(Nursery, "fork", counted)
    return started


def analyze(
    workers: Workers, names: list[str], requests: list[AnalyzerRequest], account: str = ""
) -> list[Outcome]:
    """Analyze all requests at the same time, each for its own account if none is given."""
    pool = GatheredPool(workers.pool)
    analyzers = [workers.analyzers[name] for name in names]

    def one(number: int, request: AnalyzerRequest) -> Outcome:
        return outcome(list(pool.run(account or f"account-{number}", analyzers, request)))

    with gevent.Timeout(SECONDS):
        greenlets = [gevent.spawn(one, *each) for each in enumerate(requests)]
        gevent.joinall(greenlets)
        return [each.get() for each in greenlets]


def test_requests_share_processes(workers: Workers, forks: list[int]) -> None:
    codes = ["a" * number for number in range(40)]
    found = analyze(workers, ["answers", "says_nothing"], python(*codes), "a")
    assert [each["answers"][2][1].value for each in found] == list(range(40))  # type: ignore[attr-defined]
    assert all(each["says_nothing"][0] is COMPLETED for each in found)
    assert len(forks) <= 10


def test_accounts_never_share_a_process(workers: Workers, forks: list[int]) -> None:
    found = analyze(workers, ["answers"], python("a", "b", "c"))
    assert [each["answers"][0] for each in found] == [COMPLETED] * 3
    assert len(forks) == 3


def test_large_code_is_analyzed_alone(workers: Workers, forks: list[int]) -> None:
    large = "a" * (gathering.SMALL_CHARACTERS + 1)
    analyze(workers, ["answers", "says_nothing"], python(large, large), "a")
    assert len(forks) == 4


def test_a_file_that_fails_leaves_the_others_alone(workers: Workers) -> None:
    found = analyze(workers, ["minds_its_file"], python("a", "crash", "b"), "a")
    assert [each["minds_its_file"][0] for each in found] == [COMPLETED, FAILED, COMPLETED]


def test_nothing_to_run(workers: Workers) -> None:
    assert analyze(workers, [], python("a"), "a") == [{}]


def test_readers_that_stop_end_the_process(workers: Workers) -> None:
    pool = GatheredPool(workers.pool)
    analyzer = workers.analyzers["minds_its_file"]
    greenlet = gevent.spawn(lambda: list(pool.run("a", [analyzer], python("hang")[0])))
    assert eventually(lambda: bool(children(workers.zygote)))
    greenlet.kill()
    [again] = analyze(workers, ["answers"], python("a"), "a")
    assert again["answers"][0] is COMPLETED
    assert eventually(lambda: not children(workers.zygote))
    assert workers.pool.slots.busy == 0


def test_an_error_of_the_batch_reaches_all_readers(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> Iterator[Any]:
        raise OSError

    monkeypatch.setattr("codeintel.platform.workers.batch_pool.BatchPool.run", fails)
    with pytest.raises(RuntimeError, match="a batch of analyses failed"):
        analyze(workers, ["answers"], python("a", "b"), "a")


def test_an_interrupt_fails_no_analysis(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    pool = GatheredPool(workers.pool)
    monkeypatch.setattr(pool._batches, "run", interrupted)
    analyzer = workers.analyzers["answers"]
    waiting = [gevent.spawn(lambda: list(pool.run("a", [analyzer], python("a")[0])))]
    waiting += [gevent.spawn(lambda: list(pool.run("a", [analyzer], python("b")[0])))]
    try:
        with pytest.raises(KeyboardInterrupt):  # gevent raises it in the main greenlet
            gevent.joinall(waiting, timeout=SECONDS)
        gevent.sleep(0.1)
        assert not any(each.ready() for each in waiting)
    finally:
        gevent.killall(waiting)
