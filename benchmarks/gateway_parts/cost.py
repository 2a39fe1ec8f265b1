"""Read the processor time and memory of processes from Linux's /proc."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
FORGET_PEAK = "5"
"""What /proc/PID/clear_refs takes for: let the peak be what is used now."""


@dataclass(frozen=True)
class Cost:
    """Processor time in seconds since the start, peak memory in MiB.

    A tree's memory is the sum over its processes, which counts what they share more than once.
    """

    cpu: float
    peak: float
    tree_cpu: float
    tree_peak: float


def children(pid: int) -> list[int]:
    """Return the running child processes of a process."""
    found = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for of_thread in found for child in of_thread]


def tree(pid: int) -> Iterator[int]:
    """The process and all below it."""
    yield pid
    with suppress(OSError):
        for child in children(pid):
            yield from tree(child)


def forget_peaks(root: int) -> None:
    """Reset the memory peaks of a process tree, if the kernel supports it."""
    for pid in tree(root):
        with suppress(OSError):
            Path(f"/proc/{pid}/clear_refs").write_text(FORGET_PEAK)


def cost(worker: int, root: int) -> Cost:
    """Return the cost of a web worker, and of the process tree that it belongs to."""
    used = {}
    for pid in tree(root):
        with suppress(OSError):  # it has ended
            used[pid] = (*_cpu(pid), _peak(pid))
    own, _, peak = used[worker]
    return Cost(
        cpu=own,
        peak=peak,
        tree_cpu=sum(own + of_ended for own, of_ended, _ in used.values()),
        tree_peak=sum(peak for *_, peak in used.values()),
    )


def _cpu(pid: int) -> tuple[float, float]:
    """Seconds in user and kernel mode of a process, and of its children that have ended: fields 14
    and 15, 16 and 17; the second may hold blanks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system, user_of_ended, system_of_ended = map(int, fields[11:15])
    return (
        (user + system) / TICKS_PER_SECOND,
        (user_of_ended + system_of_ended) / TICKS_PER_SECOND,
    )


def _peak(pid: int) -> float:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0
