"""What a search costs over the registries that it asks.

    python benchmarks/search.py [--connections 1 20] [--seconds 4] [--rounds 2] [--json]

Starts, on loopback and with one worker each, registries that answer at once, codeintel over them
and a bare Flask application under gunicorn's gevent worker, which sends the document that codeintel
sends and looks at nothing. The same load is put on them by turns, so that what else the machine
does hits all; each client asks again when it has its answer, on the same connection.

A `cached` search is always the same one, and the bare application sends the document at once. A
`new` one has never been asked before; the bare application fetches the same three answers with
urllib3 first, or with requests, which codeintel uses. Processor time (`cpu`) is that of the web
worker for a request. `over` is what of it goes to neither the document nor the three fetches: for a
cached search all that sending the document does not take, for a new one all that the fetches do
not take.
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
    """All that is measured; the bare application with urllib3 is the last."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    upstream = stack.enter_context(servers.registries())
    found = stack.enter_context(servers.codeintel(upstream, folder / "instance"))
    return [*found, *stack.enter_context(servers.bare(upstream, found[0], folder))]


def measure(
    services: list[Service], kind: str, connections: int, seconds: float, rounds: int
) -> list[Measured]:
    """One load on all that take it, by turns; every other round the other way round."""
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
