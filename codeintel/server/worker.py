"""gunicorn's gevent worker, with a bound on what it reads for nothing."""

from __future__ import annotations

from typing import Any

import gevent
from gunicorn.workers.ggevent import GeventWorker

UNREAD_BYTES = 8 * 1024 * 1024
UNREAD_SECONDS = 2.0
CHUNK_BYTES = 65_536


class Worker(GeventWorker):
    """Discards the unread rest of a refused request's body itself.

    gunicorn does so without a bound and, as long as bytes keep coming, without letting another
    greenlet run: one connection could stop all others. Reading a little lets honest clients, who
    send all before they listen, see their answer.
    """

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> bool:
        """Serve one request; ends the connection if its body was not read to the end in time.

        :raises StopIteration: which is how gunicorn is told to close it.
        """
        served = super().handle_request(listener_name, req, sock, addr)
        if req.body is not None and not _discard_rest(req.body):
            raise StopIteration
        gevent.sleep(0)  # a client that sends one request behind another must let others come in
        return bool(served)


def _discard_rest(body: Any) -> bool:
    """Whether the end was reached within the bounds."""
    unread = 0
    try:
        with gevent.Timeout(UNREAD_SECONDS):
            while unread < UNREAD_BYTES:
                chunk = body.read(CHUNK_BYTES)
                if not chunk:
                    return True
                unread += len(chunk)
                gevent.sleep(0)  # a read does not let others run while there is something to read
    except gevent.Timeout:
        pass
    return False
