"""Scan unpacked repositories with `codeintel scan`: time, memory and findings of each.

    python benchmarks/repositories.py FOLDER... [--url URL]

Each folder is scanned twice, first with an empty cache. With --url and CODEINTEL_API_KEY, a service
scans it too, and the findings have to be the same. The result is a table in Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

COMMAND = (sys.executable, "-P", "-c", "from codeintel.cli import run; run()", "scan")
SAMPLE_SECONDS = 0.2
KNOWN = frozenset({0, 1, 3})
"""The exit statuses of scans that were carried out."""


class Measured(NamedTuple):
    """A scan: seconds, peak memory of all its processes in bytes, and its report."""

    seconds: float
    memory: int
    report: dict[str, Any]

    @property
    def is_retried(self) -> bool:
        """Return whether a second scan analyzes a file again, because of a timeout or a crash."""
        return any(each["cause"] in {"time", "crash"} for each in self.report["unchecked"])

    @property
    def findings(self) -> list[Any]:
        """Return what has to be equal for all ways to scan."""
        return [
            (each["path"], each["fingerprint"], each["excerpt"], each["finding"])
            for each in self.report["findings"]
        ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--url", help="the address of a service to compare with")
    options = parser.parse_args()
    print(
        "| repository | files | lines | first scan | second | memory | findings a 1,000 lines | ",
        end="",
    )
    print("exit | not checked |" + (" service |" if options.url else ""))
    print("|---|---|---|---|---|---|---|---|---|" + ("---|" if options.url else ""), flush=True)
    has_differences = False
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as cache:
            cold = measured(folder, cache)
            warm = measured(folder, cache)
        if warm.findings != cold.findings:
            if not cold.is_retried:
                sys.exit(f"{folder}: the second scan has other findings.")
            print(f"{folder}: the second scan repeated failed analyses.", file=sys.stderr)
        cells = row(folder, cold, warm)
        if options.url:
            other = measured(folder, "", "--url", options.url)
            is_equal = other.findings == cold.findings
            is_comparable = not (other.is_retried or cold.is_retried)
            has_differences |= is_comparable and not is_equal
            cells.append("equal" if is_equal else "DIFFERENT" if is_comparable else "timed out")
        print(f"| {' | '.join(cells)} |", flush=True)
    if has_differences:
        sys.exit("The service has other findings.")


def row(folder: Path, cold: Measured, warm: Measured) -> list[str]:
    """Return the cells of a repository."""
    summary = cold.report["summary"]
    number = len(cold.report["findings"])
    return [
        folder.name,
        f"{summary['analyzed']:,}",
        f"{summary['lines']:,}",
        f"{cold.seconds:.1f} s",
        f"{warm.seconds:.1f} s",
        f"{cold.memory / 1e6:.0f} MB",
        f"{1_000 * number / max(1, summary['lines']):.1f}",
        str(cold.report["exitStatus"]),
        f"{len(cold.report['unchecked']):,}",
    ]


def measured(folder: Path, cache: str, *more: str) -> Measured:
    """Scan a folder with all findings in the report."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    environment.pop("CODEINTEL_URL", None)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        start = time.monotonic()
        process = subprocess.Popen(
            [
                *COMMAND,
                ".",
                "--min-confidence=low",
                f"--output=json={file.name}",
                "-o",
                "text",
                *more,
            ],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        peak = Peak(process.pid)
        _, errors = process.communicate()
        seconds = time.monotonic() - start
        if process.returncode not in KNOWN or b"Traceback" in errors:
            sys.exit(f"{folder}: exit {process.returncode}: {errors.decode()}")
        return Measured(seconds, peak.ended(), json.loads(Path(file.name).read_bytes()))


class Peak:
    """Samples the memory of a process and its descendants: what they share counts once."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._peak = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def ended(self) -> int:
        """Stop, and return the peak in bytes."""
        self._stop.set()
        self._thread.join()
        return self._peak

    def _sample(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            self._peak = max(self._peak, sum(map(_memory, _tree(self._pid))))


def _tree(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        try:
            text = Path(f"/proc/{each}/task/{each}/children").read_text()
        except OSError:
            continue
        found += map(int, text.split())
    return found


def _memory(pid: int) -> int:
    """Return the proportional set size of a process in bytes."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in text.split("\n") if line[:4] == "Pss:"), 0)


if __name__ == "__main__":
    main()
