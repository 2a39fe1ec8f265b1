"""The patterns analyser: our own rules over syntax trees, in twelve languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from codeintel.engine.dataflow.tree import GRAMMARS, READ_AS_TYPESCRIPT, Span, parse
from codeintel_plugins.common.positions import Source
from codeintel_plugins.common.recursion import Once, deep_recursion
from codeintel_plugins.patterns.catalogue import for_language, shipped_rules
from codeintel_plugins.patterns.matching import Match, find_matches
from codeintel_plugins.patterns.pages import FOLDER
from codeintel_plugins.secrets.redaction import Redactor
from codeintel_plugins.suppressions.bounds import report_worst

if TYPE_CHECKING:
    from codeintel.engine.dataflow.origins import Origins
    from codeintel.engine.symbolic.facts import Found
    from codeintel_plugins.patterns.rule import PatternRule

MAX_SOON = 500
"""Up to so many findings are reported before all are known: of more, the worst must be chosen."""

_CUT_SHORT = "patterns did not follow all values: {why}."


class PatternAnalyzer(Analyzer):
    """Each rule is a file in `rules/`. `pro` has a few more than `flash`."""

    name: ClassVar[str] = "patterns"
    languages: ClassVar[frozenset[str] | None] = frozenset(GRAMMARS)
    version = "1"

    def preload(self) -> None:
        import ast_grep_py  # noqa: F401 - so that children have it

        from codeintel.engine.dataflow import origins  # noqa: F401
        from codeintel.engine.symbolic import find
        from codeintel.engine.symbolic.library import library

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
        """Findings in order of rule and place: first those for which a look at the tree is enough,
        so that they are there should the others take too long."""
        search = _Search(request)
        soon: list[PatternRule] = []
        later: list[PatternRule] = []
        for rule in for_language(shipped_rules(), search.language):
            if request.model in rule.models:
                (later if rule.facts or rule.asks_origins else soon).append(rule)
        found = search.findings(soon)
        told = len(found) if len(found) <= MAX_SOON else 0
        if told:
            yield from report_worst(self.name, found, request)
            found = []
        found += search.findings(later)
        yield from report_worst(self.name, found, request, already=told)
        if search.language != request.language:
            yield Note(READ_AS_TYPESCRIPT)
        if search.deep:
            yield Note("Not all patterns could be checked: the code is nested too deeply.")
        for why in search.early:
            yield Note(_CUT_SHORT.format(why=why), truncated=True)


class _Search:
    """Rules looked for in one piece of code."""

    def __init__(self, request: AnalyzerRequest) -> None:
        self._source = Source(request.code)
        self._tree = parse(self._source.text, request.language or "")
        self.language = self._tree.language
        """The one that the code was read as."""
        self._redactor = Redactor(self._source)
        self._origins = Once(self._trace)
        self._facts = Once(self._execute)
        self.deep = False
        """Whether the code is nested too deeply for some rule."""
        self.early: list[str] = []
        """Why values were not followed to their end, a sentence for each reason."""

    def findings(self, rules: Iterable[PatternRule]) -> list[Finding]:
        """What they find, as far as that can be told: a rule for which the code is nested too
        deeply leaves the others as they are."""
        found: list[Finding] = []
        with deep_recursion():
            for matches in find_matches(
                self._tree.root, self._source.text, rules, self._origins, self._facts
            ):
                try:
                    for match in matches:
                        finding = _finding(match, self._source, self._tree.offset)
                        found.append(self._redactor.redact(finding))
                except RecursionError:
                    self.deep = True
        return found

    def _trace(self) -> Origins:
        from codeintel.engine.dataflow.origins import trace_origins

        traced = trace_origins(self._tree, self.language)
        self.early.extend(filter(None, [traced.exhausted]))
        return traced

    def _execute(self) -> list[Found]:
        from codeintel.engine.symbolic.find import execute

        executed = execute(self._tree, self.language)
        self.early.extend(executed.early)
        return executed.found


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
        message=f"{rule.summary} {rule.explanation}",
        remedy=rule.remedy,
        range=place(match.span),
        flow=tuple(steps) or UNSET,
    )
