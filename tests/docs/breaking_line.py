"""A line to a server that breaks in the middle of an analysis."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from urllib.parse import urlsplit

PIECE = 65_536
START = b"POST /api/v1/analyze/stream "


class BreakingLine:
    """Passes on what comes, but hangs up on both sides when an answer to the start of an analysis
    has come to a mark; everything else is passed on to its end.

    :param mark: what is still passed on. Nothing of the answer is, if it is empty.
    :param times: how many answers are cut off; later ones are passed on.
    """

    def __init__(self, url: str, mark: bytes, times: int) -> None:
        target = urlsplit(url)
        self._target = (target.hostname, target.port)
        self._mark = mark
        self._left = times
        self._lock = Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.asked: list[bytes] = []
        """Heads of the requests."""
        Thread(target=self._listen, daemon=True).start()

    @property
    def broken(self) -> bool:
        """Return whether all requested interruptions have happened."""
        return self._left == 0

    def close(self) -> None:
        """Stop listening. Connections end with their clients."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                Thread(target=self._serve, args=(near,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        with near, socket.create_connection(self._target) as far:
            answers = Thread(target=self._answer, args=(far, near), daemon=True)
            answers.start()
            with suppress(OSError):
                while piece := near.recv(PIECE):
                    if piece.startswith((b"GET ", b"POST ")):
                        self.asked.append(piece.partition(b"\r\n\r\n")[0])
                    far.sendall(piece)
            _hang_up(far)
            answers.join()

    def _answer(self, far: socket.socket, near: socket.socket) -> None:
        with suppress(OSError):
            seen = b""
            while piece := far.recv(PIECE):
                if not self._is_to_break():
                    near.sendall(piece)
                    continue
                place = (seen + piece).find(self._mark)
                if place >= 0:
                    near.sendall(piece[: max(0, place + len(self._mark) - len(seen))])
                    self._left -= 1
                    break
                near.sendall(piece)
                seen += piece
        _hang_up(near)

    def _is_to_break(self) -> bool:
        with self._lock:
            return self._left > 0 and self.asked[-1].startswith(START)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def breaking_line(url: str, mark: bytes, times: int) -> Iterator[BreakingLine]:
    """Run such a connection within the block."""
    line = BreakingLine(url, mark, times)
    try:
        yield line
    finally:
        line.close()
