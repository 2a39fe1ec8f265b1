"""Malformed bytes sent to a real server with an access log: where a message ends, its host, and
its log line."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator

import pytest

from codeintel.testing.server import LiveServer

SECONDS = 20.0
"""Of a server that answers, on however busy a machine."""
SMUGGLED = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST = SMUGGLED[:-2] + b"Connection: close\r\n\r\n"
POST = b"POST /api/v1/analyze/stream HTTP/1.1\r\nHost: localhost\r\n"
FORGED = "FORGED-LINE"


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("instance"), CODEINTEL_ACCESS_LOG="true") as running:
        yield running


def answers(server: LiveServer, sent: bytes, quiet: float = 1.5) -> list[int]:
    """Return the statuses of all answers to these bytes, until the server hangs up or is silent
    for `quiet` seconds."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    received = b""
    with socket.create_connection((host, int(port)), timeout=SECONDS) as connection:
        connection.sendall(sent)
        connection.settimeout(quiet)
        try:
            while data := connection.recv(65_536):
                received += data
        except TimeoutError:
            pass
        except ConnectionError:
            pass
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", received)]


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        b"Content-Length: 4\r\nContent-Length: 60\r\n",
        b"Content-Length: 4, 60\r\n",
        b"Content-Length: +4\r\n",
        b"Content-Length: 4_0\r\n",
        b"Content-Length : 4\r\n",
        b"Content-Length: 0x4\r\n",
        b"Content-Length: -4\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n",
        b" Transfer-Encoding: chunked\r\n",
        b"X: x\rTransfer-Encoding: chunked\r\n",
        b"X: x\x00y\r\n",
    ],
)
def test_no_request_hides_in_another(logged: LiveServer, head: bytes) -> None:
    """Check that the hidden request gets no answer, regardless of where a proxy would see the
    end of the first one."""
    found = answers(logged, POST + head + b"\r\n0\r\n\r\n" + SMUGGLED)
    assert 200 not in found, found
    assert all(status >= 400 for status in found), "or it is hung up on"


@pytest.mark.parametrize(
    "size",
    [b"5\r\nhello\r\n", b"5;x=\ny\r\nhello\r\n", b"+5\r\nhello\r\n", b"ffffffffffffffffff\r\n"],
)
def test_chunks_are_what_they_say(logged: LiveServer, size: bytes) -> None:
    found = answers(logged, POST + b"Transfer-Encoding: chunked\r\n\r\n" + size + b"0\r\n\r\n")
    assert 200 not in found


def test_two_good_requests_are_two(logged: LiveServer) -> None:
    assert answers(logged, SMUGGLED + LAST, SECONDS) == [200, 200]


@pytest.mark.parametrize("method", [b"TRACE", b"TRACK", b"CONNECT", b"DEBUG", b"PUT", b"PATCH"])
def test_methods_that_nobody_needs(logged: LiveServer, method: bytes) -> None:
    sent = (
        method
        + b" /account HTTP/1.1\r\nHost: localhost\r\nX-Secret: echo\r\n"
        + b"Connection: close\r\nContent-Length: 0\r\n\r\n"
    )
    assert answers(logged, sent, SECONDS)[0] in {400, 405, 501}


@pytest.mark.parametrize(
    "path",
    [
        f"/%0d%0a{FORGED} 127.0.0.1 GET /admin 200",
        f"/%0a{FORGED}",
        f"/%1b%5b2J%1b%5b1;1H{FORGED}",
        f"/%e2%80%a8{FORGED}",
        f"/%c2%85{FORGED}",
        f"/x%22%0a{FORGED}",
    ],
)
@pytest.mark.parametrize("where", ["path", "agent", "cookie"])
def test_no_line_of_the_log_is_forged(logged: LiveServer, path: str, where: str) -> None:
    raw = path.replace("%1b", "\x1b").replace("%0d%0a", "\r ").replace("%0a", "\x0b")
    close = "Host: localhost\r\nConnection: close\r\n"
    lines = {
        "path": f"GET {path} HTTP/1.1\r\n{close}\r\n",
        "agent": f"GET /x HTTP/1.1\r\n{close}User-Agent: {raw[1:60]}\r\n\r\n",
        "cookie": f"GET /x HTTP/1.1\r\n{close}Cookie: a={path}\r\n\r\n",
    }
    answers(logged, lines[where].encode(), SECONDS)
    told = logged.output.splitlines()
    assert not [line for line in told if line.strip().startswith(FORGED)]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028]", "".join(logged.output.split("\n")))


def test_the_log_was_on(logged: LiveServer) -> None:
    answers(logged, b"GET /api/v1/health?q=private HTTP/1.1\r\nHost: localhost\r\n\r\n", 0.1)
    ends = time.monotonic() + SECONDS
    while "/api/v1/health" not in logged.output and time.monotonic() < ends:
        time.sleep(0.05)
    assert "/api/v1/health" in logged.output
    assert "private" not in logged.output


@pytest.mark.parametrize(
    "host", [b"", b"a b", b"evil.example/x", b"evil.example@localhost", b"[::1", b"a\x00b"]
)
def test_hosts_that_are_none(logged: LiveServer, host: bytes) -> None:
    sent = b"GET /signin HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n"
    found = answers(logged, sent, SECONDS)
    assert found
    assert found[0] < 500
