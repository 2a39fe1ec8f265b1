"""Measure how fast analyses answer, and whether the service answers other requests meanwhile.

    python benchmarks/analysis.py [--runs 20] [--language NAME ...] [--json]

Starts a separate server on a free port. Sends generated code of 300 lines and of 100,000 characters
in each language, to both models. During each analysis, a loop requests the health. Times are
medians in milliseconds, from sending the request on an open connection. The worst times are in
parentheses.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from itertools import product
from pathlib import Path
from typing import Any

import requests
from generated import TEMPLATES, code_of

from codeintel.testing.server import LiveServer, events


class HealthLoop(threading.Thread):
    """Asks for the health until told to stop."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = f"{url}/api/v1/health"
        self._stop_asking = threading.Event()
        self.seconds: list[float] = []

    def run(self) -> None:
        with requests.Session() as session:
            while not self._stop_asking.wait(0.005):
                started = time.perf_counter()
                session.get(self._url, timeout=10).raise_for_status()
                self.seconds.append(time.perf_counter() - started)

    def stop(self) -> None:
        self._stop_asking.set()
        self.join()


def analyze(session: requests.Session, url: str, body: dict[str, Any]) -> dict[str, float]:
    """Seconds until the first event, the first finding and the end."""
    started, seen = time.perf_counter(), {}
    with session.post(f"{url}/api/v1/analyze/stream", json=body, stream=True, timeout=60) as answer:
        answer.raise_for_status()
        for event in events(answer):
            now = time.perf_counter() - started
            seen.setdefault("first_event", now)
            if event["type"] == "finding":
                seen.setdefault("first_finding", now)
            seen["end"] = now
    assert event["type"] == "run.completed", event
    return seen


def measure(url: str, key: str, body: dict[str, Any], runs: int) -> dict[str, list[float]]:
    """Return the milliseconds of `runs` analyses, and of the health requests during them."""
    health = HealthLoop(url)
    collected: dict[str, list[float]] = {"first_event": [], "first_finding": [], "end": []}
    with requests.Session() as session:
        session.headers["x-api-key"] = key
        analyze(session, url, body)  # warm
        health.start()
        for _ in range(runs):
            for name, seconds in analyze(session, url, body).items():
                collected[name].append(seconds * 1000)
        health.stop()
    return {**collected, "health": [seconds * 1000 for seconds in health.seconds]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--language", nargs="+", choices=sorted(TEMPLATES))
    options = parser.parse_args()
    sizes = {"300 lines": {"lines": 300}, "100,000 characters": {"characters": 100_000}}
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        LiveServer(
            Path(folder), CODEINTEL_TIER_LIMITS_FREE="100000,0", CODEINTEL_RESULT_CACHE="0"
        ) as server,
    ):
        key = server.make_key("benchmark@example.org", "--unlimited")
        for language in options.language or TEMPLATES:
            for (size, length), model in product(sizes.items(), ("flash", "pro")):
                code = code_of(language, **length)
                body = {"code": code, "language": language, "model": model}
                times = measure(server.url, key, body, options.runs)
                row = {"language": language, "input": size, "model": model, **summary(times)}
                rows.append(row)
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print(f"{row.pop('language'):12}{row.pop('input'):20}{row.pop('model'):7}", end="")
        print("  ".join(f"{name} {value}" for name, value in row.items()))


def summary(times: dict[str, list[float]]) -> dict[str, str]:
    """Medians with the worst in brackets; of the health the 99th percentile."""
    health = sorted(times.pop("health"))
    found = {
        name: f"{statistics.median(values):.0f} [{max(values):.0f}]"
        for name, values in times.items()
    }
    return {**found, "health_p99": f"{health[int(len(health) * 0.99)]:.1f}"}


if __name__ == "__main__":
    main()
