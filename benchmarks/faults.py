"""Measure what a fault of one part costs the others: three nodes over PostgreSQL and Redis.

    python benchmarks/faults.py [--clients 12] [--seconds 10] [--stop 30] [--only NAME ...]

Clients of one account run analyses of two seconds, each at the next node. If a client gets no
answer in time or is rejected, it continues at the next node, as with a load balancer. The faults
are caused and repaired in sequence. Prints a table. Exits with 1 if a stream had no last event or a
gap, or if the ledger does not add up.
"""

from __future__ import annotations

import argparse
import itertools
import os
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import redis
import requests
import soak  # after this import, the tests' modules can be imported
from many_nodes import Installation, running_installation
from many_nodes_use import user_of
from server_books import TERMINAL, Books
from server_helpers import PATIENCE, Stream, eventually
from servers import PostgresServer, RedisServer, running

from codeintel.testing.server import LiveServer

assert soak.TESTS
SILENT_SECONDS = 5.0
"""A piece comes every 50 ms: a client takes a node that says nothing for so long for lost."""
CALM_SECONDS = 4.0
PAUSE_SECONDS = 0.2
RUN_SECONDS = 2.0
LEASE_SECONDS = 20
"""So long the clients of a node that is gone wait for the end of their runs."""
HEAD = (
    "| fault | runs | cut | refused | no last event | gaps | median wait | longest | ledger |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


@dataclass
class Seen:
    """The results of all clients under one fault."""

    ends: Counter[str] = field(default_factory=Counter)
    refused: Counter[int] = field(default_factory=Counter)
    cuts: int = 0
    lost: int = 0
    """Runs without a last event."""
    gaps: int = 0
    waits: list[float] = field(default_factory=list)
    """Seconds from a request to a run's first event, however many nodes it took."""


class Client:
    """A client that runs analyses until it is stopped."""

    def __init__(self, nodes: list[LiveServer], key: str, number: int, seen: Seen) -> None:
        self._nodes = itertools.cycle(nodes[number % len(nodes) :] + nodes[: number % len(nodes)])
        self._key, self._number, self._seen = key, number, seen

    def work(self, over: threading.Event) -> None:
        for number in itertools.count():
            if over.is_set():
                return
            self._run(f"{self._number}-{number}-{time.monotonic_ns()}")

    def _run(self, request_key: str) -> None:
        began, begun = time.monotonic(), 0.0
        run_id, frames, last = "", 0, ""
        node = next(self._nodes)
        while last not in TERMINAL and time.monotonic() < began + 2 * PATIENCE:
            stream, answered = self._ask(node, request_key, run_id, frames)
            if stream is not None:
                with stream.response:
                    stream.read()
            if stream is None or not stream.frames:
                node = next(self._nodes)
                time.sleep(PAUSE_SECONDS)
                continue
            begun = begun or answered
            events = stream.events
            numbers = [each["sequence"] for each in events]
            self._seen.gaps += numbers != list(range(frames + 1, frames + 1 + len(numbers)))
            run_id, frames, last = events[0]["runId"], numbers[-1], events[-1]["type"]
            if last not in TERMINAL:
                self._seen.cuts += 1
                node = next(self._nodes)
        self._seen.ends[last if last in TERMINAL else "lost"] += 1
        self._seen.lost += last not in TERMINAL
        self._seen.waits.append((begun or time.monotonic()) - began)

    def _ask(
        self, node: LiveServer, request_key: str, run_id: str, frames: int
    ) -> tuple[Stream | None, float]:
        """Start a run or read it on, and when it was answered; None if it was not, or refused."""
        headers = {"Authorization": f"Bearer {self._key}"}
        timeout = (2.0, SILENT_SECONDS)
        with suppress(requests.RequestException):
            if run_id:
                headers["Last-Event-ID"] = str(frames)
                url = f"{node.url}/api/v1/runs/{run_id}/events"
                answer = requests.get(url, headers=headers, stream=True, timeout=timeout)
            else:
                headers["Idempotency-Key"] = request_key
                answer = requests.post(
                    f"{node.url}/api/v1/analyze/stream",
                    headers=headers,
                    json={"code": "x = 1\n", "language": "python", "prompt": str(RUN_SECONDS)},
                    stream=True,
                    timeout=timeout,
                )
            if answer.ok:
                return Stream(answer), time.monotonic()
            self._seen.refused[answer.status_code] += 1
            answer.close()
        return None, 0.0


class Faults:
    """The faults that an installation can have, by name. Each ends with its block."""

    def __init__(
        self, many: Installation, postgres: PostgresServer, shared: RedisServer, seconds: float,
        stop: float,
    ) -> None:  # fmt: skip
        self._many, self._postgres, self._redis = many, postgres, shared
        self._seconds, self._stop = seconds, stop

    def all(self) -> dict[str, Callable[[], None]]:
        return {
            "nothing": lambda: time.sleep(self._seconds),
            "a node is killed": self._kill_node,
            f"a node is stopped for {self._stop:g} s": self._stop_node,
            "PostgreSQL hangs": lambda: self._hang(self._postgres),
            "PostgreSQL is killed": lambda: self._kill(self._postgres),
            "Redis hangs": lambda: self._hang(self._redis),
            "Redis is killed": lambda: self._kill(self._redis),
            "Redis is full": self._fill,
        }

    def _kill_node(self) -> None:
        node = self._many.nodes[0]
        node.kill_all()
        time.sleep(self._seconds)
        node.start()

    def _stop_node(self) -> None:
        node = self._many.nodes[1]
        pids = (node.process.pid, *node.worker_pids())
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(self._stop)
        for pid in pids:
            os.kill(pid, signal.SIGCONT)

    def _hang(self, server: PostgresServer | RedisServer) -> None:
        server.hang()
        time.sleep(self._seconds)
        server.resume()

    def _kill(self, server: PostgresServer | RedisServer) -> None:
        server.kill()
        time.sleep(self._seconds)
        server.start()

    def _fill(self) -> None:
        with redis.Redis.from_url(self._redis.url) as client:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", "1")
            time.sleep(self._seconds)
            client.config_set("maxmemory", "0")


@contextmanager
def clients(nodes: list[LiveServer], key: str, count: int, seen: Seen) -> Iterator[None]:
    """Run the given number of clients within the block, and wait for their end after it."""
    over = threading.Event()
    threads = [
        threading.Thread(target=Client(nodes, key, number, seen).work, args=(over,), daemon=True)
        for number in range(count)
    ]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        over.set()
        for each in threads:
            each.join(3 * PATIENCE)


def told(name: str, seen: Seen, problem: str) -> str:
    ends = ", ".join(f"{count} {end.removeprefix('run.')}" for end, count in seen.ends.items())
    refused = ", ".join(f"{count}x {status}" for status, count in seen.refused.items()) or "none"
    median = sorted(seen.waits)[len(seen.waits) // 2] if seen.waits else 0.0
    return (
        f"| {name} | {ends} | {seen.cuts} | {refused} | {seen.lost} | {seen.gaps} "
        f"| {median:.2f} | {max(seen.waits, default=0):.2f} | {problem or 'adds up'} |"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each fault")
    parser.add_argument("--stop", type=float, default=30.0, help="for which a node is stopped")
    parser.add_argument("--only", nargs="*", default=[], help="faults whose names have this")
    options = parser.parse_args()
    is_broken = False
    postgres, shared = PostgresServer(), RedisServer()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-"))
        stack.enter_context(running(postgres))
        stack.enter_context(running(shared))
        many = stack.enter_context(
            running_installation(
                Path(folder), postgres.url, shared.url, CODEINTEL_HOLD_TTL=str(LEASE_SECONDS)
            )
        )
        key = user_of(many, "faults", credits_=10_000_000).token
        print(HEAD)
        faults = Faults(many, postgres, shared, options.seconds, options.stop).all()
        for name, cause in faults.items():
            if options.only and not any(each in name for each in options.only):
                continue
            seen = Seen()
            with clients(many.nodes, key, options.clients, seen):
                time.sleep(CALM_SECONDS)
                cause()
                time.sleep(CALM_SECONDS)
            eventually(lambda: not Books(postgres.url).running, 2 * LEASE_SECONDS)
            problem = ""
            try:
                Books(postgres.url).check()
            except AssertionError as error:
                problem = f"BROKEN: {error}"[:200]
            is_broken |= bool(problem or seen.lost or seen.gaps)
            print(told(name, seen, problem), flush=True)
    sys.exit(is_broken)


if __name__ == "__main__":
    main()
