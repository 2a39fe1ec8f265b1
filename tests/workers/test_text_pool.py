"""Texts that are read in worker processes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import gevent
import pytest
from text_samples import PLACES, SLOW, TELL

from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.platform.workers.text_functions import (
    SMALL_CHARACTERS,
    TextFunction,
    TextTimeoutError,
    TextWorkError,
)
from codeintel.platform.workers.text_pool import TextPool

Tell = TextFunction[str, str]


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnalyzerPool]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent))
        pool = AnalyzerPool(2, {}, tmp_path_factory.mktemp("instance"), PLACES)
        pool.start()
        yield pool
        pool.stop()


@pytest.fixture
def texts(pool: AnalyzerPool) -> TextPool:
    return pool.texts


def answers(texts: TextPool, *parts: str, function: Tell = TELL, account: str = "a") -> list[str]:
    return list(texts.run(account, function, parts))


def test_parts_are_answered_in_their_order(texts: TextPool) -> None:
    long = "é" * 3_000_000
    assert answers(texts, "one", long, "two") == ["one 3", "ééééééééé 3000000", "two 3"]
    assert answers(texts) == []


def test_more_goes_in_than_pipes_hold_while_answers_come_out(texts: TextPool) -> None:
    parts = ["x" * 50_000] * 400
    assert len(answers(texts, *parts)) == 400


@pytest.mark.parametrize(
    ("part", "error"),
    [
        ("hang", TextTimeoutError),
        ("die", TextWorkError),
        ("fail", TextWorkError),
        ("grow", TextWorkError),
        ("much", TextWorkError),
    ],
)
def test_what_was_answered_before_the_end_is_known(
    texts: TextPool, part: str, error: type[TextWorkError]
) -> None:
    found: list[str] = []
    with pytest.raises(error):
        found.extend(texts.run("a", TELL, ["one", part, "two"]))
    assert found[0] == "one 3"
    assert "two 3" not in found
    assert texts.slots.busy == 0
    assert answers(texts, "after") == ["after 5"]


def test_all_answers_together_have_a_time(texts: TextPool) -> None:
    with pytest.raises(TextTimeoutError):
        answers(texts, "hang", function=SLOW)


def test_an_unknown_function_fails(texts: TextPool) -> None:
    with pytest.raises(TextWorkError, match="KeyError"):
        answers(texts, "one", function=TextFunction("other", SLOW.run, str, str))


def test_what_the_parts_raise_is_raised(texts: TextPool) -> None:
    def parts() -> Iterator[str]:
        yield "one"
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        list(texts.run("a", TELL, parts()))
    assert texts.slots.busy == 0


def test_closing_ends_the_child(texts: TextPool) -> None:
    running = texts.run("a", TELL, ["one", "hang"])
    assert next(running) == "one 3"
    assert texts.slots.busy == 1
    running.close()  # type: ignore[attr-defined]
    assert texts.slots.busy == 0


def test_few_characters_are_read_here(tmp_path: Path) -> None:
    never = AnalyzerPool(1, {}, tmp_path)
    assert list(never.texts.run("a", TELL, ["one"], SMALL_CHARACTERS)) == ["one 3"]
    assert never.nursery.pid is None


def test_without_a_worker_process_nothing_was_read(tmp_path: Path) -> None:
    stopped = AnalyzerPool(1, {}, tmp_path)
    stopped.stop()
    with pytest.raises(TextWorkError, match="no worker process"):
        list(stopped.texts.run("a", TELL, ["one"]))
    assert stopped.texts.slots.busy == 0


def test_others_run_while_a_text_is_read(texts: TextPool) -> None:
    turns = 0

    def turn() -> None:
        nonlocal turns
        while True:
            gevent.sleep(0.01)
            turns += 1

    beside = gevent.spawn(turn)
    with pytest.raises(TextTimeoutError):
        answers(texts, "hang")
    beside.kill()
    assert turns > 20


def test_slots_go_round_between_accounts_and_analyses_have_their_own(pool: AnalyzerPool) -> None:
    order: list[str] = []

    def one(account: str, part: str) -> None:
        with suppress(TextTimeoutError):
            answers(pool.texts, part, account=account)
        order.append(account)

    hanging = [gevent.spawn(one, "greedy", "hang") for _ in range(4)]
    gevent.sleep(0.2)
    assert (pool.texts.slots.busy, pool.slots.busy) == (2, 0)
    modest = gevent.spawn(one, "modest", "one")
    began = time.monotonic()
    modest.join(20)
    assert modest.ready()
    assert time.monotonic() - began < 15
    gevent.joinall(hanging, timeout=20)
    assert order.index("modest") < 4
