"""The syntax analyzer: reports code that does not parse, in all languages that no other analyzer
parses, and defines how far each grammar's errors are trusted."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from xml.parsers import expat

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
from codeintel_plugins.grammars.readings import Reading, depends_on_macros, readings
from codeintel_plugins.redaction import Redactor
from codeintel_plugins.suppressions import report_worst
from codeintel_plugins.toolkit.positions import ByteOffsets, ToolSource
from codeintel_plugins.toolkit.rule_table import listing, read_table
from codeintel_plugins.toolkit.rule_texts import page_of, rule_texts, with_texts

if TYPE_CHECKING:
    from codeintel_plugins.grammars.tree import Problem


class Fault(NamedTuple):
    """The position at which parsing stops, and the reason."""

    offset: int
    message: str


class TooDeep(Exception):  # noqa: N818 - what happened
    """The document is nested too deeply to be parsed."""


_TOML_PLACE = re.compile(r"(?P<what>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end)")
_COMMENT = re.compile(
    r'"(?:[^"\\\r\n]|\\.)*+"?|(?P<comment>//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)'
)
_TRAILING_COMMA = re.compile(r'"(?:[^"\\\r\n]|\\.)*+"?|(?P<comma>,)(?=\s*[\]}])')
_TEMPLATE = re.compile(r"\{\{|\{%")


def json_fault(text: str) -> Fault | None:
    """Return the first error in JSON.

    Several documents in a row are valid. If the text has comments, trailing commas in lists are
    valid, too.
    """
    text = _plain_json(text)
    decoder = json.JSONDecoder()
    at = _skip(text, 0)
    try:
        while at < len(text):
            _, at = decoder.raw_decode(text, at)
            at = _skip(text, at)
    except json.JSONDecodeError as error:
        return _json_words(text, error)
    except RecursionError:
        raise TooDeep from None
    except ValueError:  # a number with more digits than Python reads
        return None
    return None


def _json_words(text: str, error: json.JSONDecodeError) -> Fault:
    before = text[: error.pos].rstrip()
    if before.endswith(",") and text[error.pos : error.pos + 1] in {"]", "}"}:
        return Fault(len(before) - 1, "Syntax error: nothing follows this comma.")
    what = f"{error.msg[:1].lower()}{error.msg[1:]}".removesuffix(" starting at")
    return Fault(error.pos, f"Syntax error: {what}.")


def _plain_json(text: str) -> str:
    def blank(match: re.Match[str]) -> str:
        comment = match["comment"]
        return match[0] if comment is None else re.sub(r"[^\r\n]", " ", comment)

    plain = _COMMENT.sub(blank, text)
    if plain == text:
        return text
    return _TRAILING_COMMA.sub(lambda match: " " if match["comma"] else match[0], plain)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def toml_fault(text: str) -> Fault | None:
    """Return the error in TOML."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _TOML_PLACE.match(str(error))
        what = match["what"] if match else "it cannot be read"
        offset = len(text.rstrip())
        if match and match["line"]:
            offset = _offset(text, int(match["line"]), int(match["column"]))
        return Fault(offset, f"Syntax error: {what[:1].lower()}{what[1:]}.")
    except RecursionError:
        raise TooDeep from None
    except ValueError:  # a date or a number that does not exist
        return None
    return None


def yaml_fault(text: str) -> Fault | None:
    """Return the error in YAML. Templates that produce YAML are skipped."""
    import yaml

    if _TEMPLATE.search(text):
        return None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for _ in yaml.parse(text, Loader=loader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        offset = _offset(text, mark.line + 1, mark.column + 1) if mark else 0
        return Fault(offset, f"Syntax error: {error.problem or 'it cannot be read'}.")
    except yaml.reader.ReaderError:  # a character that YAML does not allow
        return None
    except RecursionError:
        raise TooDeep from None
    return None


def xml_fault(text: str) -> Fault | None:
    """Return the error in XML.

    Several sibling elements count as a part of a document. External entities are not read.
    """
    first = _expat(text, b"")
    if first is None or "<!DOCTYPE" in text or "<?xml" in text:
        return first
    part = _expat(text, b"<part>")
    return part and first


def _expat(text: str, before: bytes) -> Fault | None:
    parser = expat.ParserCreate("utf-8")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.UseForeignDTD(True)  # entities may be defined elsewhere
    data = re.sub(r'(<\?xml[^>]{0,200}?encoding=)(["\'])[^"\']*\2', _utf8, text, count=1).encode()
    try:
        parser.Parse(before + data + (b"</part>" if before else b""), True)
    except expat.ExpatError as error:
        words = expat.errors.messages.get(error.code, "it cannot be read")
        shift = len(before) if error.lineno == 1 else 0
        line_start = _offset(text, error.lineno, 1)
        line = text[line_start:].encode()[: max(0, error.offset - shift)]
        offset = line_start + len(line.decode(errors="ignore"))
        return Fault(min(offset, len(text)), f"Syntax error: {words}.")
    return None


def _utf8(match: re.Match[str]) -> str:
    """Replace the encoding in a declaration by the one that the parser gets, at the same length."""
    room = len(match[0]) - len(match[1]) - 2
    return f"{match[1]}{match[2]}{'utf-8'[:room].ljust(0)}{match[2]}".ljust(len(match[0]))


def _offset(text: str, line: int, column: int) -> int:
    """Return the offset of a line and column, both from 1, of text whose lines end at LF."""
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
        if at == 0:
            return len(text)
    return min(at + column - 1, len(text))


FAULTS: Mapping[str, Callable[[str], Fault | None]] = {
    "json": json_fault,
    "toml": toml_fault,
    "xml": xml_fault,
    "yaml": yaml_fault,
}


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

# The grammars' names, where they differ from the names in this project.
_GRAMMARS = {
    "protobuf": "proto",
    "terraform": "hcl",
}
# Languages whose errors another analyzer reports are in none of the lists above. Neither are
# grammars that report errors in valid code, nor those of languages that are only embedded in
# others.

TRUST: dict[str, Trust] = {
    **dict.fromkeys(_EXACT.split(), EXACT),
    **dict.fromkeys(_CLOSE.split(), CLOSE),
    **dict.fromkeys(_LENIENT.split(), LENIENT),
}
"""What is read, by canonical name."""


def grammar_of(language: str) -> str:
    """Return the name of the grammar for a language of :data:`TRUST`."""
    return _GRAMMARS.get(language, language)


TEXTS = Path(__file__).parent / "texts"
_RULES = read_table("""
f invalid-syntax critical high - correctness The code does not parse.
f json-duplicate-key low high CWE-694 correctness An object has a duplicate key.
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
        known = listing(_RULES.values(), languages | {"json-duplicate-key": ("json",)})
        return with_texts(known, rule_texts(TEXTS))

    def page(self, rule_id: str) -> str | None:
        return page_of(rule_id, rule_texts(TEXTS))

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings in order of place: the first ten errors at most."""
        language = request.language
        if language is None or language not in TRUST:
            return
        source = ToolSource(request.code)
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


def _errors(code: bytes, language: str, source: ToolSource) -> Iterator[Finding]:
    offsets = ByteOffsets(source)
    for problem in _problems(code, language)[:_MAX_PROBLEMS]:
        if not problem.certain and depends_on_macros(code, language, problem.start):
            return  # and what comes behind may follow from it
        place = offsets.span(problem.start, problem.end)
        rule = _RULES["invalid-syntax"]._replace(**_grade(problem, language)._asdict())
        yield rule.finding(SyntaxAnalyzer.name, problem.message, place)


def _problems(code: bytes, language: str) -> list[Problem]:
    """Return the problems of the reading that parses furthest; none if one has no problems."""
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
    """Return how far a problem is trusted. A missing bracket is certain even if the grammar is
    inexact."""
    if problem.certain and language in SURE_OF_BRACKETS:
        return Trust(Severity.HIGH, Confidence.MEDIUM)
    return TRUST[language]


def _faults(text: str, language: str, source: ToolSource) -> Iterator[Finding]:
    mark = len(source.text) - len(source.for_tools)
    fault = FAULTS[language](text)
    if fault is not None:
        at = fault.offset + mark
        yield _RULES["invalid-syntax"].finding(
            SyntaxAnalyzer.name, fault.message, source.span(at, min(at + 1, len(source.text)))
        )
    if language == "json":
        yield from _duplicate_keys(text, source)


def _duplicate_keys(text: str, source: ToolSource) -> Iterator[Finding]:
    from codeintel_plugins.grammars.tree import duplicate_keys

    offsets = ByteOffsets(source)
    for start, end in duplicate_keys(text.encode()):
        message = "Duplicate key. Most parsers use the last value."
        yield _RULES["json-duplicate-key"].finding(
            SyntaxAnalyzer.name, message, offsets.span(start, end)
        )


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the analyzer of syntax."""
    register(SyntaxAnalyzer())


@hookimpl
def register_language_detectors(
    register: Callable[[LanguageDetector], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register the detector."""
    register(GrammarDetector())
