"""Connections of one address over its limit: refused before anything of them is read."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest
from flask import Flask
from gunicorn.workers.ggevent import GeventWorker
from support import MakeApp

from codeintel.server.worker import Worker


@pytest.fixture
def limited(make_app: MakeApp) -> Flask:
    return make_app(
        {
            "CODEINTEL_MAX_CONNECTIONS_PER_ADDRESS": 2,
            "CODEINTEL_TRUSTED_PROXIES": "10.0.0.0/8",
        }
    )


class Door:
    """A worker at which connections arrive while others are open."""

    def __init__(self, app: Flask, patch: pytest.MonkeyPatch) -> None:
        self.worker = Worker.__new__(Worker)
        self.worker.wsgi = app
        self.deepest = 0
        self.refused: list[bytes] = []
        self._left: list[str] = []
        patch.setattr(GeventWorker, "handle", self._served)

    def arrive(self, *addresses: str) -> None:
        """Check parallel arrivals, each while the earlier ones are open."""
        self._left = list(addresses)
        self._next()

    def _next(self) -> None:
        if not self._left:
            return
        address = self._left.pop(0)
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.sendall(b"GET / HTTP/1.1\r\n")
            before = self.deepest
            self.worker.handle(None, theirs, (address, 1))
            if self.deepest == before:
                ours.settimeout(2)
                self.refused.append(ours.recv(65_536))
                self._next()

    def _served(self, *_: Any) -> None:
        self.deepest += 1
        self._next()


@pytest.mark.parametrize(
    ("addresses", "refused"),
    [
        (["192.0.2.1"] * 2, 0),
        (["192.0.2.1"] * 4, 2),
        (["192.0.2.1", "192.0.2.1", "192.0.2.2"], 0),
        (["2001:db8::1", "2001:db8::2", "2001:db8::3"], 1),
        (["127.0.0.1"] * 5, 0),
        (["10.1.2.3"] * 5, 0),
    ],
)
def test_an_address_has_so_many(
    limited: Flask, monkeypatch: pytest.MonkeyPatch, addresses: list[str], refused: int
) -> None:
    door = Door(limited, monkeypatch)
    for _ in range(2):  # all slots are released
        door.arrive(*addresses)
        assert limited.extensions["codeintel"].concurrency.connections.total == 0
    assert (len(door.refused), door.worker.connections) == (2 * refused, 0)
    for answer in door.refused:
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ")
        assert b"\r\nRetry-After: 5" in head and b"\r\nConnection: close" in head
        error = json.loads(body)["error"]
        assert (error["code"], error["details"]["limit"]) == ("rate_limit_exceeded", 2)
