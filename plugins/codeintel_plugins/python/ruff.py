"""The ruff analyzer: correctness, security, performance and complexity of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Applicability,
    Edit,
    Finding,
    Fix,
    Model,
    Note,
    RuleInfo,
    Severity,
)
from codeintel_plugins.python.bandit import TEXTS as BANDIT_TEXTS
from codeintel_plugins.python.ruff_process import (
    Diagnostic,
    RuffFix,
    RuffRun,
    diagnostics_of_many,
    ruff_binary,
)
from codeintel_plugins.python.rules import Rule, ruff_names, ruff_rule, ruff_rules
from codeintel_plugins.redaction import Redactor
from codeintel_plugins.suppressions import MAX_GATHERED, report_worst
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.processes import ToolFailed
from codeintel_plugins.toolkit.rule_texts import RuleText, page_of, rule_texts, with_texts

# Of the S rules those that `rules.py` does not drop.
_SECURITY = "S113,S201,S304,S305,S306,S312,S323,S501,S502,S503,S505,S507,S508,S509,S609,S612"
_FLASH = (
    "ASYNC,B,C90,E711,E721,E722,E9,F,LOG,PERF,PLE,RUF006,RUF008,RUF009,RUF016,RUF017,RUF024,"
    f"T10,W605,YTT,{_SECURITY}"
)
_PRO = (
    f"{_FLASH},A,ARG,BLE,C4,DJ,DTZ,ERA,FAST,FLY,FURB,G,INT,ISC004,NPY,PD,PGH,PIE,"
    "PLC0205,PLC0206,PLC0208,PLC3002,PLR0124,PLR0133,PLR0206,PLR0913,PLR0915,PLR1704,PLR1708,"
    "PLR1711,PLR1714,PLR1716,PLR1722,PLR1730,PLR1733,PLR1736,PLR5501,PLW,PTH,RET,RSE,RUF,SIM,TRY,UP"
)
# Ignored: fixes known to change behavior (E712, FURB152, FURB192); taste (the C4, PTH, SIM, TRY and
# RUF02x ones); suppressions, which are not honored here (RUF1); and upgrades to syntax newer than
# the oldest Python that is still supported, because the code's target version is unknown. The last
# row has rules that need the file's name (A005, PLW0406), another file (E902, RUF200) or another
# version of Python (B912, PERF203, PLE0116), and F621, which ruff never reports.
_IGNORED = (
    "E712,FURB152,FURB192,C408,PTH123,RUF022,RUF023,RUF100,RUF101,RUF102,RUF103,RUF104,SIM108,"
    "SIM117,SIM300,TRY003,TRY300,TRY301,UP036,UP040,UP042,UP043,UP046,UP047,UP049,"
    "A005,B912,E902,F621,PERF203,PLE0116,PLW0406,RUF200"
)
_MAX_COMPLEXITY = 10

_APPLICABILITY = {"safe": Applicability.SAFE, "unsafe": Applicability.UNSAFE}
_SYNTAX_ERROR = "invalid-syntax"
_MORE = '<p><a href="https://docs.astral.sh/ruff/rules/{}/">Ruff\'s page of the rule</a></p>\n'
_TEXTS = Path(__file__).parent / "texts" / "ruff"


def ruff_texts() -> Mapping[str, RuleText]:
    """Return the texts about ruff's rules. Its S rules share the texts of bandit's tests."""
    of_bandit = rule_texts(BANDIT_TEXTS)
    shared = {name: of_bandit[f"B{name[1:]}"] for name in _SECURITY.split(",")}
    return {**shared, **rule_texts(_TEXTS)}


def _options(model: Model) -> tuple[str, ...]:
    return (
        f"--select={_PRO if model is Model.PRO else _FLASH}",
        f"--ignore={_IGNORED}",
        f"--config=lint.mccabe.max-complexity={_MAX_COMPLEXITY}",
    )


class RuffAnalyzer(Analyzer):
    """Ruff's stable rules: `flash` has those about defects, `pro` those about quality too."""

    name: ClassVar[str] = "ruff"
    languages: ClassVar[frozenset[str] | None] = frozenset({"python"})

    def __init__(self) -> None:
        self.version = version("ruff")

    def preload(self) -> None:
        ruff_binary()

    def programs(self) -> Sequence[str]:
        return (ruff_binary(),)

    def rules(self) -> Sequence[RuleInfo]:
        return with_texts(ruff_rules(_options(Model.PRO)), ruff_texts())

    def page(self, rule_id: str) -> str | None:
        text = page_of(rule_id, ruff_texts())
        name = ruff_names(_options(Model.PRO)).get(rule_id)
        return f"{text}{_MORE.format(name)}" if text and name else text

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings in order of place; of several syntax errors only the first, as the
        others mostly follow from it."""
        source = ToolSource(request.code)
        run = RuffRun(source.for_tools, _options(request.model), limit=MAX_GATHERED)
        return self._outputs(request, source, run, lambda: run.cut_short)

    def analyze_many(
        self, requests: Sequence[AnalyzerRequest]
    ) -> Iterator[tuple[int, Iterable[AnalyzerOutput]]]:
        """Start ruff once for all requests. If it fails, start it for each."""
        sources = [ToolSource(request.code) for request in requests]
        if len({request.model for request in requests}) != 1:
            return super().analyze_many(requests)
        try:
            found = diagnostics_of_many(
                [source.for_tools for source in sources],
                _options(requests[0].model),
                limit=MAX_GATHERED,
            )
        except (ToolFailed, OSError, KeyError, msgspec.MsgspecError):
            return super().analyze_many(requests)
        return (
            (place, self._outputs(request, source, diagnostics))
            for place, (request, source, diagnostics) in enumerate(
                zip(requests, sources, found, strict=True)
            )
        )

    def _outputs(
        self,
        request: AnalyzerRequest,
        source: ToolSource,
        diagnostics: Iterable[Diagnostic],
        is_cut_short: Callable[[], bool] = bool,
    ) -> Iterator[AnalyzerOutput]:
        """:param is_cut_short: whether ruff had more to report, once all diagnostics are read."""
        redactor = Redactor(source)
        findings = []
        syntax_errors = 0
        for diagnostic in diagnostics:
            if diagnostic.code == _SYNTAX_ERROR and not _is_merely_new(diagnostic):
                syntax_errors += 1
                if syntax_errors > 1:
                    continue
            findings.append(redactor.redact(_finding(diagnostic, source)))
        yield from report_worst(self.name, findings, request, cut_short=is_cut_short())
        if syntax_errors:
            yield Note(_syntax_note(syntax_errors))


def _syntax_note(count: int) -> str:
    which = "a syntax error" if count == 1 else f"{count} syntax errors. Only the first is reported"
    return f"The code has {which}. Most of ruff's other rules could not check it."


def _is_merely_new(diagnostic: Diagnostic) -> bool:
    return "syntax was added in Python" in diagnostic.message


def _graded(diagnostic: Diagnostic, rule_id: str) -> Rule:
    rule = ruff_rule(rule_id)
    if rule_id == _SYNTAX_ERROR and _is_merely_new(diagnostic):
        return rule._replace(severity=Severity.LOW)
    return rule


def _finding(diagnostic: Diagnostic, source: ToolSource) -> Finding:
    rule_id = diagnostic.code or _SYNTAX_ERROR
    rule = _graded(diagnostic, rule_id)
    start, end = diagnostic.location, diagnostic.end_location
    return Finding(
        rule_id=rule_id,
        engine=RuffAnalyzer.name,
        severity=rule.severity,
        confidence=rule.confidence,
        cwe=rule.cwe,
        category=rule.category,
        message=diagnostic.message,
        range=source.tool_range((start.row, start.column), (end.row, end.column)),
        fix=_fix(diagnostic.fix, diagnostic.message, source) if diagnostic.fix else UNSET,
    )


def _fix(fix: RuffFix, message: str, source: ToolSource) -> Fix | UnsetType:
    edits = []
    for edit in fix.edits:
        start, end = edit.location, edit.end_location
        place = source.exact_range((start.row, start.column), (end.row, end.column))
        if place is None:  # an edit that was moved would damage the code
            return UNSET
        edits.append(Edit(place, edit.content))
    return Fix(
        message=fix.message or message,
        applicability=_APPLICABILITY.get(fix.applicability, Applicability.DISPLAY),
        edits=tuple(edits),
    )
