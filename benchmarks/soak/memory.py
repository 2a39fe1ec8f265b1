"""The memory of processes over time, and how much of it is growth."""

from __future__ import annotations

import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from scipy.stats import theilslopes

from soak.verdict import Verdict

EVERY_SECONDS = 2.0
Sample = tuple[float, float]
"""Seconds since the start, and MiB."""


WARM_SHARE = 0.2
GROWTH = 0.05
JUDGED_MINUTES = 5.0
"""A shorter load does not get behind what fills at the start."""


class Sampler:
    """Reads the resident memory of processes by name, again and again, within a block.

    :param processes: their ids now; of several of one name the sum is taken.
    """

    def __init__(self, processes: Callable[[], Mapping[str, Sequence[int]]]) -> None:
        self._processes = processes
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self.samples: defaultdict[str, list[Sample]] = defaultdict(list)

    def __enter__(self) -> Sampler:
        self._begin = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._over.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._over.wait(EVERY_SECONDS):
            with suppress(OSError):  # one has just ended
                for name, pids in self._processes().items():
                    self.samples[name].append(
                        (time.monotonic() - self._begin, sum(map(resident, pids)))
                    )


def resident(pid: int) -> float:
    """MiB that a process has in memory, with what it shares."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def growth(samples: Sequence[Sample], begin: float) -> float:
    """Return how much the memory has grown since `begin`, as a share of the memory at that time.

    Uses the median of the slopes between all pairs of samples (Theil and Sen), which a peak does
    not affect.
    """
    later = [(at, size) for at, size in samples if at >= begin]
    if len(later) < 10:
        return float("nan")
    times, sizes = zip(*later, strict=True)
    slope, at_zero, *_ = theilslopes(sizes, times)
    return float(slope * (times[-1] - times[0]) / (at_zero + slope * times[0]))


def judge_memory(
    verdict: Verdict,
    samples: Mapping[str, Sequence[Sample]],
    names: Iterable[str],
    minutes: float,
) -> None:
    """Report the memory of each kind of process, and limit its growth.

    :param names: the kinds of processes. Each must have samples.
    """
    for name in names:
        taken = samples.get(name, ())
        verdict.tell(
            f"mixed: memory of the {name} at the end", taken[-1][1] if taken else "?", "MiB"
        )
        grown = growth(taken, minutes * 60 * WARM_SHARE) * 100
        if minutes < JUDGED_MINUTES:
            verdict.tell(f"mixed: growth of the {name}, too short to judge", grown, "%")
        else:
            verdict.at_most(f"mixed: growth of the {name}", grown, GROWTH * 100, "%")
