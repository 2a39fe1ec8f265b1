"""Measure how many small files a scan analyzes per second, and its memory.

    python benchmarks/scanning.py [--files 2000] [--lines 50] [--processes 2] [--model flash]
                                  [--corpus FOLDER ...] [--compare] [--semgrep COMMAND]

Cuts files of Python and JavaScript out of real code: the packages of this Python, or the folders of
`--corpus`, such as a `node_modules`. Scans them in this process with a pool of worker processes and
without stored results. `--compare` also runs ruff and bandit, as two programs
over a folder with the same files of Python. `--semgrep` runs Semgrep with the rules in
`semgrep_rules.yml` over all files. Processor time is that of all processes, so that
measurements on busy machines can be compared. Memory counts shared pages once.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import gevent

from codeintel.contracts import Model
from codeintel.contracts.languages import language_of_path
from codeintel.contracts.scans.records import FileResult, FoundFile
from codeintel.platform.plugins.manager import PluginManager
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.scans.results import MemoryResults, ScanFile
from codeintel.runs.scans.scanner import Scanner

EXTENSIONS = (".py", ".js", ".mjs", ".cjs")
LONGEST_LINE = 300
"""Longer lines are minified or data."""
MEMORY_SECONDS = 0.5
SEMGREP_RULES = Path(__file__).with_name("semgrep_rules.yml")
Files = dict[str, str]


def pieces(folders: Sequence[Path], extension: str, lines: int) -> Iterator[str]:
    """Yield pieces of real files with a number of lines, in the same order each time."""
    paths = sorted(
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in EXTENSIONS and (path.suffix == ".py") == (extension == ".py")
    )
    random.Random(1).shuffle(paths)
    for path in paths:
        with suppress(OSError, UnicodeDecodeError):
            rows = path.read_text("utf-8").split("\n")
            starts = [
                number
                for number, row in enumerate(rows[: max(0, len(rows) - lines)])
                if row.startswith(("def ", "class ", "import ", "from ", "function ", "const "))
            ]
            if starts and max(map(len, rows)) <= LONGEST_LINE:
                start = random.Random(str(path)).choice(starts)
                yield "\n".join(rows[start : start + lines]) + "\n"


def files_of(folders: Sequence[Path], count: int, lines: int) -> Files:
    """Return files by path, half of them Python if the corpus has enough of both."""
    found: Files = {}
    for extension in (".py", ".js"):
        for number, text in enumerate(pieces(folders, extension, lines)):
            if number >= count // 2:
                break
            found[f"/{extension[1:]}/{number}{extension}"] = text
    return found


def scan_files(files: Files) -> list[ScanFile]:
    """Return the files in the form that a scanner takes."""
    found: list[ScanFile] = []
    for path, text in files.items():
        data = text.encode()
        digest = hashlib.sha256(data).hexdigest()
        file = FoundFile(path=path, sha256=digest, size=len(data), language=language_of_path(path))
        found.append((file, partial(str, text)))
    random.Random(2).shuffle(found)
    return found


def descendants(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from descendants(int(child))


def mebibytes() -> float:
    """Return the memory of this process and its descendants."""
    total = 0
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            for row in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if row.startswith("Pss:"):
                    total += int(row.split()[1])
    return total / 1024


def processor_seconds(zygote: int) -> float:
    """Return the processor time of this process, the zygote and its ended children."""
    fields = Path(f"/proc/{zygote}/stat").read_text().rpartition(") ")[2].split()
    ticks = sum(map(int, fields[11:15]))
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def measure_scan(files: Files, processes: int, model: Model) -> None:
    """Scan the files, and print the result."""
    peak = 0.0

    def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, mebibytes())
            gevent.sleep(MEMORY_SECONDS)

    with tempfile.TemporaryDirectory() as folder:
        registry = PluginManager({}, Path(folder)).registry
        pool = AnalyzerPool(processes, {}, Path(folder))
        pool.start()
        try:
            watcher = gevent.spawn(watch)
            zygote = int(pool.nursery.pid or 0)
            before, started = processor_seconds(zygote), time.perf_counter()
            scanner = Scanner(registry, pool, MemoryResults())
            done = list(scanner.scan(scan_files(files), model, "benchmark"))
            seconds = time.perf_counter() - started
            used = processor_seconds(zygote) - before
            watcher.kill()
        finally:
            pool.stop()
    results = [each for each in done if isinstance(each, FileResult)]
    causes = Counter(str(result.cause) for result in results if result.cause)
    findings = sum(len(result.findings) for result in results)
    show("scan", len(results), seconds, used)
    print(f"{'':18}{peak:8.0f} MiB at most, {findings} findings, unfinished: {dict(causes)}")


def measure_ruff_and_bandit(files: Files) -> None:
    """Run ruff and bandit over the files of Python, and print the results."""
    programs = Path(sysconfig.get_path("scripts"))
    python = {path: text for path, text in files.items() if path.endswith(".py")}
    with written(python) as folder:
        common = ["--exit-zero", folder]
        ruff = [str(programs / "ruff"), "check", "--isolated", "--no-cache"]
        measure_program("ruff", [*ruff, *common], len(python))
        measure_program(
            "bandit", [sys.executable, "-m", "bandit", "-q", "-r", *common], len(python)
        )


def measure_semgrep(files: Files, command: str, processes: int) -> None:
    """Run Semgrep over all files, and print the result."""
    options = ["--metrics=off", "--disable-version-check", "--no-git-ignore", "--quiet", "--json"]
    arguments = [command, "scan", *options, f"--jobs={processes}", f"--config={SEMGREP_RULES}"]
    with written(files) as folder:
        measure_program("semgrep", [*arguments, folder], len(files))


@contextmanager
def written(files: Files) -> Iterator[str]:
    """Write the files into a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = Path(folder, path[1:])
            target.parent.mkdir(exist_ok=True)
            target.write_text(text)
        yield folder


def measure_program(name: str, command: Sequence[str], count: int) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    show(name, count, seconds, used)


def show(name: str, count: int, seconds: float, used: float) -> None:
    """Print a row of the table."""
    rate, each = count / seconds, used / count * 1000
    print(f"{name:10}{count:8}{seconds:8.1f} s{rate:8.0f} files/s{each:8.1f} ms of processor/file")


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--lines", type=int, default=50)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--model", type=Model, default=Model.FLASH, choices=list(Model))
    parser.add_argument("--corpus", type=Path, nargs="*")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--semgrep", metavar="COMMAND")
    arguments = parser.parse_args()
    folders = arguments.corpus or [Path(sysconfig.get_path("purelib"))]
    files = files_of(folders, arguments.files, arguments.lines)
    measure_scan(files, arguments.processes, arguments.model)
    if arguments.compare:
        measure_ruff_and_bandit(files)
    if arguments.semgrep:
        measure_semgrep(files, arguments.semgrep, arguments.processes)


if __name__ == "__main__":
    main()
