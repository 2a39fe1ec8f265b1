"""The metrics analyzer: size and cyclomatic complexity of Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from itertools import chain
from typing import ClassVar, NamedTuple

import msgspec

from codeintel.contracts import Analyzer, AnalyzerOutput, AnalyzerRequest, Metric, Note
from codeintel_plugins.python.ruff_process import (
    Diagnostic,
    RuffRun,
    diagnostics_of_many,
    ruff_binary,
)
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.processes import ToolFailed

_COMPLEXITY_OPTIONS = ("--select=C901", "--config=lint.mccabe.max-complexity=0")
_COMPLEXITY = re.compile(r"\((\d+) > 0\)\Z")
_MAX_FUNCTIONS = 20_000

# What counting needs of Python's lexical structure, so that code which does not parse is counted
# too. Everything repeats possessively: the search never goes back.
_TOKEN = re.compile(
    r"(?P<comment>#[^\r\n]*+)"
    r'|(?P<string>"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\\?\Z)'
    r"|'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\\?\Z)"
    r'|"(?:[^"\\\r\n]|\\\r\n|\\.)*+"?'
    r"|'(?:[^'\\\r\n]|\\\r\n|\\.)*+'?)"
    r"|(?P<word>[^\W\d]\w*+)"
    r"|(?P<other>[^\s#\"'\w]++|\d\w*+)",
    re.DOTALL,
)


class Size(NamedTuple):
    """Lines by kind, which add up to `lines`, and definitions. A line with code and a comment is a
    code line; all lines of a string, documentation included, are code lines, empty ones apart."""

    lines: int
    code_lines: int
    comment_lines: int
    blank_lines: int
    functions: int
    classes: int


def measure_size(source: ToolSource) -> Size:
    """Count, whether or not the code parses."""
    text = source.text
    code: set[int] = set()
    comments: set[int] = set()
    keywords = {"def": 0, "class": 0}
    for token in _TOKEN.finditer(text):
        first = source.line_at(token.start())
        if token["comment"] is not None:
            comments.add(first)
            continue
        code.add(first)
        if token["string"] is not None:
            last = source.line_at(token.end())
            code.update(line for line in range(first, last + 1) if source.line(line).strip())
        elif token[0] in keywords:
            keywords[token[0]] += 1
    # The empty last line after a final line end is a position, not a line of code.
    lines = len(source) - (not source.line(len(source)))
    comment_lines = len(comments - code)
    blank_lines = lines - len(code) - comment_lines
    return Size(lines, len(code), comment_lines, blank_lines, keywords["def"], keywords["class"])


class MetricsAnalyzer(Analyzer):
    """Sizes from the text itself, complexity from ruff's C901."""

    name: ClassVar[str] = "metrics"
    languages: ClassVar[frozenset[str] | None] = frozenset({"python"})

    def __init__(self) -> None:
        self.version = version("ruff")

    def preload(self) -> None:
        ruff_binary()

    def programs(self) -> Sequence[str]:
        return (ruff_binary(),)

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """`complexityMax` and `complexityMean` are left out where there is no function, and, with a
        note, where they cannot be known."""
        source = ToolSource(request.code)
        size = measure_size(source)
        yield from _sizes(size)
        if size.functions:
            run = RuffRun(source.for_tools, _COMPLEXITY_OPTIONS, limit=_MAX_FUNCTIONS)
            yield from _complexity(run, lambda: run.cut_short)

    def analyze_many(
        self, requests: Sequence[AnalyzerRequest]
    ) -> Iterator[tuple[int, Iterable[AnalyzerOutput]]]:
        """Start ruff once for all requests. If it fails, start it for each."""
        sources = [ToolSource(request.code) for request in requests]
        sizes = [measure_size(source) for source in sources]
        places = [place for place, size in enumerate(sizes) if size.functions]
        codes = [sources[place].for_tools for place in places]
        try:
            found = diagnostics_of_many(codes, _COMPLEXITY_OPTIONS, limit=_MAX_FUNCTIONS)
        except (ToolFailed, OSError, KeyError, msgspec.MsgspecError):
            return super().analyze_many(requests)
        complexities = {place: _complexity(each) for place, each in zip(places, found, strict=True)}
        return (
            (place, chain(_sizes(size), complexities.get(place, ())))
            for place, size in enumerate(sizes)
        )


def _sizes(size: Size) -> Iterator[AnalyzerOutput]:
    yield Metric("lines", size.lines)
    yield Metric("codeLines", size.code_lines)
    yield Metric("commentLines", size.comment_lines)
    yield Metric("blankLines", size.blank_lines)
    yield Metric("functions", size.functions)
    yield Metric("classes", size.classes)


def _complexity(
    diagnostics: Iterable[Diagnostic], is_cut_short: Callable[[], bool] = bool
) -> Iterator[AnalyzerOutput]:
    """:param is_cut_short: whether ruff had more to report, once all diagnostics are read."""
    try:
        messages = [each.message for each in diagnostics if each.code == "C901"]
    except ToolFailed:
        yield Note("Complexity could not be measured: the code is nested too deeply.")
        return
    values = [int(match[1]) for message in messages if (match := _COMPLEXITY.search(message))]
    if not values:
        yield Note("Complexity could not be measured: the code does not parse as Python.")
        return
    yield Metric("complexityMax", max(values))
    yield Metric("complexityMean", round(sum(values) / len(values), 2))
    if is_cut_short():
        yield Note("Only the first functions were measured, because the code has too many.")
