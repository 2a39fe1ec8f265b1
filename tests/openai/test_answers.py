"""Answers that come in one piece with what is wrong with them."""

from __future__ import annotations

import pytest
from codeintel_plugins.openai.answers import Answer
from fake_stream import DONE, USAGE, chunk

from codeintel.contracts import Failed


class Whole:
    """A response that has already ended before it is read."""

    headers = {"content-type": "text/event-stream"}  # noqa: RUF012 - never changed
    has_more = False

    def __init__(self, *parts: bytes) -> None:
        self._parts = list(parts)

    def read(self) -> bytes:
        return self._parts.pop(0) if self._parts else b""

    def set_timeout(self, seconds: float) -> None:
        """Ignore the timeout, because nothing waits."""

    def release(self) -> None:
        """Do nothing, because the connection is not reused."""

    close = release


def begun(*parts: bytes) -> Answer:
    answer = Answer(Whole(*parts), 1.0)  # type: ignore[arg-type]
    answer.begin()
    return answer


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b'data: {"error": {}}\n\n', "upstream_error"),
        (b"data: {nonsense\n\n", "upstream_malformed"),
        (b"", "upstream_truncated"),
    ],
)
def test_what_came_before_counts(bad: bytes, reason: str) -> None:
    words = chunk("one ") + chunk("two ")
    for parts in ((words + bad,), (words, bad) if bad else (words,)):
        answer = begun(*parts)
        said = []
        with pytest.raises(Failed) as failed:
            for texts, _ in answer:
                said += texts
        assert (said, failed.value.reason) == (["one ", "two "], reason)
        assert answer.characters == len("one two ")


def test_a_whole_answer_at_once() -> None:
    answer = begun(chunk("one ") + chunk("two", finish="length") + USAGE + DONE)
    assert list(answer) == [(["one ", "two"], False)]
    assert answer.finish_reason == "length"
    assert answer.usage is not None
    assert answer.usage.prompt_tokens == 11


def test_nothing_before_it() -> None:
    with pytest.raises(Failed, match="reported an error"):
        begun(b'data: {"error": {}}\n\n' + chunk("late"))
