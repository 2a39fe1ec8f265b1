"""Random repositories, and random commits to them that add findings, rename files, move blocks and
change the format.

A finding is a call of a forbidden function. Each call has a unique word, by which tests tell which
findings a commit has added.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from scan_samples import file_result, finding

from codeintel.contracts import Range
from codeintel.contracts.positions import LineTable
from codeintel.contracts.scans.records import FileResult

FORBIDDEN = ("eval", "exec", "system")
_CALL = re.compile(rf"\b({'|'.join(FORBIDDEN)})\(")
_WORDS = (
    *("total", "price", "order", "client", "report", "index", "buffer", "result", "token"),
    *("limit", "offset", "folder", "record", "window", "column", "branch", "status", "weight"),
)


def scan(path: str, text: str) -> FileResult:
    """Return the forbidden calls in a file, with ranges from the name to the closing bracket."""
    table = LineTable(text)
    found = []
    for match in _CALL.finditer(text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        place: Range = table.span(match.start(), end)
        found.append(finding(f"toy/{match[1]}", range=place))
    return file_result(path, text, *found)


def marker(result: FileResult, at: int, text: str) -> str:
    """Return the unique word of a finding."""
    place = result.findings[at].finding.range
    table = LineTable(text)
    start = table.offset(place.start_line, place.start_column)
    end = table.offset(place.end_line, place.end_column)
    match = re.search(r"mark_\d+", text[start:end])
    assert match is not None, text[start:end]
    return match[0]


@dataclass
class RandomRepository:
    """A Git repository whose files are lists of functions.

    :param suffix: `.py` or `.js`.
    """

    root: Path
    seed: int
    suffix: str
    blocks: dict[str, list[str]] = field(default_factory=dict)
    added: set[str] = field(default_factory=set)
    """The unique words of the findings that the last commit has added."""

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._number = 0
        self._git("init", "-q", "-b", "main")
        self._git("config", "user.email", "a@example.org")
        self._git("config", "user.name", "A")
        self._git("config", "commit.gpgsign", "false")
        for number in range(10):
            name = f"part_{number}{self.suffix}"
            self.blocks[name] = [self._function(number % 3 != 2) for _ in range(6)]
        self._commit("first")

    def commit(self) -> None:
        """Make a random commit of several changes."""
        self.added = set()
        changes = [
            *(self._inject, self._rename, self._move, self._reformat, self._delete),
            *(self._edit, self._harmless, self._shuffle, self._fix),
        ]
        for change in self._random.sample(changes, 5):
            change()
        self._inject()
        self._commit("more")

    def texts(self) -> dict[str, str]:
        """Return the files in the work tree."""
        return {path.name: path.read_text() for path in sorted(self.root.glob(f"*{self.suffix}"))}

    def _inject(self) -> None:
        """Add findings: a function with one, and a call within an existing function."""
        name = self._pick()
        self.blocks[name].insert(self._random.randint(0, 3), self._function(True, is_new=True))
        name = self._pick()
        at = self._random.randrange(len(self.blocks[name]))
        lines = self.blocks[name][at].split("\n")
        at_end = -1 if self.suffix == ".py" else -2  # before the return statement
        lines[at_end:at_end] = [self._call(is_new=True)]
        self.blocks[name][at] = "\n".join(lines)

    def _rename(self) -> None:
        name = self._pick()
        self._number += 1
        self.blocks[f"renamed_{self._number}{self.suffix}"] = self.blocks.pop(name)

    def _move(self) -> None:
        """Move functions to another file."""
        source, target = self._random.sample(sorted(self.blocks), 2)
        for _ in range(min(2, len(self.blocks[source]) - 2)):
            block = self.blocks[source].pop(self._random.randrange(len(self.blocks[source])))
            self.blocks[target].append(block)

    def _shuffle(self) -> None:
        self._random.shuffle(self.blocks[self._pick()])

    def _delete(self) -> None:
        name = self._pick()
        if len(self.blocks[name]) > 3:
            self.blocks[name].pop()

    def _fix(self) -> None:
        """Replace forbidden calls by harmless ones, in their places."""
        for _ in range(2):
            name = self._pick()
            self.blocks[name] = [
                _CALL.sub(r"safe_\1s(", each, count=1) for each in self.blocks[name]
            ]

    def _reformat(self) -> None:
        """Change spaces and line breaks as a formatter does."""
        name = self._pick()
        width = self._random.choice((30, 100))
        if self.suffix == ".py":
            self.blocks[name] = [_formatted(each, width) for each in self.blocks[name]]
        else:
            self.blocks[name] = [_broken(each, width) for each in self.blocks[name]]

    def _edit(self) -> None:
        """Rename a variable in a file."""
        name = self._pick()
        old, new = self._random.sample(_WORDS, 2)
        self.blocks[name] = [re.sub(rf"\b{old}\b", f"{new}_2", each) for each in self.blocks[name]]

    def _harmless(self) -> None:
        for name in self._random.sample(sorted(self.blocks), 3):
            self.blocks[name].insert(0, self._function(False))

    def _pick(self) -> str:
        return self._random.choice(sorted(self.blocks))

    def _function(self, with_finding: bool, *, is_new: bool = False) -> str:
        self._number += 1
        words = self._random.sample(_WORDS, 4)
        lines = [
            self._line(f"{words[0]} = {words[1]} + {self._random.randint(1, 10_000)}"),
            self._line(f"{words[2]} = {words[3]} * {words[0]}"),
        ]
        if with_finding:
            lines.insert(self._random.randint(0, 2), self._call(is_new=is_new))
        lines.append(self._line(f"return {words[2]}"))
        head = f"{words[1]}_{self._number}({words[1]}, {words[3]})"
        if self.suffix == ".py":
            return "\n".join([f"def {head}:", *lines])
        return "\n".join([f"function {head} {{", *lines, "}"])

    def _call(self, *, is_new: bool) -> str:
        self._number += 1
        word = f"mark_{self._number}"
        if is_new:
            self.added.add(word)
        first, second = self._random.sample(_WORDS, 2)
        name = self._random.choice(FORBIDDEN)
        return self._line(f"{first} = {name}({word}, {first}, {second})")

    def _line(self, text: str) -> str:
        return f"    {text}" if self.suffix == ".py" else f"  {text};"

    def _commit(self, subject: str) -> None:
        for path in self.root.glob(f"*{self.suffix}"):
            path.unlink()
        for name, blocks in self.blocks.items():
            (self.root / name).write_text("\n\n\n".join(blocks) + "\n")
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", subject)

    def _git(self, *arguments: str) -> None:
        command = ["git", *arguments]
        subprocess.run(command, cwd=self.root, check=True, capture_output=True, timeout=60)


def _formatted(code: str, width: int) -> str:
    """Return Python as ruff formats it."""
    command = [sys.executable, "-m", "ruff", "format", "--no-cache", "-q", "--line-length"]
    done = subprocess.run(
        [*command, str(width), "-"],
        input=code,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.rstrip("\n")


def _broken(code: str, width: int) -> str:
    """Return JavaScript with each argument on a separate line, or all on one."""
    if width < 50:
        return re.sub(r"\((\w+), (\w+), (\w+)\)", r"(\n    \1,\n    \2,\n    \3,\n  )", code)
    joined = re.sub(r"\(\n\s+", "(", code)
    return re.sub(r",\n\s+\)", ")", re.sub(r",\n\s+(?=\w)", ", ", joined))


def markers(results: Iterable[tuple[FileResult, str]]) -> set[str]:
    """Return the unique words of all findings of some files."""
    return {
        marker(result, at, text) for result, text in results for at in range(len(result.findings))
    }
