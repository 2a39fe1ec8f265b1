"""The patterns analyzer: our own rules over syntax trees, in twelve languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import UNSET

from codeintel import hookimpl
from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Finding,
    FlowStep,
    Model,
    Note,
    Range,
    RuleInfo,
    StepKind,
)
from codeintel.engine.dataflow.lowering.rust_forms import find_in_macros, with_macros_as_calls
from codeintel.engine.dataflow.tree import GRAMMARS, READ_AS_TYPESCRIPT, Span, parse, span
from codeintel_plugins.patterns.catalogue import PAGES, for_language, refresh, shipped_rules
from codeintel_plugins.patterns.features import Features, searcher
from codeintel_plugins.patterns.needs import expressions_in
from codeintel_plugins.patterns.rule import PatternRule
from codeintel_plugins.patterns.telling import at_place, in_tree, places_of
from codeintel_plugins.redaction import Redactor
from codeintel_plugins.suppressions import report_worst
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.recursion import Once, deep_recursion

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from codeintel.engine.dataflow.origins import Origins
    from codeintel.engine.symbolic.facts import Found

MAX_SOON = 500
"""Up to this number, findings of simple rules are sent early. Of more, the worst are chosen."""

_CUT_SHORT = "patterns stopped the data flow analysis early: {why}."


class PatternAnalyzer(Analyzer):
    """Runs our own rules. Each rule is a file in `rules/`. `pro` runs a few more than `flash`."""

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
            _ = rule.config, rule.ascii_config
            for expression in expressions_in(rule.need):
                searcher(expression)

    def rules(self) -> Sequence[RuleInfo]:
        return [rule.info for rule in shipped_rules()]

    def page(self, rule_id: str) -> str | None:
        path = PAGES / f"{rule_id}.html"
        known = any(rule.id == rule_id for rule in shipped_rules())
        return path.read_text() if known and path.is_file() else None

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings in order of rule and place. Rules that need only the tree run first, so
        their findings are sent even if the others time out."""
        search = _Search(request)
        soon: list[PatternRule] = []
        later: list[PatternRule] = []
        for rule in _rules_of(search.language, request.model):
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
    """A search for rules in one piece of code."""

    def __init__(self, request: AnalyzerRequest) -> None:
        self._source = ToolSource(request.code)
        self._tree = parse(self._source.text, request.language or "")
        self.language = self._tree.language
        """The language that the code was parsed as."""
        self._features = _features(self._tree.root, self._source.text, self.language)
        self._redactor = Redactor(self._source)
        self._origins = Once(self._trace)
        self._facts = Once(self._execute)
        self.deep = False
        """Whether the code is nested too deeply for a rule."""
        self.early: list[str] = []
        """The reasons why the data flow analysis ended early, as sentences."""

    def findings(self, rules: Iterable[PatternRule]) -> list[Finding]:
        """Return the findings of the rules. If the code is nested too deeply for one rule, the
        others still run."""
        found: list[Finding] = []
        with deep_recursion():
            for matches in find_matches(
                self._tree.root,
                self._source.text,
                rules,
                self._origins,
                self._facts,
                self._features,
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


def _finding(match: Match, source: ToolSource, offset: int) -> Finding:
    rule = match.rule

    def place(where: Span) -> Range:
        return source.span(max(0, where.start - offset), max(0, where.end - offset))

    steps = [
        FlowStep(StepKind.STEP if number else StepKind.SOURCE, place(where), what)
        for number, (where, what) in enumerate(match.steps)
    ]
    if steps:
        steps.append(FlowStep(StepKind.SINK, place(match.span), "is reported here"))
    return Finding(
        rule_id=rule.id,
        engine=PatternAnalyzer.name,
        severity=rule.severity,
        confidence=rule.confidence,
        cwe=rule.cwe,
        category=rule.category,
        message=match.message,
        remedy=rule.remedy,
        range=place(match.span),
        flow=tuple(steps) or UNSET,
        formerly=rule.formerly or UNSET,
    )


class Match(NamedTuple):
    """A match of a rule. `steps` are the places that lead to it, with what happens at each."""

    rule: PatternRule
    span: Span
    message: str
    steps: tuple[tuple[Span, str], ...] = ()


def find_matches(
    root: SgNode,
    text: str,
    rules: Iterable[PatternRule],
    origins: Callable[[], Origins],
    facts: Callable[[], Iterable[Found]] = tuple,
    features: Features | None = None,
) -> Iterator[Iterator[Match]]:
    """Yield the matches of each rule that can match, in order of place.

    :param origins: returns the origins of values; called only if a rule needs them.
    :param facts: returns the results of symbolic execution; called only if a rule needs them.
    :param features: the features of the text, if they are known.
    """
    for rule in rules:
        features = features or _features(root, text, rule.languages[0])
        if not rule.facts and not features.may_match(rule.need):
            continue
        if rule.required is not None and rule.required.search(text) is None:
            continue
        if rule.excluded is not None and rule.excluded.search(text) is not None:
            continue
        yield _executed(rule, text, facts) if rule.facts else _in_tree(root, text, rule, origins)


@cache
def _rules_of(language: str, model: Model) -> list[PatternRule]:
    return [rule for rule in for_language(shipped_rules(), language) if model in rule.models]


def _features(root: SgNode, text: str, language: str) -> Features:
    """Return the features of the trees that rules search."""

    def roots() -> Iterator[SgNode]:
        yield root
        exposed = with_macros_as_calls(text) if language == "rust" else None
        if exposed is not None:
            yield exposed

    return Features(text, roots)


def _executed(
    rule: PatternRule, text: str, facts: Callable[[], Iterable[Found]]
) -> Iterator[Match]:
    for found in facts():
        if found.fact in rule.facts:
            message = at_place(rule, text[found.place.start : found.place.end])
            yield Match(rule, found.place, message, found.steps)


def _in_tree(
    root: SgNode, text: str, rule: PatternRule, origins: Callable[[], Origins]
) -> Iterator[Match]:
    last = Span(-1, -1)
    for node in _nodes(root, text, rule):
        place = span(_reported(node, rule))
        inside_last = last.start <= place.start and place.end <= last.end
        if (inside_last and not rule.nested) or not _carries(node, rule, origins):
            continue
        last = place
        yield Match(rule, place, in_tree(node, text, rule, origins))


def _nodes(root: SgNode, text: str, rule: PatternRule) -> list[SgNode]:
    config = rule.ascii_config if text.isascii() else rule.config
    found: list[SgNode] = list(root.find_all(config))  # type: ignore[call-overload]
    if "rust" in rule.languages and (more := find_in_macros(text, rule.config)):
        nodes = {span(node): node for node in (*more, *found)}
        found = [nodes[place] for place in sorted(nodes, key=lambda each: (each.start, -each.end))]
    return found


def _reported(node: SgNode, rule: PatternRule) -> SgNode:
    return (node.get_match(rule.report) if rule.report else None) or node


def _carries(node: SgNode, rule: PatternRule, origins: Callable[[], Origins]) -> bool:
    """Return whether the values of the rule's variables have the required origins."""
    if not rule.asks_origins:
        return True
    known = origins()
    if not all(_says(known, node, *each) for each in rule.resolved.items()):
        return False
    if any(_says(known, node, *each) for each in rule.unresolved.items()):
        return False
    any_of = [place for name in rule.dynamic_any for place in places_of(node, name)]
    return (
        all(_some(known.is_dynamic, places_of(node, name), rule) for name in rule.dynamic)
        and all(_some(known.is_external, places_of(node, name), rule) for name in rule.external)
        and (not rule.dynamic_any or _some(known.is_dynamic, any_of, rule))
    )


def _says(known: Origins, node: SgNode, variable: str, wanted: re.Pattern[str]) -> bool:
    """Return whether the text of a variable or of its assignment matches."""
    places = places_of(node, variable)
    return any(wanted.search(text) for place in places for text in known.texts(place))


def _some(holds: Callable[[Span, str | None], bool], places: list[Span], rule: PatternRule) -> bool:
    return any(holds(place, rule.cwe) for place in places)


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the analyzer. Compile its rules first if they changed."""
    refresh()
    register(PatternAnalyzer())
