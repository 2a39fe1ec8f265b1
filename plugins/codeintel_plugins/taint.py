"""The taint analyzer: reports untrusted input that reaches a dangerous sink, with its path. The
tables are in `codeintel/engine/dataflow/tables/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from codeintel import hookimpl
from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Category,
    Confidence,
    Finding,
    FlowStep,
    Model,
    Note,
    Range,
    RuleInfo,
    StepKind,
)
from codeintel.engine.dataflow.table import load_table, sink_classes
from codeintel.engine.dataflow.tree import READ_AS_TYPESCRIPT, Span, parse
from codeintel.engine.dataflow.values import RANKS, Kind, Label, Step
from codeintel_plugins.redaction import Redactor
from codeintel_plugins.suppressions import report_worst
from codeintel_plugins.toolkit.messages import call_name, quoted, reaches
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.recursion import deep_recursion
from codeintel_plugins.toolkit.rule_texts import page_of, rule_texts, with_texts

if TYPE_CHECKING:
    from codeintel.engine.dataflow.interpreting.interpreter import Hit, Interpreter
    from codeintel.engine.dataflow.table import SinkClass


TEXTS = Path(__file__).parent / "texts" / "taint"
LANGUAGES = ("python", "javascript", "typescript", "java", "php", "go", "ruby", "csharp", "rust")

_CUT_SHORT = "taint stopped the data flow analysis early: {why}."


class TaintAnalyzer(Analyzer):
    """Takes part in `pro` only. One rule for each class of sinks, such as `taint-sql`."""

    name: ClassVar[str] = "taint"
    languages: ClassVar[frozenset[str] | None] = frozenset(LANGUAGES)
    models: ClassVar[frozenset[Model]] = frozenset({Model.PRO})
    version = "1"

    def preload(self) -> None:
        import ast_grep_py  # noqa: F401 - so that children have it

        from codeintel.engine.dataflow import origins  # noqa: F401

        sink_classes()
        for language in LANGUAGES:
            load_table(language)

    def rules(self) -> Sequence[RuleInfo]:
        known = [
            RuleInfo(
                id=f"taint-{name}",
                summary=each.summary,
                cwe=each.cwe,
                severity=each.severity,
                confidence=each.confidence,
                category=Category.SECURITY,
                languages=LANGUAGES,
                remedy=each.remedy,
                title=each.title,
            )
            for name, each in sorted(sink_classes().items())
        ]
        return with_texts(known, rule_texts(TEXTS))

    def page(self, rule_id: str) -> str | None:
        return page_of(rule_id, rule_texts(TEXTS))

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings in order of place."""
        from codeintel.engine.dataflow.origins import interpret

        source = ToolSource(request.code)
        tree = parse(source.text, request.language or "")
        try:
            with deep_recursion():
                interpreter = interpret(tree, tree.language)
        except RecursionError:
            yield Note("Taint analysis was not possible: the code is nested too deeply.")
            return
        redactor = Redactor(source)
        found = _findings(interpreter, _Places(source, tree.offset))
        yield from report_worst(self.name, map(redactor.redact, found), request)
        if tree.language != request.language:
            yield Note(READ_AS_TYPESCRIPT)
        if interpreter.exhausted:
            yield Note(_CUT_SHORT.format(why=interpreter.exhausted), truncated=True)


class _Places:
    """From places in what was parsed to ranges of the code as sent."""

    def __init__(self, source: ToolSource, offset: int) -> None:
        self._source = source
        self._offset = offset

    def range(self, place: Span) -> Range:
        start, end = (max(0, each - self._offset) for each in place)
        return self._source.span(start, end)


def _findings(interpreter: Interpreter, places: _Places) -> list[Finding]:
    """Return one finding for each sink: of several values that reach it, the most certain one."""
    best: dict[tuple[str, Span], Hit] = {}
    for hit in interpreter.hits.values():
        kinds = hit.sink.kinds or sink_classes()[hit.sink.class_].kinds
        if hit.label.kind not in kinds:
            continue
        key = hit.sink.class_, hit.call
        if key not in best or _rank(hit.label) < _rank(best[key].label):
            best[key] = hit
    return [
        _finding(hit, places, interpreter.text)
        for _, hit in sorted(best.items(), key=lambda item: item[0][1])
    ]


def _rank(label: Label) -> tuple[int, int]:
    return RANKS[label.kind], len(label.steps)


def _finding(hit: Hit, places: _Places, text: str) -> Finding:
    kind: SinkClass = sink_classes()[hit.sink.class_]
    steps = _steps_before(hit)
    flow = [
        FlowStep(StepKind.SOURCE if not i else StepKind.STEP, places.range(step.span), step.what)
        for i, step in enumerate(steps)
    ]
    flow.append(FlowStep(StepKind.SINK, places.range(hit.argument), f"reaches {hit.sink.what}"))
    return Finding(
        rule_id=f"taint-{hit.sink.class_}",
        engine=TaintAnalyzer.name,
        severity=kind.severity,
        confidence=kind.confidence if hit.label.kind is Kind.REMOTE else Confidence.MEDIUM,
        cwe=kind.cwe,
        category=Category.SECURITY,
        message=_message(hit, kind.title, text),
        remedy=kind.remedy,
        range=places.range(hit.call),
        flow=tuple(flow),
    )


def _is_assignment(hit: Hit) -> bool:
    """Return whether the sink is a member to which the value is assigned, such as `innerHTML`."""
    return hit.call == hit.argument


def _steps_before(hit: Hit) -> tuple[Step, ...]:
    """Return the steps before the sink. An assignment to the sink is not a separate step."""
    steps = hit.label.steps
    if _is_assignment(hit) and len(steps) > 1 and steps[-1].span == hit.call:
        return steps[:-1]
    return steps


def _message(hit: Hit, title: str, text: str) -> str:
    """Describe the problem: the variable, its source, and the call or member that it reaches."""
    value, origin = (text[each.start : each.end] for each in (hit.argument, hit.label.origin))
    sink = text[hit.call.start : hit.call.end]
    if _is_assignment(hit):
        label = hit.label._replace(steps=_steps_before(hit))
        member = f"`{sink[sink.rindex('.') + 1 :]}`" if "." in sink else ""
        return reaches(title, "", label, origin, quoted(sink) or member or hit.sink.what)
    named = call_name(sink) if "(" in sink else ""
    return reaches(title, value, hit.label, origin, named or hit.sink.what)


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the taint analyzer."""
    register(TaintAnalyzer())
