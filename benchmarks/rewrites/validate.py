"""Check a corpus of rewrites: its fields, its counts, and what its witnesses show.

    python benchmarks/rewrites/validate.py [benchmarks/rewrites/first] [--only TEXT] [--no-run]

Runs both programs of each case with its witnesses. The two sides of a wrong rewrite must differ in
at least one witness, and those of a right one must agree in all. Cases in languages that this
machine cannot run are only parsed, and the table says how many were run. Ends with 1 if a case
fails, or if a file holds fewer cases than a corpus needs (not with `--only`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import msgspec
import yaml
from runners import HarnessError, can_run, observe
from tree_sitter_language_pack import get_parser

Language = Literal[
    "python", "javascript", "typescript", "go", "java", "csharp", "ruby", "php", "rust"
]
# The least numbers of wrong and right cases: in all, and of each group of files.
LEAST_IN_ALL = (160, 70)
LEAST: dict[tuple[str, ...], tuple[int, int]] = {
    ("python",): (55, 30),
    ("javascript", "typescript"): (35, 14),
    ("conversions",): (12, 4),
    **dict.fromkeys([("go",), ("java",), ("csharp",), ("ruby",), ("php",), ("rust",)], (8, 3)),
}
CORPORA = ("first", "second", "third")
# What a first program shows where the witness, and not the program, is at fault.
MARKS_OF_MISTAKES = (
    *("NameError", "ReferenceError", "SyntaxError", "undefined function", "undefined method"),
    *("(timed out)", "(not reached)", "(ended with"),
)


class Sides(msgspec.Struct, forbid_unknown_fields=True):
    """A witness of a conversion, where the languages write it differently."""

    before: str
    after: str


class Case(msgspec.Struct, forbid_unknown_fields=True):
    """One rewrite; README.md says what the fields mean."""

    id: str
    kind: str
    right: bool
    transformation: Literal["refactor", "optimize", "modernize", "convert"]
    language: Language
    why: str
    witness: list[str | Sides]
    before: str
    after: str
    target: Language | None = None

    @property
    def end(self) -> Language:
        """The language of the program after the rewrite."""
        return self.target or self.language

    @property
    def runs(self) -> bool:
        return can_run(self.language) and can_run(self.end)


def faults_of_form(case: Case, group: str) -> list[str]:
    """What is wrong with the fields of a case from the file `group`."""
    checks = {
        "is in the wrong file": group in (case.language, "conversions"),
        "names a target, or lacks one": (case.target is not None) == (group == "conversions"),
        "converts, or does not": (case.transformation == "convert") == (group == "conversions"),
        "has an id of another language": any(
            case.id.startswith(f"{name}-{corpus}-")
            for name in (case.language, group)
            for corpus in CORPORA
        ),
        "has no witness": bool(case.witness),
        "has a `why` that is no sentence": case.why.endswith(".") and case.why[0].isupper(),
        "changes nothing": case.before != case.after,
        "has a first program that does not parse": parses(case.language, case.before),
        "has a second program that does not parse": parses(case.end, case.after),
    }
    return [text for text, fine in checks.items() if not fine]


def parses(language: Language, source: str) -> bool:
    """Whether tree-sitter reads the program without an error."""
    text = source
    if language == "php" and not source.startswith("<?php"):
        text = f"<?php\n{source}"
    return not get_parser(language).parse(text.encode()).root_node.has_error


def fault_of_run(case: Case) -> str | None:
    """Why the witnesses do not bear the verdict out, if they do not."""
    first = [each.before if isinstance(each, Sides) else each for each in case.witness]
    second = [each.after if isinstance(each, Sides) else each for each in case.witness]
    conversion = case.target is not None
    try:
        before = observe(case.language, case.before, first, conversion)
        after = observe(case.end, case.after, second, conversion)
    except HarnessError as error:
        return f"does not run: {error}"
    pairs = list(zip(first, before, after, strict=True))
    alike = [_plain(old) == _plain(new) if conversion else old == new for _, old, new in pairs]
    if case.right and not all(alike):
        return "differs:" + "".join(
            f"\n    {text}\n      before {old}\n      after  {new}"
            for (text, old, new), same in zip(pairs, alike, strict=True)
            if not same
        )
    if not case.right and all(alike):
        return "agrees:" + "".join(f"\n    {text}\n      {old}" for text, old, _ in pairs)
    unsound = [old for old in before if any(mark in old for mark in MARKS_OF_MISTAKES)]
    return f"has a witness that fails before the rewrite: {unsound[0]}" if unsound else None


def _plain(shown: str) -> str:
    """A shown value without what only the language decides: 2.0 is 2, any exception is one."""
    if shown.startswith("raised"):
        return "raised"
    try:
        value = json.loads(shown, parse_float=_number)
    except ValueError:
        return shown
    return json.dumps(value, sort_keys=True)


def _number(text: str) -> float | int:
    number = float(text)
    return int(number) if number.is_integer() else number


def load(folder: Path) -> dict[str, list[Case]]:
    """The cases of each file in the folder, by the file's name without its ending."""
    return {
        path.stem: msgspec.convert(yaml.safe_load(path.read_text()), list[Case])
        for path in sorted(folder.glob("*.yml"))
    }


def counts_short(groups: dict[str, list[Case]]) -> list[str]:
    """The groups that hold too few cases."""
    wanted = {names: least for names, least in LEAST.items() if not groups.keys().isdisjoint(names)}
    if len(wanted) == len(LEAST):
        wanted[tuple(groups)] = LEAST_IN_ALL
    short = []
    for names, least in wanted.items():
        cases = [case for name in names for case in groups.get(name, [])]
        right = sum(case.right for case in cases)
        held = (len(cases) - right, right)
        if held[0] < least[0] or held[1] < least[1]:
            label = ", ".join(names)
            short.append(f"{label}: {held[0]} wrong, {held[1]} right; at least {least} are needed")
    return short


def print_table(groups: dict[str, list[Case]], ran: set[str]) -> None:
    print(f"{'file':<14}{'wrong':>7}{'right':>7}{'run':>7}  kinds")
    for name, cases in groups.items():
        right = sum(case.right for case in cases)
        kinds = len({case.kind for case in cases})
        done = sum(case.id in ran for case in cases)
        print(f"{name:<14}{len(cases) - right:>7}{right:>7}{done:>7}  {kinds}")
    every = [case for cases in groups.values() for case in cases]
    right = sum(case.right for case in every)
    print(f"{'in all':<14}{len(every) - right:>7}{right:>7}{len(ran):>7}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    default = Path(__file__).parent / "first"
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    parser.add_argument("--only", default="", help="check only ids that contain this text")
    parser.add_argument("--no-run", action="store_true", help="read and parse, but run nothing")
    parser.add_argument("--kinds", action="store_true", help="print how many cases each kind has")
    options = parser.parse_args(arguments)
    groups = load(options.folder)
    faults = [] if options.only else counts_short(groups)
    seen = Counter(case.id for cases in groups.values() for case in cases)
    faults += [f"{name}: is used {count} times" for name, count in seen.items() if count > 1]
    chosen = [
        (group, case)
        for group, cases in groups.items()
        for case in cases
        if options.only in case.id
    ]
    for group, case in chosen:
        faults += [f"{case.id}: {text}" for text in faults_of_form(case, group)]
    to_run = [] if options.no_run else [case for _, case in chosen if case.runs]
    with ThreadPoolExecutor(max_workers=2) as pool:
        for case, fault in zip(to_run, pool.map(fault_of_run, to_run), strict=True):
            faults += [f"{case.id}: {fault}"] if fault else []
    print_table(groups, {case.id for case in to_run})
    if options.kinds:
        kinds = Counter(case.kind for _, case in chosen)
        print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
