"""Compare the code of findings: the lines of two files, and the shapes of single findings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property

from codeintel.cli.scan.report import Source
from codeintel.contracts import Finding
from codeintel.contracts.positions import LineTable

_SPACES = re.compile(r"\s+")
_LAST_COMMA = re.compile(r",(?=[)\]}])")
_QUOTES = str.maketrans({"'": '"', "`": '"'})
_MAX_LINES = 20
_CONTEXT = 3
_SHORT = 4
"""Lines with fewer characters, such as a bracket, do not show that two files are alike."""
RENAMED = 0.5
"""Part of the lines that a renamed file keeps."""


class Lines:
    """The lines of a text without differences in spaces."""

    def __init__(self, text: str) -> None:
        self._table = LineTable(text)
        self._known: dict[tuple[int, int], str] = {}

    @cached_property
    def normalized(self) -> list[str]:
        """The lines, each with single spaces and no indentation."""
        table = self._table
        return [" ".join(table.line(number).split()) for number in range(1, len(table) + 1)]

    def shape(self, finding: Finding) -> str:
        """Return the lines of a finding without spaces, line breaks and last commas.

        Formatters change nothing else. Quotes of all kinds are the same.
        """
        return self._squeezed(finding.range.start_line, last_line(finding))

    def squeezed_line(self, number: int) -> str:
        """Return a line as the shape of a finding has it."""
        return self._squeezed(number, number)

    def context(self, finding: Finding) -> str:
        """Return the shape of a finding's lines with those around them."""
        return self._squeezed(finding.range.start_line - _CONTEXT, last_line(finding) + _CONTEXT)

    def before(self, finding: Finding) -> str:
        """Return the shape of the lines before a finding, with its first line."""
        return self._squeezed(finding.range.start_line - _CONTEXT, finding.range.start_line)

    def after(self, finding: Finding) -> str:
        """Return the shape of the lines after a finding, with its last line."""
        last = last_line(finding)
        return self._squeezed(last, last + _CONTEXT)

    def _squeezed(self, first: int, last: int) -> str:
        first = max(first, 1)
        last = min(last, first + _MAX_LINES - 1, len(self._table))
        if (first, last) not in self._known:
            text = "\n".join(self._table.line(number) for number in range(first, last + 1))
            text = _LAST_COMMA.sub("", _SPACES.sub("", text)).translate(_QUOTES)
            self._known[first, last] = text
        return self._known[first, last]


class Texts:
    """The lines of files by path. Each file is read once.

    :param source: returns the text of a file, or None.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._known: dict[str, Lines | None] = {}

    def lines(self, path: str) -> Lines | None:
        """Return the lines of a file, or None if it cannot be read."""
        if path not in self._known:
            text = self._source(path)
            self._known[path] = None if text is None else Lines(text)
        return self._known[path]


def similarity(one: str, other: str) -> float:
    """Return a number from 0 to 1. It is 1 for equal texts."""
    from rapidfuzz.fuzz import ratio

    return float(ratio(one, other)) / 100


def renames(now: Iterable[str], before: Iterable[str], new: Texts, old: Texts) -> dict[str, str]:
    """Return the former paths of renamed files, by their new paths. Each path is used once.

    :param now: paths that the base does not have.
    :param before: paths that are gone.
    """
    holders: dict[str, list[str]] = defaultdict(list)
    sizes: Counter[str] = Counter()
    for path in before:
        for line in _telling(old.lines(path)):
            holders[line].append(path)
            sizes[path] += 1
    pairs = []
    for path in now:
        telling = _telling(new.lines(path))
        shared = Counter(other for line in telling for other in holders.get(line, ()))
        pairs += [
            (count / max(len(telling), sizes[other]), path, other)
            for other, count in shared.items()
        ]
    return _best(pairs)


def _best(pairs: Iterable[tuple[float, str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    used: set[str] = set()
    for likeness, path, other in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:])):
        if likeness >= RENAMED and path not in found and other not in used:
            found[path] = other
            used.add(other)
    return found


def _telling(lines: Lines | None) -> set[str]:
    return {line for line in lines.normalized if len(line) >= _SHORT} if lines else set()


def last_line(finding: Finding) -> int:
    place = finding.range
    last = place.end_line - 1 if place.end_column == 1 else place.end_line
    return max(place.start_line, last)
