"""Measure what the service adds to the cost of forwarding a model's answer.

    python benchmarks/gateway.py [--connections 1 20 100 500] [--seconds 4] [--rounds 2]
        [--only instant|paced] [--evidence] [--database URL] [--redis URL] [--json]

Starts three servers on loopback, with one worker each: a model API that costs almost nothing, a
bare Flask relay of it, and codeintel over it. codeintel checks a key, limits, and a finite balance
from which each run is reserved and settled, and keeps a log of each run. The servers get the same
load alternately, so that other work of the machine affects all of them. Each client sends the next
request when its stream has ended.

An answer has 50 chunks. They come all together, or paced: a chunk every 20 ms, only with 100 or
more connections. Times are in milliseconds from sending the request on an open connection. The
relay's first event is the model's first text, whereas codeintel sends an event before it calls the
model. Processor time is the share of a stream, for the web worker and for the whole process tree.
Memory is the peak since the load began.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

from gateway_parts import servers, use_fast_loop
from gateway_parts.cost import cost, forget_peaks
from gateway_parts.load import Load
from gateway_parts.report import Measured, show

CONNECTIONS = (1, 20, 100, 500)
FEWEST_PACED = 100
CHUNKS = 50
PACED_MILLISECONDS = 20.0
WARM_SECONDS = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--connections", type=int, nargs="+", default=CONNECTIONS)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measure")
    parser.add_argument("--rounds", type=int, default=2, help="of all services, one by one")
    parser.add_argument("--only", choices=("instant", "paced"))
    parser.add_argument("--evidence", action="store_true", help="also with analyzers first")
    parser.add_argument("--database", default="", help="URL; SQLite by default")
    parser.add_argument("--redis", default="", help="URL; none by default")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    use_fast_loop()
    rows = []
    with ExitStack() as stack:
        services = start(stack, options)
        for kind, connections in loads(options):
            print(f"{kind}, {connections} connections", file=sys.stderr, flush=True)
            found = measure(services, kind, connections, options.seconds, options.rounds)
            rows += [each.row(found[-1]) for each in found]
    show(rows, as_json=options.json)


def start(stack: ExitStack, options: argparse.Namespace) -> list[servers.Service]:
    """Start all services to measure. The relay is the last."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    api = stack.enter_context(servers.upstream(CHUNKS, PACED_MILLISECONDS))
    kinds = {"codeintel": False} | ({"codeintel, evidence": True} if options.evidence else {})
    found = [
        stack.enter_context(
            servers.codeintel(
                name,
                api,
                folder / str(number),
                options.database,
                options.redis,
                evidence=evidence,
            )
        )
        for number, (name, evidence) in enumerate(kinds.items())
    ]
    return [*found, stack.enter_context(servers.relay(api))]


def loads(options: argparse.Namespace) -> Iterator[tuple[str, int]]:
    """Kinds of answers and numbers of connections."""
    kinds = [options.only] if options.only else ["instant", "paced"]
    for kind, connections in product(kinds, options.connections):
        if kind == "instant" or connections >= FEWEST_PACED or options.only:
            yield kind, connections


def measure(
    services: list[servers.Service], kind: str, connections: int, seconds: float, rounds: int
) -> list[Measured]:
    """Put one load on all services alternately. Every second round has the reverse order."""
    found = [Measured(kind, connections, service.name) for service in services]
    for number in range(rounds):
        for service, measured in list(zip(services, found, strict=True))[:: (-1) ** number]:
            forget_peaks(service.root)
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
