"""A line between a browser and a server that can be cut, as networks do."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from urllib.parse import urlsplit

PIECE = 65_536


class CutLine:
    """Passes on what comes to its own address, until it is cut."""

    def __init__(self, url: str) -> None:
        target = urlsplit(url)
        self._target = (target.hostname, target.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self._threads: list[Thread] = []
        self._lock = Lock()
        self._is_cut = False

    def cut(self) -> None:
        """Break all connections, and each new one."""
        with self._lock:
            self._is_cut = True
            for each in self._open:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Accept new connections again."""
        self._is_cut = False

    def start(self) -> None:
        """Listen."""
        self._begin(self._listen)

    def close(self) -> None:
        """Stop listening, and everything that was passed on."""
        self.cut()
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in [self._listener, *self._open]:
            each.close()

    def _begin(self, work: Callable[..., None], *arguments: socket.socket) -> None:
        thread = Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._is_cut:
                    near.close()
                    continue
                far = socket.create_connection(self._target)
                with self._lock:
                    self._open += [near, far]
                self._begin(_pass_on, near, far)
                self._begin(_pass_on, far, near)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(PIECE):
            target.sendall(piece)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


@contextmanager
def cut_line(url: str) -> Iterator[CutLine]:
    """Run a line to a server within the block."""
    line = CutLine(url)
    line.start()
    try:
        yield line
    finally:
        line.close()
