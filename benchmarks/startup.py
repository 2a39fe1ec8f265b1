"""Measure how long `codeintel serve` takes until it answers, and what it imports meanwhile.

    python benchmarks/startup.py [--rounds 7] [--packages 15]

Starts the service repeatedly on an existing instance, and requests its health as soon as it prints
its address. *Processor* is the processor time of all its processes until they have ended, including
analyzers, which load after the first answers. Exits with 1 if the median exceeds the bound.

The second table shows the import time of the server by package, as the minimum of three runs, from
`python -X importtime`, which itself takes some time.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

from codeintel.testing.server import LiveServer

BOUND_SECONDS = 2.0
SERVER = "import codeintel.server.__main__; codeintel.create_app()"
OURS = ("codeintel", "codeintel_plugins", "sqlalchemy", "redis")
"""Packages whose parts are listed separately."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--packages", type=int, default=15, help="lines of the second table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        start(instance)  # makes the database
        found = [start(instance) for _ in range(options.rounds)]
        show_imports(instance, options.packages)
    answered = median(seconds for seconds, _ in found)
    print(
        f"\nhealth answered after {answered:.2f} s "
        f"({min(s for s, _ in found):.2f} to {max(s for s, _ in found):.2f} s of "
        f"{options.rounds}); processor {median(cpu for _, cpu in found):.2f} s; "
        f"{os.getloadavg()[0]:.1f} processes wanted one of {os.cpu_count()} processors"
    )
    if answered > BOUND_SECONDS:
        sys.exit(f"slower than {BOUND_SECONDS:g} s")


def start(instance: Path) -> tuple[float, float]:
    """Seconds from the command to the answer, and of the processor until the end."""
    before = _processor()
    server = LiveServer(instance)
    begin = time.monotonic()
    with server:
        seconds = time.monotonic() - begin
    return seconds, _processor() - before


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show_imports(instance: Path, lines: int) -> None:
    """Print the packages whose modules take longest to import, in milliseconds without their
    imports."""
    least: dict[str, float] = {}
    for _ in range(3):
        for name, milliseconds in imports(instance).items():
            least[name] = min(milliseconds, least.get(name, milliseconds))
    packages: dict[str, list[float]] = defaultdict(list)
    for name, milliseconds in least.items():
        parts = name.split(".")
        packages[".".join(parts[: 2 if parts[0] in OURS else 1])].append(milliseconds)
    print(f"{'package':<34}{'ms':>8}{'modules':>9}")
    rows = sorted(packages.items(), key=lambda row: -sum(row[1]))
    for name, found in [*rows[:lines], ("all", list(least.values()))]:
        print(f"{name:<34}{sum(found):>8.1f}{len(found):>9}")


def imports(instance: Path) -> dict[str, float]:
    """Return the time that importing each module takes, by its name."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", SERVER],
        env={**os.environ, "CODEINTEL_INSTANCE": str(instance)},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = re.findall(r"^import time: +(\d+) \| +\d+ \| +(\S+)$", result.stderr, re.MULTILINE)
    return {name: int(microseconds) / 1000 for microseconds, name in rows}


if __name__ == "__main__":
    main()
