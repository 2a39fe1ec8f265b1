"""The event stream parser, by the WHATWG rules."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from codeintel.client.sse import EventTooLarge, ServerSentEvent, SseParser

BOM = b"\xef\xbb\xbf"


def parse(*chunks: bytes) -> list[ServerSentEvent]:
    parser = SseParser()
    return [event for chunk in chunks for event in parser.feed(chunk)]


def message(data: str, type_: str = "message", last_event_id: str = "") -> ServerSentEvent:
    return ServerSentEvent(type_, data, last_event_id)


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        pytest.param(b"data: a\n\n", [message("a")], id="one line"),
        pytest.param(b"data: a\ndata: b\n\n", [message("a\nb")], id="several lines"),
        pytest.param(b"data:a\ndata:  b\n\n", [message("a\n b")], id="one space is taken off"),
        pytest.param(b"data\n\n", [message("")], id="no colon"),
        pytest.param(b"data\ndata\n\n", [message("\n")], id="two empty lines"),
        pytest.param(b"event: x\ndata: a\n\n", [message("a", "x")], id="type"),
        pytest.param(b"event: x\n\ndata: a\n\n", [message("a")], id="no data, no event, no type"),
        pytest.param(b": ping\n\ndata: a\n: b\n\n", [message("a")], id="comments"),
        pytest.param(b"foo: 1\n data: 2\ndata: a\n\n", [message("a")], id="unknown fields"),
        pytest.param(b"data: a", [], id="line that does not end"),
        pytest.param(b"data: a\n", [], id="event that does not end"),
        pytest.param(b"data: a\r\n\r\n", [message("a")], id="CR LF"),
        pytest.param(b"data: a\r\r", [message("a")], id="CR"),
        pytest.param(b"data: a\r\rdata: b\n\r\n", [message("a"), message("b")], id="mixed"),
        pytest.param(BOM + b"data: a\n\n", [message("a")], id="byte order mark"),
        pytest.param(BOM * 2 + b"data: a\n\n", [], id="second byte order mark"),
        pytest.param(b"data: a\n\n" + BOM + b"data: b\n\n", [message("a")], id="late mark"),
        pytest.param(
            "data: é\u2028\x85\v\n\n".encode(), [message("é\u2028\x85\v")], id="no breaks"
        ),
        pytest.param(b"data: \xff\xe2\x82\n\n", [message("\ufffd\ufffd")], id="not UTF-8"),
        pytest.param(b"id: 1\ndata: a\n\n", [message("a", last_event_id="1")], id="id"),
        pytest.param(
            b"id: 1\n\ndata: a\n\nid\ndata: b\n\n",
            [message("a", last_event_id="1"), message("b")],
            id="id stays until another",
        ),
        pytest.param(
            b"id: 1\nid: 2\0\ndata: a\n\n", [message("a", last_event_id="1")], id="id with NUL"
        ),
    ],
)
def test_streams(stream: bytes, events: list[ServerSentEvent]) -> None:
    assert parse(stream) == events
    assert parse(*(stream[i : i + 1] for i in range(len(stream)))) == events


@pytest.mark.parametrize(
    ("value", "retry"),
    [
        ("10", 10),
        ("0", 0),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("٣", None),
        ("9" * 5000, None),
    ],
)
def test_retry(value: str, retry: int | None) -> None:
    parser = SseParser()
    parser.feed(f"retry: {value}\n".encode())
    assert parser.retry == retry


def test_last_event_id_counts_once_its_event_has_ended() -> None:
    parser = SseParser()
    parser.feed(b"id: 7\n")
    assert parser.last_event_id == ""
    parser.feed(b"\n")
    assert parser.last_event_id == "7"


def test_an_event_is_there_as_soon_as_its_line_break_is() -> None:
    parser = SseParser()
    assert parser.feed(b"data: a\r\n\r") == [message("a")]
    assert parser.feed(b"\ndata: b\r\n\r\n") == [message("b")]


@pytest.mark.parametrize(
    "stream",
    [b"data: 123456789", b"data: 12\ndata: 34\n", b"a\n" * 11, b": a long comment\n"],
    ids=["line", "lines", "unknown fields", "comment"],
)
def test_the_bound_holds_however_the_stream_is_cut(stream: bytes) -> None:
    for size in range(1, len(stream) + 1):
        parser = SseParser(max_event_bytes=10)
        with pytest.raises(EventTooLarge, match="10 bytes"):
            for i in range(0, len(stream), size):
                parser.feed(stream[i : i + size])


def test_the_bound_is_on_one_event_not_on_the_stream() -> None:
    parser = SseParser(max_event_bytes=10)
    assert len(parser.feed(b": ping\n\ndata: 1234\n\n" * 100)) == 100


# Pieces that mean something, so that cuts fall into the middle of what matters.
_streams = st.lists(
    st.sampled_from(
        [
            "data",
            "event",
            "id",
            "retry",
            ":",
            " ",
            "\n",
            "\r",
            "\r\n",
            "\n\n",
            "\0",
            "7",
            "é",
            "\U0001f600",
        ]
    ).map(str.encode)
    | st.sampled_from([BOM, b"\xe2", b"\xff"])
    | st.binary(max_size=3),
    max_size=40,
).map(b"".join)


@given(_streams, st.lists(st.integers(0, 120), max_size=30), st.booleans())
def test_any_chunking_gives_the_same_events(stream: bytes, cuts: list[int], mark: bool) -> None:
    stream = BOM + stream if mark else stream
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    whole, cut_up = SseParser(), SseParser()
    events = [event for start, end in pairwise(places) for event in cut_up.feed(stream[start:end])]
    assert events == whole.feed(stream)
    assert (cut_up.retry, cut_up.last_event_id) == (whole.retry, whole.last_event_id)


@given(_streams)
def test_agrees_with_the_rules_read_literally(stream: bytes) -> None:
    assert parse(stream) == _reference(stream)


def _reference(stream: bytes) -> list[ServerSentEvent]:
    """Return the standard's own steps over the whole text, with no thought to chunks or speed."""
    text = stream.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:-1]
    events, data, type_, identifier = [], "", "", ""
    for line in lines:
        if line == "":
            if data:
                events.append(message(data.removesuffix("\n"), type_ or "message", identifier))
            data = type_ = ""
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data += value + "\n"
        elif field == "event":
            type_ = value
        elif field == "id" and "\0" not in value:
            identifier = value
    return events


def test_work_is_linear_in_one_long_line() -> None:
    """A million single bytes; copying the line for each would be 10 TB."""
    parser = SseParser()
    line = b"data: " + b"x" * 1_000_000
    for i in range(len(line)):
        parser.feed(line[i : i + 1])
    assert len(parser.feed(b"\n\n")[0].data) == 1_000_000
