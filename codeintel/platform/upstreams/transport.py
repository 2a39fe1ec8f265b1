"""Connections with which no registry can block a worker, regardless of what and how it sends."""

from __future__ import annotations

import io
import logging
import socket
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse as Answer
from typing import Any

import gevent
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NameResolutionError

HEAD_BYTES = 65_536
"""Limit for all headers of an answer, including those of interim answers before it."""
WIRE_BYTES = 16 * 1024 * 1024
"""Limit for its body as it is sent. The reader limits its unpacked size."""
READ_BYTES = 16_384

# It logs whole URLs in warnings, and search queries do not belong in a log.
logging.getLogger("urllib3").setLevel(logging.ERROR)


class Stale(ConnectionResetError):  # noqa: N818 - says what happened
    """Raised when the registry closed a kept-alive connection just as it was reused.

    It has not answered, so the request can be sent again.
    """


class Adapter(HTTPAdapter):
    """An adapter for sessions with only the connections below, also to a proxy."""

    def init_poolmanager(self, *args: Any, **more: Any) -> None:
        super().init_poolmanager(*args, **more)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, proxy: str, **more: Any) -> Any:
        manager = super().proxy_manager_for(proxy, **more)
        if not proxy.lower().startswith("socks"):
            manager.pool_classes_by_scheme = _POOLS
        return manager


class _Bytes(io.RawIOBase):
    """The bytes that a socket receives, up to a limit.

    While there is something to read, gevent switches to no other greenlet and no timeout. A fast
    sender of much data must not stop the others.
    """

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw
        self.left = HEAD_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        gevent.sleep(0)
        if self.left <= 0:
            raise HTTPException("too much")
        count = self._raw.readinto(buffer)
        self.left -= count or 0
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Answer(Answer):
    """Python's own response with limits.

    It skips all interim answers, while Python's skips one.
    """

    def __init__(self, sock: socket.socket, *args: Any, **more: Any) -> None:
        super().__init__(sock, *args, **more)
        self._bytes = _Bytes(self.fp.detach())
        self.fp = io.BufferedReader(self._bytes, READ_BYTES)

    def begin(self) -> None:
        super().begin()
        while self.status < HTTPStatus.OK:
            if self.status == HTTPStatus.SWITCHING_PROTOCOLS:
                raise HTTPException("another protocol")
            self.headers = None  # type: ignore[assignment] # which is how it knows: not yet begun
            super().begin()
        self._bytes.left += WIRE_BYTES


class _Connection(HTTPConnection):
    response_class = _Answer
    _has_answered = False

    def connect(self) -> None:
        self._has_answered = False
        super().connect()

    def getresponse(self) -> Any:
        try:
            response = super().getresponse()
        except ConnectionError:
            if self._has_answered:
                raise Stale from None
            raise
        self._has_answered = True
        return response

    def _new_conn(self) -> socket.socket:
        error = _look_up(self.host, self.port)
        if error is not None:
            raise NameResolutionError(self.host, self, error) from error
        return super()._new_conn()


class _SafeConnection(_Connection, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SafePool(HTTPSConnectionPool):
    ConnectionCls = _SafeConnection


_POOLS = {"http": _Pool, "https": _SafePool}
_look_ups: dict[tuple[Any, str, int | None], gevent.Greenlet[..., socket.gaierror | None]] = {}


def _look_up(host: str, port: int | None) -> socket.gaierror | None:
    """Wait until a name can be looked up, or not.

    A resolver that hangs blocks a thread long after the search has ended, and gevent has ten. So
    one thread waits for all searches of a host.
    """
    key = (gevent.get_hub(), host, port)
    job = _look_ups.get(key)
    if job is None:

        def work() -> socket.gaierror | None:
            try:
                host.encode("idna")  # in the thread, gevent would log that it failed
                socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            except socket.gaierror as error:
                return error
            except UnicodeError:  # an invalid name, which the connection itself reports
                return None
            finally:
                del _look_ups[key]
            return None

        job = _look_ups[key] = gevent.spawn(work)
    return job.get()
