"""The patterns analyser: our own rules over syntax trees, in twelve languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from msgspec import UNSET

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Finding,
    FlowStep,
    Note,
    Range,
    RuleInfo,
    StepKind,
)
from codeintel_plugins.common.bounds import report_worst
from codeintel_plugins.common.positions import Source
from codeintel_plugins.common.recursion import deep_recursion
from codeintel_plugins.common.redaction import Redactor
from codeintel_plugins.flow.tree import GRAMMARS, Span, parse
from codeintel_plugins.patterns.catalogue import for_language, shipped_rules
from codeintel_plugins.patterns.matching import Match, find_matches
from codeintel_plugins.patterns.pages import FOLDER

if TYPE_CHECKING:
    from codeintel_plugins.flow.origins import Origins
    from codeintel_plugins.symbolic.facts import Found


class PatternAnalyzer(Analyzer):
    """Each rule is a file in `rules/`. `pro` has a few more than `flash`."""

    name: ClassVar[str] = "patterns"
    languages: ClassVar[frozenset[str] | None] = frozenset(GRAMMARS)
    version = "1"

    def preload(self) -> None:
        import ast_grep_py  # noqa: F401 - so that children have it

        from codeintel_plugins.flow import origins  # noqa: F401
        from codeintel_plugins.symbolic import find
        from codeintel_plugins.symbolic.library import library

        del find
        library()
        for rule in shipped_rules():
            _ = rule.config, rule.need

    def rules(self) -> Sequence[RuleInfo]:
        return [rule.info for rule in shipped_rules()]

    def page(self, rule_id: str) -> str | None:
        path = FOLDER / f"{rule_id}.html"
        known = any(rule.id == rule_id for rule in shipped_rules())
        return path.read_text() if known and path.is_file() else None

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Findings in order of rule and place."""
        from codeintel_plugins.flow.origins import trace_origins
        from codeintel_plugins.symbolic.find import find_facts

        language = request.language or ""
        source = Source(request.code)
        tree = parse(source.text, language)
        deep = False

        @cache
        def origins() -> Origins:
            return trace_origins(tree, language)

        @cache
        def facts() -> list[Found]:
            return find_facts(tree, language)

        taking_part = [
            rule for rule in for_language(shipped_rules(), language) if request.model in rule.models
        ]
        findings: list[Finding] = []
        try:
            with deep_recursion():
                matches = find_matches(tree.root, source.text, taking_part, origins, facts)
                findings.extend(_finding(match, source, tree.offset) for match in matches)
        except RecursionError:
            deep = True
        redactor = Redactor(source)
        yield from report_worst(self.name, map(redactor.redact, findings), request)
        if deep:
            yield Note("Not all patterns could be checked: the code is nested too deeply.")


def _finding(match: Match, source: Source, offset: int) -> Finding:
    rule = match.rule

    def place(where: Span) -> Range:
        return source.span(max(0, where.start - offset), max(0, where.end - offset))

    steps = [
        FlowStep(StepKind.STEP if number else StepKind.SOURCE, place(where), what)
        for number, (where, what) in enumerate(match.steps)
    ]
    if steps:
        steps.append(FlowStep(StepKind.SINK, place(match.span), "found here"))
    return Finding(
        rule_id=rule.id,
        engine=PatternAnalyzer.name,
        severity=rule.severity,
        confidence=rule.confidence,
        cwe=rule.cwe,
        category=rule.category,
        message=rule.explanation,
        remedy=rule.remedy,
        range=place(match.span),
        flow=tuple(steps) or UNSET,
    )
