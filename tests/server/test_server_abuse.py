"""Attacks of clients on a server that they share with others."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import requests
from server_helpers import key_of

from codeintel.testing.server import LiveServer


def test_an_oversized_body_gets_its_answer(server: LiveServer) -> None:
    key = key_of(server, "large@example.org")
    head = (
        f"POST /api/v1/analyze/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
        "Content-Type: application/json\r\nContent-Length: 52428800\r\n\r\n"
    )
    host, _, port = server.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(head.encode() + b" " * 1000)
        answer = b""
        while b"payload_too_large" not in answer:
            answer += connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"payload_too_large" in answer
    assert b'"limit":1048576,"actual":52428800' in answer


@pytest.mark.alone
def test_a_flood_behind_a_refusal_stops_nobody(server: LiveServer) -> None:
    """Check that the rest of a refused body is discarded in turns with other requests, for a
    while."""
    head = (
        b"POST /api/v1/analyze/stream HTTP/1.1\r\nHost: x\r\n"
        b"Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n"
    )
    host, _, port = server.url.removeprefix("http://").partition(":")
    slowest, flooding = 0.0, threading.Event()

    def flood() -> None:
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            try:
                connection.sendall(head)
                while not flooding.is_set():
                    connection.sendall(b" " * 65_536)
            except OSError:
                flooding.set()  # it was hung up on, as it should be

    attacker = threading.Thread(target=flood)
    attacker.start()
    deadline = time.monotonic() + 10
    while not flooding.is_set() and time.monotonic() < deadline:
        began = time.monotonic()
        assert requests.get(f"{server.url}/api/v1/health", timeout=10).ok
        slowest = max(slowest, time.monotonic() - began)
    assert flooding.is_set(), "the flood was read to the end"
    attacker.join()
    assert slowest < 1


def chunked(*parts: bytes) -> Iterator[bytes]:
    yield from parts


@pytest.mark.parametrize(
    "parts",
    [
        [b'{"code": "x = 1"}', b" " * 2_000_000],
        [b" " * 2_000_000, b'{"code": "x = 1"}'],
    ],
)
def test_chunked_bodies_have_the_same_limit(server: LiveServer, parts: list[bytes]) -> None:
    key = key_of(server, f"chunked-{len(parts[0])}@example.org")
    answer = requests.post(
        f"{server.url}/api/v1/analyze/stream",
        headers={"x-api-key": key, "Content-Type": "application/json"},
        data=chunked(*parts),
        timeout=30,
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "payload_too_large")
    assert server.account(key)["credits"]["balance"] == 100


def test_chunked_bodies_within_the_limit_are_read(server: LiveServer) -> None:
    key = key_of(server, "chunked@example.org")
    answer = requests.post(
        f"{server.url}/api/v1/analyze/stream",
        headers={"x-api-key": key, "Content-Type": "application/json"},
        data=chunked(b'{"code": ', b'"x = 1"}'),
        timeout=30,
    )
    assert b"run.completed" in answer.content
