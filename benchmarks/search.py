"""Measure what a search costs in addition to the requests to registries.

    python benchmarks/search.py [--connections 1 20] [--seconds 4] [--rounds 2] [--json]

Starts on loopback, with one worker each: registries that answer immediately, codeintel over them,
and a bare Flask application under gunicorn's gevent worker. The bare application sends the same
document as codeintel and checks nothing. The servers get the same load alternately, so that other
work of the machine affects all of them. Each client sends its next request when it has its answer,
on the same connection.

A `cached` search is always the same, and the bare application sends the document immediately. A
`new` search is different each time. For it, the bare application fetches the same three answers
first, with urllib3 or with requests, which codeintel uses. Processor time (`cpu`) is that of the
web worker per request. `over` is the part of it that the bare application does not need: for a
cached search to send the document, and for a new search to fetch the three answers.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from gateway_parts import use_fast_loop
from gateway_parts.cost import cost
from gateway_parts.report import Measured
from gateway_parts.servers import Service
from search_parts import servers
from search_parts.load import Load
from search_parts.report import Row, rows, show

CONNECTIONS = (1, 20)
WARM_SECONDS = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--connections", type=int, nargs="+", default=CONNECTIONS)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measure")
    parser.add_argument("--rounds", type=int, default=2, help="of all services, one by one")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    use_fast_loop()
    found: list[Row] = []
    with ExitStack() as stack:
        services = start(stack)
        for connections in options.connections:
            print(f"{connections} connections", file=sys.stderr, flush=True)
            found += rows(
                *(
                    measure(services, kind, connections, options.seconds, options.rounds)
                    for kind in (servers.CACHED, servers.NEW)
                )
            )
    show(found, as_json=options.json)


def start(stack: ExitStack) -> list[Service]:
    """Start all services to measure. The bare application with urllib3 is the last."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    upstream = stack.enter_context(servers.registries())
    found = stack.enter_context(servers.codeintel(upstream, folder / "instance"))
    return [*found, *stack.enter_context(servers.bare(upstream, found[0], folder))]


def measure(
    services: list[Service], kind: str, connections: int, seconds: float, rounds: int
) -> list[Measured]:
    """Put one load on all services that accept it, alternately. Every second round is reversed."""
    taking = [service for service in services if kind in service.targets]
    found = [Measured(kind, connections, service.name) for service in taking]
    for number in range(rounds):
        for service, measured in list(zip(taking, found, strict=True))[:: (-1) ** number]:
            load = Load(service.targets[kind], connections)
            measured.add(
                *asyncio.run(
                    load.measure(
                        WARM_SECONDS,
                        seconds,
                        lambda of=service: cost(of.worker, of.root),  # type: ignore[misc]
                    )
                )
            )
    return found


if __name__ == "__main__":
    main()
