"""The client against a real server on this machine: chunks, and connections that end."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from codeintel.client import Client, ConnectionFailed, StreamBroken

SECONDS = 10
FIRST = {"type": "run.created", "runId": "run_1", "text": "é😀"}
LAST = {"type": "run.completed", "runId": "run_1"}


def frame(event: object) -> bytes:
    return b"data: " + json.dumps(event, ensure_ascii=False).encode() + b"\r\n\r\n"


Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Run a server whose requests `answer` answers, and return its URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = SECONDS

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            answer(self)

        def do_GET(self) -> None:
            answer(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False  # so that closing the server waits for them
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join(SECONDS)
        server.server_close()


def start(handler: BaseHTTPRequestHandler, *, chunked: bool) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header(*(("Transfer-Encoding", "chunked") if chunked else ("Connection", "close")))
    handler.end_headers()


def send(handler: BaseHTTPRequestHandler, data: bytes, *, chunked: bool) -> None:
    handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if chunked else data)
    handler.wfile.flush()


@pytest.mark.parametrize("chunked", [True, False])
def test_an_event_arrives_before_the_next_one_is_sent(chunked: bool) -> None:
    got_first = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        start(handler, chunked=chunked)
        for byte in frame(FIRST):
            send(handler, bytes([byte]), chunked=chunked)
        if got_first.wait(SECONDS):
            send(handler, frame(LAST), chunked=chunked)
        if chunked:
            handler.wfile.write(b"0\r\n\r\n")

    with serving(answer) as url:
        events = Client(url, "key", read_timeout=SECONDS).analyze("x")
        assert next(events) == FIRST
        got_first.set()
        assert list(events) == [LAST]


@pytest.mark.parametrize("chunked", [True, False])
def test_a_connection_that_ends_in_between(chunked: bool) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        start(handler, chunked=chunked)
        send(handler, frame(FIRST), chunked=chunked)
        handler.close_connection = True

    with serving(answer) as url:
        events = Client(url, "key", read_timeout=SECONDS).analyze("x")
        assert next(events) == FIRST
        with pytest.raises(StreamBroken) as caught:
            next(events)
    assert caught.value.run_id == "run_1"


def numbered(number: int, type_: str = "output.delta") -> dict[str, object]:
    return {"type": type_, "runId": "run_1", "sequence": number}


EVENTS = [numbered(1, "run.created"), *map(numbered, range(2, 6)), numbered(6, "run.completed")]


class Cutting:
    """Sends so many events of a run on each connection, and half of another one."""

    def __init__(self, *counts: int, refusals: tuple[int, ...] = ()) -> None:
        self.asked: list[str] = []
        self._counts = list(counts)
        self._refusals = list(refusals)

    def __call__(self, handler: BaseHTTPRequestHandler) -> None:
        after = int(handler.headers.get("Last-Event-ID", "0"))
        self.asked.append(f"{handler.command} {handler.path} {after}")
        if after and self._refusals:
            handler.send_error(self._refusals.pop(0))
            return
        count = self._counts.pop(0)
        start(handler, chunked=False)
        for event in EVENTS[after : after + count]:
            send(handler, frame(event), chunked=False)
        for event in EVENTS[after + count : after + count + 1]:
            send(handler, frame(event)[:9], chunked=False)
        handler.close_connection = True


def test_a_lost_connection_is_made_anew_and_goes_on() -> None:
    service = Cutting(2, 0, 3, 9, refusals=(503,))
    with serving(service) as url:
        client = Client(url, "key", read_timeout=SECONDS, resume_pauses=(0, 0))
        assert list(client.analyze("x")) == EVENTS
    path = "/api/v1/runs/run_1/events"
    assert service.asked == [
        "POST /api/v1/analyze/stream 0",
        *[f"GET {path} 2"] * 3,
        f"GET {path} 5",
    ]


@pytest.mark.parametrize(
    ("service", "requests"),
    [(Cutting(2, 0, 0, 0, 0), 4), (Cutting(2, refusals=(410,)), 2), (Cutting(0), 1)],
    ids=["nothing more comes", "gone", "nothing came"],
)
def test_a_run_that_cannot_be_read_on(service: Cutting, requests: int) -> None:
    seen = []
    with serving(service) as url:
        client = Client(url, "key", read_timeout=SECONDS, resume_pauses=(0, 0))
        with pytest.raises(StreamBroken, match="ended before the run did"):
            for event in client.analyze("x"):
                seen.append(event)  # noqa: PERF402 - what came before the error counts
    assert seen == EVENTS[: len(seen)]
    assert len(service.asked) == requests


def test_silence_longer_than_heartbeats_explain() -> None:
    gave_up = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        start(handler, chunked=True)
        send(handler, frame(FIRST), chunked=True)
        gave_up.wait(SECONDS)

    with serving(answer) as url:
        events = Client(url, "key", read_timeout=0.05).analyze("x")
        assert next(events) == FIRST
        with pytest.raises(StreamBroken, match=r"nothing for 0\.05 s"):
            next(events)
        gave_up.set()


def test_closing_the_iterator_hangs_up() -> None:
    hung_up = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        start(handler, chunked=True)
        send(handler, frame(FIRST), chunked=True)
        if handler.rfile.read(1) == b"":
            hung_up.set()
        handler.close_connection = True

    with serving(answer) as url:
        events = Client(url, "key", read_timeout=SECONDS).analyze("x")
        next(events)
        events.close()
        assert hung_up.wait(SECONDS)


def test_this_machine_is_not_called_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")

    def answer(handler: BaseHTTPRequestHandler) -> None:
        start(handler, chunked=False)
        send(handler, frame(LAST), chunked=False)
        handler.close_connection = True

    with serving(answer) as url:
        assert list(Client(url, "key").analyze("x")) == [LAST]
    with pytest.raises(ConnectionFailed, match="proxy"):
        next(Client("http://code.example.org", "key").analyze("x"))


def test_nobody_listens() -> None:
    with serving(lambda _: None) as url:
        pass
    with pytest.raises(ConnectionFailed, match=r"cannot be reached: Connection refused\."):
        next(Client(url, "key").analyze("x"))
