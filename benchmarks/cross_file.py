"""Measure how many weaknesses across files are found, and how many false alarms there are.

Run it from the root of the repository: `python benchmarks/cross_file.py [SET]`. For each pair in
`corpus/cross_file/`, it analyzes the files of `bad/` and of `good/` with the data flow engine: each
file alone, then linked. Recall counts the expected places that are found. Precision counts the
findings of the pair's weakness class that are right.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codeintel.engine.dataflow.project import link, summarize
from codeintel.engine.dataflow.table import sink_classes

CORPUS = Path(__file__).parent / "corpus" / "cross_file"
LANGUAGES = {
    ".py": "python",
    ".js": "javascript",
    ".ts": "typescript",
    ".java": "java",
    ".go": "go",
    ".php": "php",
    ".rb": "ruby",
    ".cs": "csharp",
}
NAMES = {"js": "javascript", "ts": "javascript"}
TOLERANCE = 2
"""How many lines a finding may be away from the expected one."""


@dataclass
class Score:
    """The counts for the pairs of one language."""

    pairs: int = 0
    found: int = 0
    alone: int = 0
    false_alarms: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def places(folder: Path) -> tuple[set[tuple[str, int, str]], set[tuple[str, int, str]]]:
    """Return file, line and CWE of the findings of files alone, and of those across files."""
    classes = sink_classes()
    summaries = {}
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        language = LANGUAGES.get(path.suffix, "")
        name = path.relative_to(folder).as_posix()
        summaries[name] = summarize(name, path.read_text(), language)
    linked = link(summaries)
    alone = {
        (name, each.call.line, classes[each.sink].cwe)
        for name, summary in summaries.items()
        for each in summary.reported
    }
    across = {(each.path, each.place.line, classes[each.sink].cwe) for each in linked.findings}
    return alone, across


def expected(pair: Path) -> tuple[str, int, str]:
    """Return the file, the line and the CWE of a pair's weakness."""
    place, cwe = (pair / "expected").read_text().split()
    name, _, line = place.rpartition(":")
    return name, int(line), cwe


def is_near(found: tuple[str, int, str], wanted: tuple[str, int, str]) -> bool:
    """Return whether a finding is the expected one."""
    same = found[0] == wanted[0] and found[2] == wanted[2]
    return same and abs(found[1] - wanted[1]) <= TOLERANCE


def pairs(name: str) -> Iterator[Path]:
    """Yield the folders of the pairs, of one set or of all."""
    for index in sorted(CORPUS.glob(f"{name or '*'}/*/expected")):
        yield index.parent


def main() -> None:
    """Print a table of recall and precision by language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", nargs="?", default="", help="blind or tuned, by default both")
    parser.add_argument("--only", default="", help="pairs whose name contains this text")
    options = parser.parse_args()
    scores: dict[str, Score] = defaultdict(Score)
    start = time.process_time()
    for pair in pairs(options.set):
        if options.only not in pair.name:
            continue
        head = pair.name.partition("-")[0]
        score, wanted = scores[NAMES.get(head, head)], expected(pair)
        score.pairs += 1
        alone, across = places(pair / "bad")
        score.alone += any(is_near(each, wanted) for each in alone)
        if any(is_near(each, wanted) for each in alone | across):
            score.found += 1
        else:
            score.missed.append(f"{pair.name} {sorted(alone | across)}")
        good = set().union(*places(pair / "good"))
        false = [each for each in good if each[2] == wanted[2]]
        false += [e for e in alone | across if e[2] == wanted[2] and not is_near(e, wanted)]
        score.false_alarms += len(false)
        if false:
            score.wrong.append(f"{pair.name} {false}")
    report(scores, time.process_time() - start)


def report(scores: dict[str, Score], seconds: float) -> None:
    """Print the scores."""
    total = Score()
    print(f"{'language':12} {'pairs':>5} {'found':>5} {'alone':>5} {'false':>5} recall precision")
    for name, each in [*sorted(scores.items()), ("all", total)]:
        precision = each.found / max(1, each.found + each.false_alarms)
        print(
            f"{name:12} {each.pairs:5} {each.found:5} {each.alone:5} {each.false_alarms:5} "
            f"{each.found / max(1, each.pairs):6.2f} {precision:9.2f}"
        )
        if each is total:
            break
        total.pairs, total.found = total.pairs + each.pairs, total.found + each.found
        total.alone += each.alone
        total.false_alarms += each.false_alarms
        total.missed += each.missed
        total.wrong += each.wrong
    for title, names in (("missed", total.missed), ("false alarms", total.wrong)):
        print(f"\n{title}:", *names or ["none"], sep="\n  ")
    print(f"\n{seconds:.1f} seconds of processor time")


if __name__ == "__main__":
    main()
