"""The figures of a search, and printing them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gateway_parts.report import Measured

HEADINGS = (
    ("search", 8), ("conns", 6), ("service", 16), ("requests/s", 11), ("of bare", 8),
    ("p50 ms", 8), ("p99 ms", 8), ("cpu ms", 8), ("over ms", 8),
)  # fmt: skip
Row = dict[str, object]


def rows(cached: Sequence[Measured], new: Sequence[Measured]) -> list[Row]:
    """The figures of one load; the last of each kind is the bare application.

    What a new search costs over its upstreams is all of its processor time but that of three
    fetches; they cost the bare application what it needs more than for a document without them.
    """
    document = cpu(cached[-1])
    fetches = cpu(new[-1]) - document
    return [
        *(_row(each, cached[-1], cpu(each) - document) for each in cached),
        *(_row(each, new[-1], cpu(each) - fetches) for each in new),
    ]


def cpu(measured: Measured) -> float:
    """Processor time of the worker for a request, in milliseconds."""
    return measured.cpu * 1000 / max(1, len(measured.complete))


def _row(measured: Measured, bare: Measured, over: float) -> Row:
    times = sorted(sample.total for sample in measured.complete)
    return {
        "search": measured.upstream,
        "connections": measured.connections,
        "service": measured.service,
        "requests_per_second": round(measured.rate, 1),
        "of_bare": round(measured.rate / bare.rate, 2) if bare.rate else None,
        "p50": _milliseconds(times, 0.5),
        "p99": _milliseconds(times, 0.99),
        "worker_cpu_per_request": round(cpu(measured), 2),
        "over": round(over, 2),
        "errors": measured.errors,
    }


def _milliseconds(ordered: Sequence[float], share: float) -> float | None:
    return round(ordered[int((len(ordered) - 1) * share)] * 1000, 1) if ordered else None


def show(found: Sequence[Row], *, as_json: bool) -> None:
    """Print the figures, as a table or for programs."""
    if as_json:
        print(json.dumps(found, indent=2))
        return
    print("".join(name.ljust(width) for name, width in HEADINGS).rstrip())
    for row in found:
        *figures, errors = row.values()
        line = "".join(
            ("-" if value is None else str(value)).ljust(width)
            for value, (_, width) in zip(figures, HEADINGS, strict=True)
        )
        print(f"{line} failed: {errors}" if errors else line.rstrip())
