"""The pool's handling of detectors that succeed, cannot decide, fail, hang and crash."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gevent
import pytest
from worker_helpers import (
    SECONDS,
    Workers,
    children,
    eventually,
    is_alive,
    working,
)

from codeintel.contracts import Detection, LanguageDetector
from codeintel.platform.workers.protocol import Detected, DetectionJob, Done, Job, Message

RUBY = Detection(language="ruby", confidence=0.5, alternatives=("cpp", "python"))
FAILING = {
    "complains": "ValueError at hostile",
    "dies": "it ended without an answer",
    "segfaults": "it ended without an answer",
    "eats": "MemoryError at hostile",
    "sleeps": "TimeoutError",
    "says_a_number": "ValidationError",
    "is_too_sure": "ValidationError",
    "is_not_sure_at_all": "ValidationError",
    "says_too_much": "a language has an invalid name",
    "says_a_dot": "a language has an invalid name",
    "doubts_in_dots": "a language has an invalid name",
    "doubts_at_length": "a language has an invalid name",
}


def test_what_a_detector_tells_has_canonical_names(workers: Workers) -> None:
    assert workers.detect("tells_ruby") == RUBY


def test_the_next_best_are_told_once(workers: Workers) -> None:
    told = workers.detect("doubts_twice")
    assert told == Detection(language="python", confidence=1, alternatives=("cpp", "ruby"))


def test_the_code_arrives_as_it_is(workers: Workers) -> None:
    code = "é\r\n\N{PILE OF POO}"
    told = workers.detect("repeats", code=code)
    assert told is not None
    assert told.language == code


def test_the_one_with_the_highest_preference_is_asked_first(workers: Workers) -> None:
    for names in (["tells_ruby", "repeats"], ["repeats", "tells_ruby"]):
        told = workers.detect(*names, code="go")
        assert told is not None
        assert told.language == "go"


@pytest.mark.parametrize(("name", "logged"), FAILING.items())
def test_one_that_fails_leaves_it_to_the_next_and_its_author_reads_why(
    workers: Workers, caplog: pytest.LogCaptureFixture, name: str, logged: str
) -> None:
    zygote = workers.zygote
    assert workers.detect("tells_ruby", name, code="the caller's code") == RUBY
    (record,) = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert record.getMessage().startswith(f"detector {name!r} failed: {logged}")
    assert "the caller's code" not in caplog.text
    assert workers.zygote == zygote, "a job does not take its parent along"


def test_one_that_cannot_tell_leaves_it_to_the_next_in_silence(
    workers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    assert workers.detect("tells_ruby", "cannot_tell") == RUBY
    assert caplog.records == []


@pytest.mark.parametrize("names", [[], ["cannot_tell"], ["complains", "cannot_tell"]])
def test_if_none_can_tell_there_is_no_answer(workers: Workers, names: list[str]) -> None:
    assert workers.detect(*names) is None


class Unknown(LanguageDetector):
    """The zygote does not know it."""

    name = "unknown"

    def detect(self, _: str) -> Detection:
        raise AssertionError("in the server")


@pytest.mark.parametrize("timeout", [2.0, "soon"])
def test_a_detector_that_cannot_be_run(workers: Workers, timeout: Any) -> None:
    unknown = Unknown()
    unknown.timeout = timeout
    with gevent.Timeout(SECONDS):
        assert workers.pool.detect("a", [unknown], "") is None


def test_who_waits_may_give_up(workers: Workers) -> None:
    """Check it like a run that is cancelled or takes too long."""
    assert eventually(lambda: not children(workers.zygote))
    with gevent.Timeout(SECONDS):
        waiting = gevent.spawn(workers.detect, "loops_for_ever")
        assert eventually(lambda: bool(children(workers.zygote)))
        (pid,) = children(workers.zygote)
        assert is_alive(pid)
        waiting.kill()
    assert eventually(lambda: not is_alive(pid))
    assert workers.detect("tells_ruby") == RUBY


def test_another_s_timeout_is_not_the_detector_s(workers: Workers) -> None:
    class Mine(BaseException):
        pass

    with pytest.raises(Mine), gevent.Timeout(0.05, Mine):
        workers.detect("sleeps", "tells_ruby")


def test_a_detection_waits_for_its_turn(own_instance: Path) -> None:
    with working(own_instance, slots=1) as workers:
        first = gevent.spawn(workers.detect, "loops_for_ever")
        assert eventually(lambda: bool(children(workers.zygote)))
        second = gevent.spawn(workers.detect, "tells_ruby", account="b")
        gevent.idle()
        assert not second.ready(), "there is one slot"
        first.kill()
        assert second.get(timeout=SECONDS) == RUBY


@pytest.mark.parametrize(
    "said",
    [[], [Done()], [Done(truncated=True)], [Detected(Detection(language=None, confidence=0))]],
)
def test_a_child_that_does_not_answer_the_question(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, said: list[Message]
) -> None:
    """Check arbitrary messages, because analyzers and detectors are plugins."""

    def converse(_: Any, _connection: Any, work: Job) -> Iterator[Message]:
        assert isinstance(work, DetectionJob)
        yield from said

    monkeypatch.setattr(type(workers.pool), "_converse", converse)
    assert workers.detect("tells_ruby") is None
