"""The state and the limits of the connection of a request."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from flask import Flask, Request

from codeintel.http import streams
from codeintel.http.streams import client_is_gone, limit_writes

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    server, client = socket.socketpair()
    with server, client:
        yield server, client


def request_over(server: socket.socket | None) -> Request:
    with Flask("x").test_request_context(environ_overrides={"gunicorn.socket": server}) as context:
        return context.request


def test_a_client_is_there_until_it_hangs_up(pair: Pair) -> None:
    server, client = pair
    is_gone = client_is_gone(request_over(server))
    assert not is_gone()
    client.send(b"the next request")
    assert not is_gone()
    client.close()
    assert is_gone()


def test_a_socket_closed_on_this_side_is_gone_too(pair: Pair) -> None:
    server, _ = pair
    is_gone = client_is_gone(request_over(server))
    server.close()
    assert is_gone()


def test_a_server_that_hides_the_socket_tells_nothing() -> None:
    request = request_over(None)
    assert not client_is_gone(request)()
    limit_writes(request)


def test_a_client_that_takes_nothing_is_given_up_on(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "WRITE_SECONDS", 0.05)
    server, _ = pair
    limit_writes(request_over(server))
    with pytest.raises(TimeoutError):
        server.sendall(b"x" * 50_000_000)
