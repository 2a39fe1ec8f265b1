"""Run thousands of paced streams on one worker. Check that all are complete, and how late they
are."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

import requests
from gateway_parts.client import Target
from gateway_parts.cost import cost
from gateway_parts.servers import CODE, upstream

from soak.leftovers import check_books
from soak.service import Service, running_service
from soak.stream_client import StreamClient
from soak.verdict import Verdict, percentile

RAMP_RATE = 60.0
"""Streams that begin in a second: each costs transactions of the database."""
HELD_SECONDS = 45.0
"""The time for which all streams are open."""
LIST_CHUNKS = 3
"""Of these, the last ones are the list of findings, which is not passed on as text."""
END_SECONDS = 600.0
FIRST_EVENT_SECONDS = 2.0
LATE_SECONDS = 1.0
"""How much later than the model sent it a piece may come, of 99 in 100."""
HEALTH_SECONDS = 2.0


@dataclass(frozen=True)
class Crowd:
    """The results of a number of clients. `most` is the largest number of open streams."""

    clients: list[StreamClient]
    most: int
    health: list[float]


def soak_streams(folder: Path, streams: int, pace: float, verdict: Verdict) -> None:
    """Read the given number of streams in parallel, each with `pace` pieces per second."""
    chunks = round(pace * (streams / RAMP_RATE + HELD_SECONDS))
    with ExitStack() as stack:
        api = stack.enter_context(upstream(chunks, 1000 / pace))
        more = {
            "CODEINTEL_AI_BASE_URL": api,
            "CODEINTEL_AI_MODEL_FLASH": "paced",
            "CODEINTEL_AI_STATIC_EVIDENCE": "false",
            "CODEINTEL_AI_FALLBACK_STATIC": "false",
            "CODEINTEL_RESULT_CACHE": "0",
            "CODEINTEL_ANALYSIS_QUEUE": str(streams + 100),
            "CODEINTEL_RUN_TIMEOUT": "600",
        }
        service = stack.enter_context(running_service(folder, **more))
        key = service.account("streams@example.org").key
        body = json.dumps({"language": "python", "code": CODE}).encode()
        url = f"{service.url}/api/v1/analyze/stream"
        target = Target(url, {"x-api-key": key}, body, b"", b"")
        before, begin = cost(service.workers[0], service.root), perf_counter()
        crowd = asyncio.run(_read(target, streams, service.url))
        seconds = perf_counter() - begin
        after = cost(service.workers[0], service.root)
        _tell(verdict, crowd, streams, pace, chunks - LIST_CHUNKS)
        verdict.tell(
            "streams: processor of the worker", (after.cpu - before.cpu) / seconds, "cores"
        )
        verdict.tell("streams: memory of the worker, greatest", after.peak, "MiB")
        _check_books(verdict, service, streams)
        verdict.nothing(
            "streams: warnings in the log", service.complaints("WARNING", "ERROR", "CRITICAL")
        )


async def _read(target: Target, streams: int, url: str) -> Crowd:
    loop = asyncio.get_running_loop()
    clients: list[StreamClient] = []
    health: list[float] = []
    is_over = asyncio.Event()
    open_, most = 0, 0

    def end(client: StreamClient) -> None:
        nonlocal open_
        open_ -= 1
        clients.append(client)
        if len(clients) == streams:
            is_over.set()

    async def watch() -> None:
        while not is_over.is_set():
            begin = perf_counter()
            answer = await asyncio.to_thread(requests.get, f"{url}/api/v1/health", timeout=60)
            answer.raise_for_status()
            health.append(perf_counter() - begin)
            await asyncio.sleep(1)

    watching = asyncio.create_task(watch())
    parts = urlsplit(target.url)
    begin = perf_counter()
    for number in range(streams):
        await loop.create_connection(
            lambda: StreamClient(target, end), str(parts.hostname), parts.port
        )
        open_ += 1
        most = max(most, open_)
        await asyncio.sleep(max(0, begin + number / RAMP_RATE - perf_counter()))
    await asyncio.wait_for(is_over.wait(), END_SECONDS)
    await watching
    return Crowd(clients, most, health)


def _tell(verdict: Verdict, crowd: Crowd, streams: int, pace: float, words: int) -> None:
    said = [f"word{number}" for number in range(words)]
    wrong = [client.error for client in crowd.clients if client.error]
    wrong += [
        f"{len(client.text.split())} words of {words}"
        for client in crowd.clients
        if not client.error and client.text.split() != said
    ]
    verdict.tell("streams: open at once", crowd.most)
    verdict.nothing("streams: not whole", wrong)
    if crowd.most < streams:
        verdict.broken.append(f"only {crowd.most} of {streams} streams were open at once")
    deltas = sum(len(client.deltas) for client in crowd.clients)
    verdict.tell("streams: pieces", f"{deltas:,}")
    first = sorted(client.first_event - client.asked for client in crowd.clients)
    gaps = sorted(
        later - earlier for client in crowd.clients for earlier, later in pairwise(client.deltas)
    )
    late = [_lateness(client.deltas, words / pace) for client in crowd.clients]
    verdict.tell("streams: first event, p50", percentile(first, 0.5) * 1000, "ms")
    verdict.at_most(
        "streams: first event, p99",
        percentile(first, 0.99) * 1000,
        FIRST_EVENT_SECONDS * 1000,
        "ms",
    )
    verdict.tell("streams: between pieces, p50", percentile(gaps, 0.5) * 1000, "ms")
    verdict.at_most(
        "streams: between pieces, p99",
        percentile(gaps, 0.99) * 1000,
        (1 / pace + LATE_SECONDS) * 1000,
        "ms",
    )
    verdict.tell("streams: behind the model at the end, p99", percentile(sorted(late), 0.99), "s")
    health = sorted(crowd.health)
    verdict.tell("streams: health meanwhile, p50", percentile(health, 0.5) * 1000, "ms")
    verdict.at_most(
        "streams: health meanwhile, longest", health[-1] * 1000, HEALTH_SECONDS * 1000, "ms"
    )


def _lateness(moments: list[float], seconds: float) -> float:
    """Return how much longer all pieces took than at the model."""
    return moments[-1] - moments[0] - seconds if moments else float("nan")


def _check_books(verdict: Verdict, service: Service, streams: int) -> None:
    books = service.books()
    check_books(verdict, "streams", books)
    charged = sum(1 for run in books.runs.values() if run.charged)
    verdict.nothing(
        "streams: not charged once",
        [] if charged == len(books.runs) == streams else [f"{charged} of {streams} were charged"],
    )
