"""The outcome of open connections when a server stops to listen."""

from __future__ import annotations

import socket
from contextlib import ExitStack

import gevent
import gevent.socket
import pytest
from gevent.pool import Pool
from gevent.server import StreamServer

from codeintel.server.worker import Listener

WAITING = 5


@pytest.mark.parametrize(("kind", "answered"), [(Listener, WAITING), (StreamServer, 0)])
def test_who_waits_at_the_door_is_let_in_before_it_shuts(
    kind: type[StreamServer], answered: int
) -> None:
    """gevent's own server is here to show that it would not."""
    listening = gevent.socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    server = kind(listening, handle=lambda client, _: client.sendall(b"hello"), spawn=Pool(10))
    server.start()
    with ExitStack() as stack:
        # Real threads, because they connect while no greenlet runs.
        clients = [
            stack.enter_context(socket.create_connection(server.address, timeout=5))
            for _ in range(WAITING)
        ]
        server.close()
        gevent.sleep(0.01)
        heard = []
        for client in clients:
            try:
                heard.append(client.recv(5))
            except ConnectionResetError:
                continue
    assert heard == [b"hello"] * answered
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.address[1]), timeout=5)
    server.close()  # a second time, as gunicorn may
