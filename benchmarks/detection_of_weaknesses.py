"""Count the planted weaknesses that are found, and the safe programs that are flagged.

    python benchmarks/detection_of_weaknesses.py [--corpus DIR] [--model pro] [--misses]
        [--language NAME] [--set tuned|blind] [--least SEVERITY]

Runs the static engine with all built-in analyzers over a corpus. The corpus's README describes the
layout. A planted weakness counts as found if a finding in the file has its weakness class or one of
the same family. A safe program counts as flagged if it has any finding about security or secrets,
or one of the planted family. Findings below `--least` severity are ignored. `at the line` counts
the hits that begin at most three lines from the planted weakness.

The corpus has two sets. `tuned` was used while the rules were improved. `blind` was written by an
author who had not seen the rules, so it estimates the results on unknown programs.
"""

from __future__ import annotations

import argparse
import csv
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from codeintel_plugins.static import StaticEngine
from codeintel_plugins.toolkit.weaknesses import related

from codeintel.contracts import AnalysisTask, Analyzer, Category, Finding, Model, Severity
from codeintel.platform.plugins import discovery
from codeintel.testing import RecordingContext

CORPUS = Path(__file__).parent / "corpus"
SECURITY = {Category.SECURITY, Category.SECRETS}
NEAR_LINES = 3


class Program(NamedTuple):
    """A row of an index. `line` is 0 for safe programs."""

    path: Path
    language: str
    cwe: str
    is_bad: bool
    line: int


class Verdict(NamedTuple):
    """The findings in a program, compared with what is planted in it."""

    program: Program
    is_found: bool
    is_near: bool
    findings: tuple[Finding, ...]

    @property
    def is_right(self) -> bool:
        return self.is_found == self.program.is_bad


def programs(corpus: Path, language: str | None, set_: str | None) -> Iterator[Program]:
    """Yield the programs of the corpus, in order."""
    for index in sorted(corpus.glob(f"{set_ or '*'}/*/index.csv")):
        if language not in (None, index.parent.name):
            continue
        with index.open(newline="") as file:
            for row in csv.DictReader(file):
                is_bad = row["verdict"] == "bad"
                line = int(row["line"] or 0)
                path = index.parent / row["file"]
                yield Program(path, index.parent.name, row["cwe"], is_bad, line)


def shipped_analyzers() -> list[Analyzer]:
    """Return all built-in analyzers, preloaded."""
    found: list[Analyzer] = []
    for point in discovery.shipped():
        register = getattr(point.load(), "register_analyzers", None)
        if register is not None:
            register(found.append, {})
    for analyzer in found:
        analyzer.preload()
    return found


def judge(
    program: Program, analyzers: Sequence[Analyzer], model: Model, least: Severity
) -> Verdict:
    """Analyze one program."""
    task = AnalysisTask(program.path.read_text(), program.language, "", model)
    result, _ = StaticEngine().analyze(task, RecordingContext(analyzers))
    counted = [each for each in result.findings if each.severity.rank <= least.rank]
    hits = [each for each in counted if each.cwe and related(each.cwe, program.cwe)]
    suspicions = (
        [each for each in counted if each.category in SECURITY] if not program.is_bad else []
    )
    is_near = any(abs(hit.range.start_line - program.line) <= NEAR_LINES for hit in hits)
    shown = tuple(hits + suspicions) if not program.is_bad else tuple(counted)
    return Verdict(program, bool(hits or suspicions), is_near, shown)


class Score:
    """Counts, and what follows from them."""

    def __init__(self) -> None:
        self.bad = self.safe = self.found = self.suspected = self.near = 0

    def add(self, verdict: Verdict) -> None:
        if verdict.program.is_bad:
            self.bad += 1
            self.found += verdict.is_found
            self.near += verdict.is_near
        else:
            self.safe += 1
            self.suspected += verdict.is_found

    def row(self, name: str) -> str:
        recall = self.found / self.bad if self.bad else 1.0
        said = self.found + self.suspected
        precision = self.found / said if said else 1.0
        both = recall + precision
        f1 = 2 * recall * precision / both if both else 0.0
        return (
            f"{name:14}{self.bad:5}{self.safe:6}{recall:9.2f}{precision:11.2f}{f1:7.2f}"
            f"{self.near:6} of {self.bad}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--model", type=Model, default=Model.PRO)
    parser.add_argument("--language")
    parser.add_argument("--least", type=Severity, default=Severity.LOW)
    parser.add_argument("--set", choices=("tuned", "blind"))
    parser.add_argument("--misses", action="store_true", help="list what was judged wrongly")
    options = parser.parse_args()
    corpus = options.corpus.resolve()
    analyzers = shipped_analyzers()
    by_language: dict[str, Score] = defaultdict(Score)
    by_cwe: dict[str, Score] = defaultdict(Score)
    total = Score()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # where analyzers may write
        for program in programs(corpus, options.language, options.set):
            verdict = judge(program, analyzers, options.model, options.least)
            for score in (by_language[program.language], by_cwe[program.cwe], total):
                score.add(verdict)
            if options.misses and not verdict.is_right:
                said = ", ".join(
                    f"{each.range.start_line}:{each.engine} {each.rule_id} {each.cwe}"
                    for each in verdict.findings
                )
                print(f"{program.path.relative_to(corpus)} ({program.cwe}): {said or 'nothing'}")
        os.chdir("/")
    print(f"{'':14}{'bad':>5}{'safe':>6}{'recall':>9}{'precision':>11}{'F1':>7}  at the line")
    for name, score in sorted(by_language.items()):
        print(score.row(name))
    for name, score in sorted(by_cwe.items(), key=lambda item: int(item[0][4:])):
        print(score.row(name))
    print(total.row("all"))


if __name__ == "__main__":
    main()
