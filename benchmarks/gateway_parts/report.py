"""Putting measures together and printing them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from gateway_parts.client import Sample
from gateway_parts.cost import Cost

HEADINGS = (
    ("upstream", 9), ("conns", 6), ("service", 20), ("streams/s", 10), ("of relay", 9),
    ("event p50", 10), ("p99", 7), ("text p50", 9), ("p99", 7), ("cpu ms", 7), ("tree", 7),
    ("worker MiB", 11), ("tree", 6),
)  # fmt: skip


@dataclass
class Measured:
    """The sum of all rounds of one service at one load. Times are in seconds."""

    upstream: str
    connections: int
    service: str
    seconds: float = 0.0
    cpu: float = 0.0
    tree_cpu: float = 0.0
    peak: float = 0.0
    tree_peak: float = 0.0
    samples: list[Sample] = field(default_factory=list)

    def add(self, samples: Sequence[Sample], seconds: float, before: Cost, after: Cost) -> None:
        """Add one round."""
        self.samples += samples
        self.seconds += seconds
        self.cpu += after.cpu - before.cpu
        self.tree_cpu += after.tree_cpu - before.tree_cpu
        self.peak = max(self.peak, after.peak)
        self.tree_peak = max(self.tree_peak, after.tree_peak)

    @property
    def complete(self) -> list[Sample]:
        """The streams that ended as they should."""
        return [sample for sample in self.samples if not sample.error]

    @property
    def rate(self) -> float:
        """Complete streams a second."""
        return len(self.complete) / self.seconds

    @property
    def errors(self) -> dict[str, int]:
        """How many streams failed, by how."""
        return dict(Counter(sample.error for sample in self.samples if sample.error))

    def row(self, relay: Measured | None) -> dict[str, object]:
        """The figures: times in milliseconds, memory in MiB."""
        events = sorted(sample.first_event for sample in self.complete)
        texts = sorted(sample.first_text for sample in self.complete)
        streams = max(1, len(events))
        return {
            "upstream": self.upstream,
            "connections": self.connections,
            "service": self.service,
            "streams_per_second": round(self.rate, 1),
            "of_relay": round(self.rate / relay.rate, 2) if relay and relay.rate else None,
            "first_event_p50": _milliseconds(events, 0.5),
            "first_event_p99": _milliseconds(events, 0.99),
            "first_text_p50": _milliseconds(texts, 0.5),
            "first_text_p99": _milliseconds(texts, 0.99),
            "worker_cpu_per_stream": round(self.cpu * 1000 / streams, 2),
            "tree_cpu_per_stream": round(self.tree_cpu * 1000 / streams, 2),
            "worker_peak": round(self.peak),
            "tree_peak": round(self.tree_peak),
            "errors": self.errors,
        }


def _milliseconds(ordered: Sequence[float], share: float) -> float | None:
    return round(ordered[int((len(ordered) - 1) * share)] * 1000, 1) if ordered else None


def show(rows: Sequence[dict[str, object]], *, as_json: bool) -> None:
    """Print the figures, as a table or for programs."""
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    print("".join(name.ljust(width) for name, width in HEADINGS))
    for row in rows:
        *figures, errors = row.values()
        line = "".join(
            ("-" if value is None else str(value)).ljust(width)
            for value, (_, width) in zip(figures, HEADINGS, strict=True)
        )
        print(f"{line} failed: {errors}" if errors else line.rstrip())
