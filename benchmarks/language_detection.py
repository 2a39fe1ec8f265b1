"""Measure how often and how fast the language of a program is detected.

    python benchmarks/language_detection.py [--files FOLDER ...] [--half 1|2] [--workers] [--list]

Measures on the programs in `languages/`, or on your own files: each folder has a subfolder for each
language, named as in `codeintel.contracts.languages`. `--workers` measures the detection in a
worker process, with fork and transport. Times are in milliseconds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from languages.programs import Program, all_programs

from codeintel.contracts import Detection
from codeintel.contracts.languages import canonical_language
from codeintel.engine.detection.detector import GrammarDetector
from codeintel.platform.workers.pool import AnalyzerPool

MOST_CHARACTERS = 100_000
BANDS = (0.0, 0.6, 0.8, 0.9, 0.95, 1.01)

Detect = Callable[[str], Detection | None]


class Outcome(NamedTuple):
    """A program, the detected language, and the milliseconds that this took."""

    program: Program
    told: Detection
    milliseconds: float

    @property
    def is_right(self) -> bool:
        return self.told.language == self.program.language


def programs_in(folder: Path) -> Iterator[Program]:
    """The files under a folder, by the names of its subfolders."""
    for path in sorted(folder.glob("*/**/*")):
        if path.is_file():
            language = canonical_language(path.relative_to(folder).parts[0])
            code = path.read_text(encoding="utf-8", errors="replace")[:MOST_CHARACTERS]
            yield Program(language, str(path), code)


@contextmanager
def in_this_process() -> Iterator[Detect]:
    """The detector itself."""
    detector = GrammarDetector()
    detector.preload()
    yield detector.detect


@contextmanager
def in_workers() -> Iterator[Detect]:
    """The whole way: a child is forked for each program."""
    detectors = [GrammarDetector()]
    with tempfile.TemporaryDirectory() as instance:
        pool = AnalyzerPool(2, {}, Path(instance))
        pool.start()
        try:
            yield lambda code: pool.detect("benchmark", detectors, code)
        finally:
            pool.stop()


def measure(programs: list[Program], detect: Detect) -> list[Outcome]:
    """Tell the language of each program."""
    detect(programs[0].code)  # warm
    outcomes = []
    for program in programs:
        started = time.perf_counter()
        told = detect(program.code) or Detection(language=None, confidence=0)
        outcomes.append(Outcome(program, told, (time.perf_counter() - started) * 1000))
    return outcomes


def report(outcomes: list[Outcome]) -> None:
    """Print the results."""
    by_language: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_language[outcome.program.language].append(outcome)
    for language, found in sorted(by_language.items()):
        print(f"{language:14}{_share(found)}")
    print(f"{'all':14}{_share(outcomes)}")
    confused = Counter(
        (outcome.program.language, outcome.told.language or "not told")
        for outcome in outcomes
        if not outcome.is_right
    )
    for (language, told), count in confused.most_common():
        print(f"  {language} taken for {told}: {count}")
    for least, most in pairwise(BANDS):
        band = [each for each in outcomes if least <= each.told.confidence < most]
        if band:
            print(f"confidence {least:.2f} to {min(most, 1):.2f}  {_share(band)}")
    times = sorted(outcome.milliseconds for outcome in outcomes)
    median, late = times[len(times) // 2], times[int(len(times) * 0.99)]
    print(f"milliseconds: median {median:.1f}, p99 {late:.1f}, most {times[-1]:.1f}")


def _share(outcomes: list[Outcome]) -> str:
    right = sum(outcome.is_right for outcome in outcomes)
    return f"{right:5} of {len(outcomes):5}  {right / len(outcomes):7.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=Path, nargs="+", help="measure on these folders")
    parser.add_argument("--half", type=int, choices=[1, 2], help="only every second program")
    parser.add_argument("--workers", action="store_true", help="through worker processes")
    parser.add_argument("--list", action="store_true", help="list what is told wrong or unsurely")
    options = parser.parse_args()
    folders = options.files or []
    programs = [p for folder in folders for p in programs_in(folder)] or all_programs()
    if options.half:
        half = options.half - 1
        programs = [p for p in programs if zlib.crc32(p.name.encode()) % 2 == half]
    with in_workers() if options.workers else in_this_process() as detect:
        outcomes = measure(programs, detect)
    report(outcomes)
    for outcome in outcomes if options.list else ():
        if not outcome.is_right or outcome.told.confidence < 0.9:
            print(f"{outcome.program.language}, {outcome.program.name}: {outcome.told}")


if __name__ == "__main__":
    main()
