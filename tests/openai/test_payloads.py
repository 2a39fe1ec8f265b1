"""The short way through an event stream says what the parser says."""

from __future__ import annotations

import itertools

import pytest
from codeintel_plugins.openai.answers import MAX_EVENT_BYTES, Payloads
from hypothesis import example, given, strategies as st

from codeintel.client.sse import EventTooLarge, SseParser

PIECES = st.sampled_from(
    [
        b"data: {}\n\n",
        b"data: 1\n",
        b"\n",
        b"data:",
        b": ping\n\n",
        b"\r\n",
        b"event: x\n",
        b" ",
        b"\r",
    ]
)


@given(st.lists(PIECES, max_size=12), st.lists(st.integers(0, 60), max_size=6))
@example([b"data: {}\n\n"] * 3, [])
@example([b"data: 1\n", b"data: {}\n\n", b"data: {}\n\n"], [8])
def test_the_parser_would_say_the_same(pieces: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(pieces)
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    chunks = [stream[a:b] for a, b in itertools.pairwise(places)]
    payloads, parser = Payloads(), SseParser()
    assert [p for chunk in chunks for p in payloads.feed(chunk)] == [
        event.data.encode() for chunk in chunks for event in parser.feed(chunk)
    ]


def test_an_event_is_bounded() -> None:
    payloads = Payloads()
    with pytest.raises(EventTooLarge):
        for _ in range(40):
            payloads.feed(b"data: " + b"x" * (MAX_EVENT_BYTES // 20))
    with pytest.raises(EventTooLarge):
        Payloads().feed(b"data: " + b"x" * MAX_EVENT_BYTES + b"\n\n")
