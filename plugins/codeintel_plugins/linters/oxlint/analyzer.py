"""The oxlint analyser: correctness, security and performance of JavaScript and TypeScript."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar, NamedTuple

import msgspec

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Finding,
    Model,
    Note,
    RuleInfo,
)
from codeintel.engine.dataflow.tree import READ_AS_TYPESCRIPT
from codeintel_plugins.common.offsets import ByteOffsets
from codeintel_plugins.common.positions import Source
from codeintel_plugins.common.rule_table import listing
from codeintel_plugins.linters.oxlint.config import configuration, without_directives
from codeintel_plugins.linters.oxlint.fixes import fixes
from codeintel_plugins.linters.oxlint.noise import worth_saying
from codeintel_plugins.linters.oxlint.process import (
    Diagnostic,
    OxlintRun,
    Span,
    oxlint_binary,
    write_configuration,
)
from codeintel_plugins.linters.oxlint.rules import LANGUAGES, OXLINT_RULES, rule_of_code
from codeintel_plugins.secrets.redaction import Redactor
from codeintel_plugins.suppressions.bounds import MAX_GATHERED, report_worst

_LANGUAGES = frozenset({"javascript", "typescript"})
_JSX = re.compile(r"</[A-Za-z>]|/>")
_MAX_FINDINGS_WITH_FIXES = 500
# Their second place is the defect, the first one only what it collides with.
_SECOND_PLACE_COUNTS = frozenset(
    {
        "invalid-syntax",
        "no-class-assign",
        "no-const-assign",
        "no-dupe-class-members",
        "no-dupe-else-if",
        "no-dupe-keys",
        "no-duplicate-case",
        "no-func-assign",
        "no-redeclare",
        "typescript/no-duplicate-enum-values",
    }
)
_ADVICE_ON_STYLE = re.compile(r" Unused \w+ should start with a '_'\.")
_HELPLESS = frozenset({"no-undef", "react/jsx-no-undef", "no-unused-vars"})


class _Checked(NamedTuple):
    """What oxlint said of one file."""

    file: str
    diagnostics: list[Diagnostic]
    errors: list[Diagnostic]
    """The syntax errors among what it said: behind these it looks for nothing else."""
    cut_short: bool

    @property
    def is_typescript(self) -> bool:
        return self.file.endswith((".ts", ".tsx"))


class OxlintAnalyzer(Analyzer):
    """Oxlint's rules: `flash` has those about defects, `pro` those about quality too. Comments that
    switch rules off are not honoured."""

    name: ClassVar[str] = "oxlint"
    languages: ClassVar[frozenset[str] | None] = _LANGUAGES
    timeout: float = 5.0

    def __init__(self) -> None:
        self.version = version("oxlint")

    def preload(self) -> None:
        oxlint_binary()

    def programs(self) -> Sequence[str]:
        return (oxlint_binary(),)

    def rules(self) -> Sequence[RuleInfo]:
        return listing(OXLINT_RULES.values(), LANGUAGES)

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Findings in order of place; of several syntax errors only the first, as the others mostly
        follow from it."""
        language = request.language if request.language in _LANGUAGES else "javascript"
        source = Source(request.code)
        if not source.for_tools.strip():
            return
        code = without_directives(source.for_tools)
        checked = _check(language, code, request.model)
        findings = _findings(checked, source)
        if not checked.errors and 0 < len(findings) <= _MAX_FINDINGS_WITH_FIXES:
            findings = _with_fixes(findings, checked.file, code, source)
        redactor = Redactor(source)
        redacted = (redactor.redact(finding) for finding in findings)
        yield from report_worst(self.name, redacted, request, cut_short=checked.cut_short)
        if checked.errors:
            yield Note(_syntax_note(len(checked.errors)))
        elif checked.is_typescript and language == "javascript":
            yield Note(READ_AS_TYPESCRIPT)


def _check(language: str, code: str, model: Model) -> _Checked:
    """Have the file checked; TypeScript is read with or without JSX, which exclude each other.
    JavaScript that does not parse is read as TypeScript, and counts as that if this parses."""
    best = _run("js", code, model) if language == "javascript" else None  # and scripts and JSX
    if best is not None and not best.errors:
        return best
    for extension in ("tsx", "ts") if _JSX.search(code) else ("ts",):
        checked = _run(extension, code, model)
        if not checked.errors:
            return checked
        if best is None or (language != "javascript" and len(checked.errors) < len(best.errors)):
            best = checked
    assert best is not None  # noqa: S101 - for mypy: there is always an extension
    return best


def _run(extension: str, code: str, model: Model) -> _Checked:
    language = "javascript" if extension == "js" else "typescript"
    write_configuration(configuration(language, model))
    file = f"snippet.{extension}"
    Path(file).write_text(code, "utf-8", newline="")
    run = OxlintRun(file, limit=MAX_GATHERED)
    diagnostics: list[Diagnostic] = []
    errors: list[Diagnostic] = []
    for diagnostic in run:
        # What only TypeScript has is told of JavaScript with a number of TypeScript's.
        known = diagnostic.code is not None and rule_of_code(diagnostic.code) in OXLINT_RULES
        (diagnostics if known else errors).append(diagnostic)
    return _Checked(file, diagnostics, errors, run.cut_short)


def _findings(checked: _Checked, source: Source) -> list[Finding]:
    offsets = ByteOffsets(source)
    diagnostics = list(worth_saying(checked.diagnostics, source))
    if checked.errors:
        first = min(checked.errors, key=lambda each: _span(each).offset)
        diagnostics.append(msgspec.structs.replace(first, code=None))
    diagnostics.sort(key=lambda each: _span(each).offset)
    return [_finding(diagnostic, offsets) for diagnostic in diagnostics]


def _finding(diagnostic: Diagnostic, offsets: ByteOffsets) -> Finding:
    span = _span(diagnostic)
    name = rule_of_code(diagnostic.code)
    found = OXLINT_RULES[name].finding(
        OxlintAnalyzer.name,
        _ADVICE_ON_STYLE.sub("", diagnostic.message),
        offsets.span(span.offset, span.offset + span.length),
    )
    if diagnostic.help is None or name in _HELPLESS:
        return found
    return msgspec.structs.replace(found, remedy=diagnostic.help)


def _span(diagnostic: Diagnostic) -> Span:
    if not diagnostic.labels:
        return Span(0, 0)
    second = rule_of_code(diagnostic.code) in _SECOND_PLACE_COUNTS
    return diagnostic.labels[-1 if second else 0].span


def _with_fixes(findings: Iterable[Finding], file: str, code: str, source: Source) -> list[Finding]:
    known = fixes(file, code, source)
    fixed = []
    for finding in findings:
        place = finding.range
        fix = known.get((finding.rule_id, place.start_line, place.start_column))
        fixed.append(finding if fix is None else msgspec.structs.replace(finding, fix=fix))
    return fixed


def _syntax_note(count: int) -> str:
    which = "a syntax error" if count == 1 else f"{count} syntax errors, the first is reported"
    return f"The code has {which}: oxlint's other rules could not check it."
