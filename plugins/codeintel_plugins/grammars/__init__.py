"""The syntax analyser: code that does not parse, in all languages that nobody else parses, and how
far each grammar's word on errors goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from codeintel import hookimpl
from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Confidence,
    Finding,
    LanguageDetector,
    Note,
    RuleInfo,
    Severity,
)
from codeintel.engine.detection.detector import GrammarDetector
from codeintel_plugins.common.positions import ByteOffsets, Source
from codeintel_plugins.common.rule_table import listing, read_table
from codeintel_plugins.grammars.data_formats import FAULTS, TooDeep
from codeintel_plugins.grammars.readings import Reading, depends_on_macros, readings
from codeintel_plugins.secrets.redaction import Redactor
from codeintel_plugins.suppressions.marking import report_worst

if TYPE_CHECKING:
    from codeintel_plugins.grammars.tree import Problem


class Trust(NamedTuple):
    """The grade of a syntax error that a grammar reports."""

    severity: Severity
    confidence: Confidence


# Measured: of a hundred files that compile, these take a hundred, or all but one or two.
EXACT = Trust(Severity.CRITICAL, Confidence.HIGH)
# They know the language, apart from a corner of it that real programs do use.
CLOSE = Trust(Severity.MEDIUM, Confidence.LOW)
# What they call an error is one by the letter only, and programs take it all the same.
LENIENT = Trust(Severity.LOW, Confidence.MEDIUM)

_EXACT = (
    "cmake csharp erlang fortran go graphql java json lua php powershell protobuf ruby rust"
    " toml xml yaml"
)
_CLOSE = (
    "ada apex arduino bicep c cairo clojure commonlisp cpp css cuda dart dockerfile elisp elixir"
    " elm fennel fish fsharp gdscript gleam glsl gomod hack hare haskell haxe hlsl janet"
    " jsonnet julia kdl kotlin matlab meson nim ninja nix objc ocaml odin pascal perl prisma"
    " puppet purescript qmljs r racket rego ron scala scheme scss smithy solidity sparql"
    " squirrel starlark svelte swift terraform thrift typst verilog vhdl vue wat wgsl zig"
)
_LENIENT = "html"

_SURE_OF_BRACKETS = (
    "apex arduino c cpp css cuda dart dockerfile glsl hack haxe hlsl kotlin objc odin prisma scala"
    " scss smithy solidity swift terraform thrift verilog wgsl zig"
)
SURE_OF_BRACKETS = frozenset(_SURE_OF_BRACKETS.split())
"""Of those that are merely close, where a bracket without its other half is one for sure."""

# The grammars' names, where they are not ours.
_GRAMMARS = {
    "protobuf": "proto",
    "terraform": "hcl",
}
# Languages whose errors somebody else reports, and grammars that take too much for an error or that
# nobody writes by itself: none of them stands in a list above.

TRUST: dict[str, Trust] = {
    **dict.fromkeys(_EXACT.split(), EXACT),
    **dict.fromkeys(_CLOSE.split(), CLOSE),
    **dict.fromkeys(_LENIENT.split(), LENIENT),
}
"""What is read, by canonical name."""


def grammar_of(language: str) -> str:
    """The name of the grammar that reads a language of :data:`TRUST`."""
    return _GRAMMARS.get(language, language)


_RULES = read_table("""
f invalid-syntax critical high - correctness The code does not parse.
f json-duplicate-key low high CWE-694 correctness An object has a key twice: the last one counts.
""")
_MAX_PROBLEMS = 10
# Loaded before workers are forked, as loading takes longer than parsing.
_USUAL = "c cpp csharp css go html java json kotlin php ruby rust"


class SyntaxAnalyzer(Analyzer):
    """Errors of syntax, by tree-sitter's grammars, and by the usual reader where a format has one.
    Where a grammar is known to be wrong at times, its word is worth less."""

    name: ClassVar[str] = "syntax"
    languages: ClassVar[frozenset[str] | None] = frozenset(TRUST)
    timeout: float = 5.0

    def __init__(self) -> None:
        self.version = version("tree-sitter-language-pack")

    def preload(self) -> None:
        import yaml  # noqa: F401 - shared by the workers

        from codeintel_plugins.grammars.tree import load

        for grammar in _USUAL.split():
            load(grammar)

    def rules(self) -> Sequence[RuleInfo]:
        languages = {name: tuple(sorted(TRUST)) for name in _RULES}
        return listing(_RULES.values(), languages | {"json-duplicate-key": ("json",)})

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Findings in order of place: the first ten errors at most."""
        language = request.language
        if language is None or language not in TRUST:
            return
        source = Source(request.code)
        # A lone CR ends a line; both are one byte and one character.
        code = source.for_tools.replace("\r\n", " \n").replace("\r", "\n")
        if not code.strip():
            return
        try:
            if language in FAULTS:
                findings = list(_faults(code, language, source))
            else:
                findings = list(_errors(code.encode(), language, source))
        except TooDeep:
            yield Note("The syntax could not be checked: the code is nested too deeply.")
            return
        redactor = Redactor(source)
        yield from report_worst(self.name, map(redactor.redact, findings), request)


def _errors(code: bytes, language: str, source: Source) -> Iterator[Finding]:
    offsets = ByteOffsets(source)
    for problem in _problems(code, language)[:_MAX_PROBLEMS]:
        if not problem.certain and depends_on_macros(code, language, problem.start):
            return  # and what comes behind may follow from it
        place = offsets.span(problem.start, problem.end)
        rule = _RULES["invalid-syntax"]._replace(**_grade(problem, language)._asdict())
        yield rule.finding(SyntaxAnalyzer.name, problem.message, place)


def _problems(code: bytes, language: str) -> list[Problem]:
    """The problems of the reading that gets furthest; none if there is one that has none."""
    from codeintel_plugins.grammars.tree import Broken, parse

    broken: list[tuple[Reading, Broken]] = []
    for reading in readings(code, language):
        tree = parse(reading.text, grammar_of(reading.language or language))
        if tree is None:
            return []
        if not reading.unlikely:
            broken.append((reading, tree))
    if not broken:
        return []
    reading, tree = max(broken, key=lambda each: each[1].stop().start - each[0].before)
    return [
        problem._replace(
            certain=problem.certain and reading.text == code,
            start=_inside(problem.start - reading.before, code),
            end=_inside(problem.end - reading.before, code),
        )
        for problem in tree.problems()
    ]


def _inside(byte: int, code: bytes) -> int:
    return min(max(byte, 0), len(code))


def _grade(problem: Problem, language: str) -> Trust:
    """A bracket without its other half is one even if the grammar is not exact."""
    if problem.certain and language in SURE_OF_BRACKETS:
        return Trust(Severity.HIGH, Confidence.MEDIUM)
    return TRUST[language]


def _faults(text: str, language: str, source: Source) -> Iterator[Finding]:
    mark = len(source.text) - len(source.for_tools)
    fault = FAULTS[language](text)
    if fault is not None:
        at = fault.offset + mark
        yield _RULES["invalid-syntax"].finding(
            SyntaxAnalyzer.name, fault.message, source.span(at, min(at + 1, len(source.text)))
        )
    if language == "json":
        yield from _duplicate_keys(text, source)


def _duplicate_keys(text: str, source: Source) -> Iterator[Finding]:
    from codeintel_plugins.grammars.tree import duplicate_keys

    offsets = ByteOffsets(source)
    for start, end in duplicate_keys(text.encode()):
        message = "This key stands in the object already: most readers take the last one."
        yield _RULES["json-duplicate-key"].finding(
            SyntaxAnalyzer.name, message, offsets.span(start, end)
        )


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the analyser of syntax."""
    register(SyntaxAnalyzer())


@hookimpl
def register_language_detectors(
    register: Callable[[LanguageDetector], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register the detector."""
    register(GrammarDetector())
