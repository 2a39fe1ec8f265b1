"""Measure whether an account with one analysis waits for an account with nineteen.

    python benchmarks/fairness.py [--rounds 5]

Starts a separate server on a free port. First, an account analyzes 300 lines alone. Then it does so
repeatedly while another account keeps 19 analyses of 100,000 characters running. Finally, two
accounts send ten analyses each at the same moment. Times are in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import requests
from generated import code_of

from codeintel.testing.server import LiveServer, events

SMALL = {"code": code_of("python", lines=300), "language": "python", "model": "pro"}
LARGE = {"code": code_of("python", characters=100_000), "language": "python", "model": "pro"}


def analyze(url: str, key: str, body: dict[str, Any]) -> float:
    """Seconds until the end of one analysis."""
    started = time.perf_counter()
    headers = {"x-api-key": key}
    with requests.post(
        f"{url}/api/v1/analyze/stream", json=body, headers=headers, stream=True, timeout=300
    ) as answer:
        answer.raise_for_status()
        last = None
        for event in events(answer):
            last = event
    assert last is not None
    assert last["type"] == "run.completed", last
    return time.perf_counter() - started


def beside_a_crowd(url: str, crowd: str, single: str, rounds: int) -> list[float]:
    """Seconds of one account's small analyses while the other's nineteen large ones run."""
    stop = threading.Event()

    def keep_busy() -> None:
        while not stop.is_set():
            analyze(url, crowd, LARGE)

    threads = [threading.Thread(target=keep_busy) for _ in range(19)]
    for thread in threads:
        thread.start()
    time.sleep(2)
    seconds = [analyze(url, single, SMALL) for _ in range(rounds)]
    stop.set()
    for thread in threads:
        thread.join()
    return seconds


def at_once(url: str, keys: list[str]) -> list[list[float]]:
    """Seconds of ten equal analyses of each account, all sent at the same moment."""
    with ThreadPoolExecutor(20) as pool:
        jobs = [[pool.submit(analyze, url, key, SMALL) for _ in range(10)] for key in keys]
        return [[job.result() for job in of_key] for of_key in jobs]


def shown(seconds: list[float]) -> str:
    """Median, and the worst in brackets."""
    return f"{statistics.median(seconds) * 1000:.0f} [{max(seconds) * 1000:.0f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        LiveServer(
            Path(folder), CODEINTEL_TIER_LIMITS_FREE="100000,0", CODEINTEL_RESULT_CACHE="0"
        ) as server,
    ):
        keys = [server.make_key(f"{name}@example.org", "--unlimited") for name in ("a", "b")]
        analyze(server.url, keys[0], SMALL)  # warm
        alone = [analyze(server.url, keys[1], SMALL) for _ in range(options.rounds)]
        print("300 lines alone:                   ", shown(alone))
        crowded = beside_a_crowd(server.url, keys[0], keys[1], options.rounds)
        print("beside 19 of 100,000 characters:   ", shown(crowded))
        for name, seconds in zip("ab", at_once(server.url, keys), strict=True):
            print(f"ten of account {name}, twenty at once: ", shown(seconds))


if __name__ == "__main__":
    main()
