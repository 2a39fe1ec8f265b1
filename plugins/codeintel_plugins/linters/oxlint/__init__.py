"""The oxlint analyzer: correctness, security and performance of JavaScript and TypeScript.
Configures oxlint's rules and filters its findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from codeintel_plugins.linters.oxlint import fixes
from codeintel_plugins.linters.oxlint.configuration import configuration, without_directives
from codeintel_plugins.linters.oxlint.process import (
    Diagnostic,
    OxlintRun,
    Span,
    diagnostics_of_many,
    oxlint_binary,
    write_configuration,
)
from codeintel_plugins.linters.oxlint.rules import (
    LANGUAGES,
    OXLINT_RULES,
    rule_of_code,
)
from codeintel_plugins.redaction import Redactor
from codeintel_plugins.suppressions import MAX_GATHERED, report_worst
from codeintel_plugins.toolkit.positions import ByteOffsets, ToolSource
from codeintel_plugins.toolkit.processes import ToolFailed
from codeintel_plugins.toolkit.rule_table import listing
from codeintel_plugins.toolkit.rule_texts import page_of, rule_texts, with_texts

TEXTS = Path(__file__).parent / "texts"
_QUOTED = re.compile(r"'([^']+)'")
_TYPEOF = re.compile(r"\btypeof\s+\(?\s*([\w$]+)")
_MODULE = re.compile(r"^\s*(?:import\b|export\b)|\bmodule\.exports\b|\bexports\.", re.MULTILINE)
# A function or class at the outermost level of a script: others call it.
_OFFERED = re.compile(
    r"(?:(?:async\s+)?function\s*\*?|class)\s*\Z|(?:const|let|var)\s+(?=[\w$]+\s*=\s*"
    r"(?:async\b\s*)?(?:function\b|class\b|\(|[\w$]+\s*=>))"
)


def worth_saying(diagnostics: Iterable[Diagnostic], source: ToolSource) -> Iterator[Diagnostic]:
    """Drop diagnostics that only result from checking a single file.

    These are functions and classes that a script defines for other scripts, all but the first
    occurrence of an undefined name, and names that occur in a `typeof` check.
    """
    offered = None if _MODULE.search(source.text) else _Offered(source)
    undefined = set(_TYPEOF.findall(source.text))
    for diagnostic in diagnostics:
        rule = rule_of_code(diagnostic.code)
        if rule == "no-unused-vars" and offered is not None and offered.has(diagnostic):
            continue
        if rule in {"no-undef", "react/jsx-no-undef"}:
            name = _QUOTED.search(diagnostic.message)
            if name is not None and name[1] in undefined:
                continue
            undefined.update(name.groups() if name is not None else ())
        yield diagnostic


class _Offered:
    """Which names a script defines for others."""

    def __init__(self, source: ToolSource) -> None:
        self._source = source
        self._offsets = ByteOffsets(source)

    def has(self, diagnostic: Diagnostic) -> bool:
        """Return whether the diagnostic is about such a name."""
        if not diagnostic.labels:
            return False
        byte = diagnostic.labels[0].span.offset
        place = self._offsets.span(byte, byte)
        line = self._source.line(place.start_line)
        before = line[: place.start_column - 1]
        if _OFFERED.fullmatch(before):
            return True
        match = _OFFERED.match(line)
        return match is not None and match.end() == len(before)


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
    """Oxlint's result for one file."""

    file: str
    diagnostics: list[Diagnostic]
    errors: list[Diagnostic]
    """The syntax errors among what it said: behind these it looks for nothing else."""
    cut_short: bool

    @property
    def extension(self) -> str:
        return self.file.rpartition(".")[2]

    @property
    def is_typescript(self) -> bool:
        return self.extension in {"ts", "tsx"}


Readings = Mapping[str, _Checked]
"""Oxlint's results for one code by the extension of the file as which it was read."""


class OxlintAnalyzer(Analyzer):
    """Oxlint's rules: `flash` has those about defects, `pro` those about quality too. Comments that
    switch rules off are not honored."""

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
        return with_texts(listing(OXLINT_RULES.values(), LANGUAGES), rule_texts(TEXTS))

    def page(self, rule_id: str) -> str | None:
        return page_of(rule_id, rule_texts(TEXTS))

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings in order of place; of several syntax errors only the first, as the
        others mostly follow from it."""
        return self._outputs(request, {})

    def analyze_many(
        self, requests: Sequence[AnalyzerRequest]
    ) -> Iterator[tuple[int, Iterable[AnalyzerOutput]]]:
        """Start oxlint once for all requests of a language.

        Codes that do not parse are read as TypeScript, all in one further run.
        """
        readings = _readings_of_many(requests)
        for place, request in enumerate(requests):
            yield place, self._outputs(request, readings.get(place, {}))

    def _outputs(self, request: AnalyzerRequest, known: Readings) -> Iterator[AnalyzerOutput]:
        """:param known: readings that were made together with those of other codes."""
        language = _language(request)
        source = ToolSource(request.code)
        if not source.for_tools.strip():
            return
        code = without_directives(source.for_tools)
        checked = _check(language, code, request.model, known)
        findings = _findings(checked, source)
        if not checked.errors and 0 < len(findings) <= _MAX_FINDINGS_WITH_FIXES:
            if checked in known.values():
                _write(checked.file, code, request.model)
            findings = _with_fixes(findings, checked.file, code, source)
        redactor = Redactor(source)
        redacted = (redactor.redact(finding) for finding in findings)
        yield from report_worst(self.name, redacted, request, cut_short=checked.cut_short)
        if checked.errors:
            yield Note(_syntax_note(len(checked.errors)))
        elif checked.is_typescript and language == "javascript":
            yield Note(READ_AS_TYPESCRIPT)


def _language(request: AnalyzerRequest) -> str:
    return request.language if request.language in _LANGUAGES else "javascript"


def _readings_of_many(requests: Sequence[AnalyzerRequest]) -> dict[int, dict[str, _Checked]]:
    """Return the readings of codes by place and extension. Some or all may be missing."""
    codes: dict[int, str] = {}
    for place, request in enumerate(requests):
        code = without_directives(ToolSource(request.code).for_tools)
        if code.strip():
            codes[place] = code
            Path(str(place)).mkdir()
    found: dict[int, dict[str, _Checked]] = {place: {} for place in codes}
    for is_first in (True, False):
        groups: dict[tuple[str, Model], dict[str, int]] = {}
        for place, code in codes.items():
            if not is_first and not _has_errors(found[place]):
                continue
            language = _language(requests[place])
            for extension in _next_extensions(language, code, is_first):
                path = Path(str(place), f"snippet.{extension}")
                path.write_text(code, "utf-8", newline="")
                read_as = "javascript" if extension == "js" else "typescript"
                groups.setdefault((read_as, requests[place].model), {})[str(path)] = place
        for (language, model), places in groups.items():
            for file, checked in _read_many(language, model, list(places)).items():
                found[places[file]][checked.extension] = checked
    return found


def _has_errors(readings: Readings) -> bool:
    return bool(readings) and all(each.errors for each in readings.values())


def _next_extensions(language: str, code: str, is_first: bool) -> tuple[str, ...]:
    """Return the extensions as which a code is read first, or those for code with errors."""
    if language == "javascript":
        return ("js",) if is_first else _extensions(code)
    return _extensions(code)[:1] if is_first else _extensions(code)[1:]


def _read_many(language: str, model: Model, files: Sequence[str]) -> dict[str, _Checked]:
    """Return the readings of files by one run, without those that need a run for themselves."""
    write_configuration(configuration(language, model))
    try:
        found = diagnostics_of_many(files)
    except (ToolFailed, OSError, KeyError, msgspec.MsgspecError):
        return {}
    return {
        file: _checked(Path(file).name, diagnostics, cut_short=False)
        for file, diagnostics in found.items()
        if len(diagnostics) <= MAX_GATHERED
    }


def _extensions(code: str) -> tuple[str, ...]:
    """Return the extensions of TypeScript that code may have."""
    return ("tsx", "ts") if _JSX.search(code) else ("ts",)


def _check(language: str, code: str, model: Model, known: Readings) -> _Checked:
    """Check the file.

    TypeScript is read with or without JSX, which exclude each other. JavaScript that does not parse
    is read as TypeScript, and counts as TypeScript if this parses.
    """
    best = None
    if language == "javascript":  # and scripts and JSX
        best = known.get("js") or _run("js", code, model)
        if not best.errors:
            return best
    for extension in _extensions(code):
        checked = known.get(extension) or _run(extension, code, model)
        if not checked.errors:
            return checked
        if best is None or (language != "javascript" and len(checked.errors) < len(best.errors)):
            best = checked
    assert best is not None  # noqa: S101 - for mypy: there is always an extension
    return best


def _write(file: str, code: str, model: Model) -> None:
    """Write the file and its configuration into the working folder."""
    language = "javascript" if file.endswith(".js") else "typescript"
    write_configuration(configuration(language, model))
    Path(file).write_text(code, "utf-8", newline="")


def _run(extension: str, code: str, model: Model) -> _Checked:
    file = f"snippet.{extension}"
    _write(file, code, model)
    run = OxlintRun(file, limit=MAX_GATHERED)
    found = list(run)
    return _checked(file, found, cut_short=run.cut_short)


def _checked(file: str, found: Iterable[Diagnostic], *, cut_short: bool) -> _Checked:
    diagnostics: list[Diagnostic] = []
    errors: list[Diagnostic] = []
    for diagnostic in found:
        # Syntax that only TypeScript has is reported in JavaScript with a TypeScript error number.
        known = diagnostic.code is not None and rule_of_code(diagnostic.code) in OXLINT_RULES
        (diagnostics if known else errors).append(diagnostic)
    return _Checked(file, diagnostics, errors, cut_short)


def _findings(checked: _Checked, source: ToolSource) -> list[Finding]:
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


def _with_fixes(
    findings: Iterable[Finding], file: str, code: str, source: ToolSource
) -> list[Finding]:
    known = fixes.fixes(file, code, source)
    fixed = []
    for finding in findings:
        place = finding.range
        fix = known.get((finding.rule_id, place.start_line, place.start_column))
        fixed.append(finding if fix is None else msgspec.structs.replace(finding, fix=fix))
    return fixed


def _syntax_note(count: int) -> str:
    which = "a syntax error" if count == 1 else f"{count} syntax errors. Only the first is reported"
    return f"The code has {which}. Oxlint's other rules could not check it."
