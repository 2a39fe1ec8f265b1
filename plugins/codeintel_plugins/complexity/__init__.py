"""The complexity analyzer: lines by kind in any language, whether or not the code parses, and
functions that branch too much."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from codeintel import hookimpl
from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Finding,
    Metric,
    Model,
    Note,
    Range,
    RuleInfo,
    Severity,
)
from codeintel_plugins.complexity.lexis import Lexis, lexis_of, token_pattern
from codeintel_plugins.redaction import Redactor
from codeintel_plugins.suppressions import report_worst
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.recursion import deep_recursion
from codeintel_plugins.toolkit.rule_table import listing, read_table
from codeintel_plugins.toolkit.rule_texts import page_of, rule_texts, with_texts

TEXTS = Path(__file__).parent / "texts"
_NAME_FOLLOWS = re.compile(r"\s+[^\W\d]")


class Size(NamedTuple):
    """Lines by kind, which add up to `lines`, and classes; None for what the language does not let
    be known. A line with code and a comment is a code line; all lines of a string are code lines,
    empty ones apart."""

    lines: int
    blank_lines: int
    code_lines: int | None = None
    comment_lines: int | None = None
    classes: int | None = None


def measure_size(source: ToolSource, language: str | None) -> Size:
    """Count. Without a known language only lines and blank lines are known."""
    # The empty last line after a final line end is a position, not a line of code.
    lines = len(source) - (not source.line(len(source)))
    blank = sum(not source.line(number).strip() for number in range(1, lines + 1))
    lexis = lexis_of(language)
    if lexis is None:
        return Size(lines, blank)
    code, classes = _code_lines(source, lexis)
    comments = lines - blank - len(code)
    counted = classes if lexis.classes else None
    return Size(lines, blank, len(code), comments, counted)


def _code_lines(source: ToolSource, lexis: Lexis) -> tuple[set[int], int]:
    """Return numbers of the lines with code, and how many classes there are."""
    text = source.text
    code: set[int] = set()
    classes = 0
    for token in token_pattern(lexis).finditer(text):
        if token["comment"] is not None:
            continue
        first = source.span(token.start(), token.start()).start_line
        code.add(first)
        if token["string"] is not None:
            last = source.span(token.end(), token.end()).start_line
            code.update(line for line in range(first, last + 1) if source.line(line).strip())
        elif token["word"] in lexis.classes and _begins_a_class(text, token):
            classes += 1
    return code, classes


def _begins_a_class(text: str, word: re.Match[str]) -> bool:
    """Return whether a name follows and the word is not a member, as in `Thing.class`."""
    return text[word.start() - 1 : word.start()] not in {".", "@", ":"} and bool(
        _NAME_FOLLOWS.match(text, word.end())
    )


_RULES = read_table("""
f complex-function low high CWE-1121 complexity A function is too complex.
p many-parameters info high CWE-1064 complexity A function has too many parameters.
""")
_MAX_COMPLEXITY = 10
_MUCH_TOO_COMPLEX = 20
_MAX_PARAMETERS = 7
_MAX_NAME = 60

# The file extensions by which lizard knows our languages.
_EXTENSIONS: Mapping[str, str] = {
    "c": "c",
    "cpp": "cpp",
    "csharp": "cs",
    "erlang": "erl",
    "fortran": "f90",
    "gdscript": "gd",
    "go": "go",
    "java": "java",
    "javascript": "jsx",
    "kotlin": "kt",
    "lua": "lua",
    "objc": "m",
    "oracle": "sql",
    "perl": "pl",
    "php": "php",
    "r": "r",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala",
    "solidity": "sol",
    "swift": "swift",
    "typescript": "ts",
    "vue": "vue",
    "zig": "zig",
}
_JSX = re.compile(r"</[A-Za-z>]|/>")
_OPENING_TAG = re.compile(r"<\?(?:php|=)", re.IGNORECASE)
_PHP = "<?php "


class ComplexityAnalyzer(Analyzer):
    """Counts lines of every language but Python, for which `metrics` does, and measures functions
    with lizard. Comments that exclude code are not honored."""

    name: ClassVar[str] = "complexity"
    languages: ClassVar[frozenset[str] | None] = None
    timeout: float = 5.0

    def __init__(self) -> None:
        self.version = version("lizard")

    def understands(self, language: str | None) -> bool:
        return language != "python"

    def preload(self) -> None:
        for extension in sorted(set(_EXTENSIONS.values())):
            functions_of("", extension)

    def rules(self) -> Sequence[RuleInfo]:
        languages = dict.fromkeys(_RULES, tuple(sorted(_EXTENSIONS)))
        return with_texts(listing(_RULES.values(), languages), rule_texts(TEXTS))

    def page(self, rule_id: str) -> str | None:
        return page_of(rule_id, rule_texts(TEXTS))

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings, file sizes first, so that errors in the functions cannot lose them."""
        source = ToolSource(request.code)
        yield from _sizes(source, request.language)
        extension = _extension(request.language, source.text)
        if extension is None:
            return
        try:
            functions = _functions(source, extension)
        except RecursionError:
            yield Note("Complexity could not be measured: the code is nested too deeply.")
            return
        except (IndexError, AttributeError, TypeError, ValueError):
            # Lizard reads tokens without a grammar, and fails at some valid code.
            yield Note("Complexity could not be measured: lizard cannot read this code.")
            return
        yield Metric("functions", len(functions))
        if functions:
            values = [function.complexity for function in functions]
            yield Metric("complexityMax", max(values))
            yield Metric("complexityMean", round(sum(values) / len(values), 2))
        redactor = Redactor(source)
        findings = map(redactor.redact, _findings(functions, source, request.model))
        yield from report_worst(self.name, findings, request)


def _sizes(source: ToolSource, language: str | None) -> Iterator[Metric]:
    size = measure_size(source, language)
    counts = {
        "lines": size.lines,
        "codeLines": size.code_lines,
        "commentLines": size.comment_lines,
        "blankLines": size.blank_lines,
        "classes": size.classes,
    }
    for name, count in counts.items():
        if count is not None:
            yield Metric(name, count)


def _extension(language: str | None, text: str) -> str | None:
    if language == "typescript" and _JSX.search(text):
        return "tsx"
    return _EXTENSIONS.get(language or "")


def _functions(source: ToolSource, extension: str) -> list[Function]:
    code = source.for_tools.replace("\r\n", "\n").replace("\r", "\n")
    if extension == "php" and not _OPENING_TAG.search(code):
        code = _PHP + code  # lizard reads text without the tag as no code at all
    return functions_of(code, extension)


class Function(NamedTuple):
    """A function that has a name; `line` is that of its beginning, from 1."""

    name: str
    line: int
    complexity: int
    parameters: int


def functions_of(code: str, extension: str) -> list[Function]:
    """Return all functions, in line order.

    Lizard's own analysis obeys comments that exclude code from it, and writes to standard error, so
    this runs its parts.

    :param code: lines end at LF.
    :param extension: a file extension, by which lizard selects the language.
    :raises RecursionError: if the code is nested too deeply.
    """
    from lizard_core.file_analyzer import (  # type: ignore[import-untyped]
        condition_counter,
        line_counter,
        preprocessing,
        token_counter,
    )
    from lizard_core.file_info_builder import FileInfoBuilder  # type: ignore[import-untyped]
    from lizard_languages import get_reader_for  # type: ignore[import-untyped]

    file = f"snippet.{extension}"
    context = FileInfoBuilder(file)
    reader = get_reader_for(file)(context)
    tokens = reader.generate_tokens(code)
    with deep_recursion():
        for process in (preprocessing, _without_comments, line_counter, token_counter):
            tokens = process(tokens, reader)
        for _ in reader(condition_counter(tokens, reader), reader):
            pass
    found = [
        Function(each.name, each.start_line, each.cyclomatic_complexity, len(each.full_parameters))
        for each in context.fileinfo.function_list
    ]
    return sorted(found, key=lambda function: function.line)


def _without_comments(tokens: Iterable[str], reader: Any) -> Iterator[str]:
    """Yield the tokens, with line ends alone for comments of several lines."""
    for token in tokens:
        comment = reader.get_comment_from_token(token)
        if comment is None:
            yield token
        else:
            yield from "\n" * comment.count("\n")


def _findings(functions: Sequence[Function], source: ToolSource, model: Model) -> Iterator[Finding]:
    for function in functions:
        place = _place(function, source)
        name = function.name if len(function.name) <= _MAX_NAME else f"{function.name[:_MAX_NAME]}…"
        if function.complexity > _MAX_COMPLEXITY:
            rule = _RULES["complex-function"]
            if function.complexity > _MUCH_TOO_COMPLEX:
                rule = rule._replace(severity=Severity.MEDIUM)
            message = f"`{name}` is too complex ({function.complexity} > {_MAX_COMPLEXITY})"
            yield rule.finding(ComplexityAnalyzer.name, message, place)
        rule = _RULES["many-parameters"]
        if function.parameters > _MAX_PARAMETERS and model in rule.models:
            message = (
                f"`{name}` has too many parameters ({function.parameters} > {_MAX_PARAMETERS})"
            )
            yield rule.finding(ComplexityAnalyzer.name, message, place)


def _place(function: Function, source: ToolSource) -> Range:
    """Return the range of the function's name, or of the line without its indentation."""
    number = min(max(function.line, 1), len(source))
    line = source.line(number)
    parts = re.findall(
        r"\w+", function.name.partition(":")[0] if " " in function.name else function.name
    )
    name = re.search(rf"\b{re.escape(parts[-1])}\b", line) if parts else None
    start, end = name.span() if name else (len(line) - len(line.lstrip()), len(line.rstrip()))
    return Range(number, start + 1, number, max(start, end) + 1)


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the analyzer."""
    register(ComplexityAnalyzer())
