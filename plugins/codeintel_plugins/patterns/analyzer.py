"""The patterns analyser: our own rules over syntax trees, in eleven languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from codeintel.contracts import Analyzer, AnalyzerOutput, AnalyzerRequest, Finding, Note, RuleInfo
from codeintel_plugins.common.bounds import report_worst
from codeintel_plugins.common.positions import Source
from codeintel_plugins.flow.tree import GRAMMARS, parse
from codeintel_plugins.patterns.catalogue import for_language, shipped_rules
from codeintel_plugins.patterns.matching import Match, find_matches
from codeintel_plugins.patterns.pages import FOLDER

if TYPE_CHECKING:
    from codeintel_plugins.flow.origins import Origins


class PatternAnalyzer(Analyzer):
    """Each rule is a file in `rules/`. `pro` has a few more than `flash`."""

    name: ClassVar[str] = "patterns"
    languages: ClassVar[frozenset[str] | None] = frozenset(GRAMMARS)
    version = "1"

    def preload(self) -> None:
        import ast_grep_py  # noqa: F401 - so that children have it

        from codeintel_plugins.flow import origins  # noqa: F401

        for rule in shipped_rules():
            _ = rule.config, rule.required, rule.excluded

    def rules(self) -> Sequence[RuleInfo]:
        return [rule.info for rule in shipped_rules()]

    def page(self, rule_id: str) -> str | None:
        path = FOLDER / f"{rule_id}.html"
        known = any(rule.id == rule_id for rule in shipped_rules())
        return path.read_text() if known and path.is_file() else None

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Findings in order of rule and place."""
        from codeintel_plugins.flow.origins import trace_origins

        language = request.language or ""
        source = Source(request.code)
        tree = parse(source.text, language)
        deep = False

        @cache
        def origins() -> Origins:
            return trace_origins(tree, language)

        rules = [
            rule for rule in for_language(shipped_rules(), language) if request.model in rule.models
        ]
        findings = []
        try:
            for match in find_matches(tree.root, source.text, rules, origins):
                findings.append(_finding(match, source, tree.offset))
        except RecursionError:
            deep = True
        yield from report_worst(self.name, findings, cut_short=False)
        if deep:
            yield Note("Not all patterns could be checked: the code is nested too deeply.")


def _finding(match: Match, source: Source, offset: int) -> Finding:
    rule = match.rule
    return Finding(
        rule_id=rule.id,
        engine=PatternAnalyzer.name,
        severity=rule.severity,
        confidence=rule.confidence,
        cwe=rule.cwe,
        category=rule.category,
        message=rule.explanation,
        remedy=rule.remedy,
        range=source.span(max(0, match.span.start - offset), max(0, match.span.end - offset)),
    )
