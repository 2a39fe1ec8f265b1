"""The bandit analyzer: security of Python, with a weakness class for each finding."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Confidence,
    Finding,
    Note,
    RuleInfo,
    Severity,
)
from codeintel_plugins.python.rules import bandit_rule, bandit_rules
from codeintel_plugins.redaction import Redactor
from codeintel_plugins.suppressions import report_worst
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.rule_texts import page_of, rule_texts, with_texts

if TYPE_CHECKING:
    from codeintel_plugins.python.bandit_visitor import BanditOutcome, Located

TEXTS = Path(__file__).parent / "texts" / "bandit"


class BanditAnalyzer(Analyzer):
    """Bandit's tests without the dropped ones, in process. `# nosec` comments are not honored."""

    name: ClassVar[str] = "bandit"
    languages: ClassVar[frozenset[str] | None] = frozenset({"python"})

    def __init__(self) -> None:
        self.version = version("bandit")

    def preload(self) -> None:
        from codeintel_plugins.python.bandit_visitor import prepare

        prepare()

    def rules(self) -> Sequence[RuleInfo]:
        return with_texts(bandit_rules(), rule_texts(TEXTS))

    def page(self, rule_id: str) -> str | None:
        return page_of(rule_id, rule_texts(TEXTS))

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings in the order in which bandit walks the syntax tree."""
        from codeintel_plugins.python.bandit_visitor import inspect

        source = ToolSource(request.code)
        redactor = Redactor(source)
        outcome = inspect(source)
        findings = (redactor.redact(_finding(located)) for located in outcome.found)
        yield from report_worst(self.name, findings, request, cut_short=outcome.cut_short)
        yield from _notes(outcome)


def _finding(located: Located) -> Finding:
    severity, confidence = Severity(located.severity), Confidence(located.confidence)
    cwe = f"CWE-{located.cwe}" if located.cwe else None
    rule = bandit_rule(located.test_id, severity, confidence, cwe)
    return Finding(
        rule_id=located.test_id,
        engine=BanditAnalyzer.name,
        severity=rule.severity,
        confidence=rule.confidence,
        cwe=rule.cwe,
        category=rule.category,
        message=located.text,
        range=located.range,
    )


def _notes(outcome: BanditOutcome) -> Iterator[Note]:
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    if outcome.does_not_parse:
        yield Note(f"bandit could not check the code, because it does not parse as {python}.")
    if outcome.too_deep:
        how_much = "only a part of the code" if outcome.found else "little or none of the code"
        yield Note(f"bandit could check {how_much}, because it is nested too deeply.")
    if outcome.failed_tests:
        names = ", ".join(sorted(outcome.failed_tests))
        yield Note(f"Some bandit tests failed and may have missed findings: {names}.")
