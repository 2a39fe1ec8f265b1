"""Measure the service for honest clients while another client holds as many connections as it can.

    python benchmarks/attacks.py [--forms 4000] [--streams 4000] [--bodies 120] [--seconds 20]

Starts codeintel with its default connection limits and a slow model API. Attacks it in three ways,
in sequence: slow forms without a credential, streams of one account, and bodies of 20 MiB whose
last MiB is never sent. During each attack, an honest client requests the health in a loop. *Let go*
is the number of attacking connections that the server has rejected or closed by the end. Needs as
many file descriptors as connections.
"""

from __future__ import annotations

import argparse
import json
import resource
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import requests
from gateway_parts import servers
from gateway_parts.servers import Service

MIB = 1024 * 1024
BODY_BYTES = 20 * MIB
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
ASK_SECONDS = 0.1
PAUSE_SECONDS = 3.0


class Honest(threading.Thread):
    """Asks again and again, and notes how long each answer took."""

    def __init__(self, url: str, headers: dict[str, str]) -> None:
        super().__init__(daemon=True)
        self._url = url
        self._headers = headers
        self._over = threading.Event()
        self.took: list[float] = []
        self.failed = 0

    def run(self) -> None:
        while not self._over.is_set():
            begun = time.monotonic()
            try:
                answer = requests.get(self._url, headers=self._headers, timeout=30)
                self.failed += not answer.ok
            except requests.RequestException:
                self.failed += 1
            self.took.append(time.monotonic() - begun)
            self._over.wait(ASK_SECONDS)

    def stop(self) -> None:
        """End it, and wait for its last answer."""
        self._over.set()
        self.join(40)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--forms", type=int, default=4_000)
    parser.add_argument("--streams", type=int, default=4_000)
    parser.add_argument("--bodies", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=20.0, help="for which each attack is held")
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 20_000)), hard))
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.upstream(50, 400.0) as api,
        servers.codeintel("codeintel", api, Path(folder) / "0", "", "", evidence=False) as service,
    ):
        heads = ("asked", "failed", "median", "longest", "let go", "memory")
        print(f"{'attack':26}" + "".join(f"{each:>9}" for each in heads))
        attacks: tuple[tuple[str, int, bytes], ...] = (
            ("slow forms", options.forms, head("/theme", 1_000, FORM) + b"theme="),
            ("streams of one account", options.streams, stream(service)),
            ("bodies without an end", options.bodies, body(service)),
        )
        for name, count, sent in attacks:
            row(name, service, lambda c=count, s=sent: held(service, c, s), options.seconds)
            time.sleep(PAUSE_SECONDS)


def head(path: str, length: int, headers: dict[str, str]) -> bytes:
    """The head of a POST request."""
    told = {"Host": "x", "Content-Length": str(length), **headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode()


def stream(service: Service) -> bytes:
    """A whole request for a stream."""
    target = service.targets["paced"]
    content = json.dumps({"code": "x = 1\n", "language": "python", "model": "pro"}).encode()
    told = {**dict(target.headers), "Content-Type": "application/json"}
    return head("/api/v1/analyze/stream", len(content), told) + content


def body(service: Service) -> bytes:
    """The beginning of a large body."""
    told = {**dict(service.targets["paced"].headers), "Content-Type": "application/json"}
    return head("/api/workspace/sync", BODY_BYTES, told)


@contextmanager
def held(service: Service, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Yield the given number of connections that have sent something and wait."""
    host, _, port = address(service).partition(":")
    filler = b" " * MIB if b"/sync" in sent else b""
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            try:
                each = socket.create_connection((host, int(port)), timeout=5)
                opened.append(stack.enter_context(each))
                each.sendall(sent)
                for _ in range(BODY_BYTES // MIB - 1 if filler else 0):
                    each.sendall(filler)
            except OSError:  # it was let go
                continue
        yield opened


def address(service: Service) -> str:
    """Host and port."""
    return service.targets["paced"].url.removeprefix("http://").partition("/")[0]


def row(
    name: str,
    service: Service,
    attack: Callable[[], object],
    seconds: float,
) -> None:
    """Attack, ask meanwhile, and print."""
    url = f"http://{address(service)}/api/v1/health"
    honest = Honest(url, {})
    before = memory(service)
    honest.start()
    most = before
    with attack() as opened:  # type: ignore[attr-defined]
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            most = max(most, memory(service))
            time.sleep(0.5)
        honest.stop()
        let_go = sum(is_let_go(each) for each in opened)
    took = honest.took
    print(
        f"{name:26}{len(took):9}{honest.failed:9}{statistics.median(took) * 1000:7.0f}ms"
        f"{max(took) * 1000:7.0f}ms{let_go:9}  {before // MIB} -> {most // MIB} MiB"
    )


def is_let_go(connection: socket.socket) -> bool:
    """Return whether the server has closed a connection or answered it with an error."""
    connection.setblocking(False)
    try:
        answer = connection.recv(64)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return not answer or b" 429 " in answer or b" 503 " in answer or b" 408 " in answer


def memory(service: Service) -> int:
    """Bytes that the worker has in memory."""
    return int(Path(f"/proc/{service.worker}/statm").read_text().split()[1]) * 4_096


if __name__ == "__main__":
    main()
