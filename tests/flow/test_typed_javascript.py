"""JavaScript that is really TypeScript is read as that."""

from __future__ import annotations

import pytest
from codeintel_plugins.patterns import PatternAnalyzer
from codeintel_plugins.taint import TaintAnalyzer

from codeintel.contracts import Analyzer, AnalyzerRequest, Model, Note, Reported
from codeintel.engine.dataflow.tree import READ_AS_TYPESCRIPT, parse

HANDLER = 'app.get("/u", (req, res) => {\n  eval(req.query.code as string);\n});\n'


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("let a = b;", "javascript"),
        ("let a = <p>{b}</p>;", "javascript"),
        (HANDLER, "typescript"),
        ("let a = <p>{b as string}</p>;", "typescript"),
        ("let a = <string>b; interface C { d: string }", "typescript"),
        ("let ) = b as string;", "javascript"),  # neither
    ],
)
def test_what_javascript_is_read_as(code: str, language: str) -> None:
    assert parse(code, "javascript").language == language


@pytest.mark.parametrize(
    ("analyzer", "rule"),
    [(PatternAnalyzer(), "javascript-code-injection"), (TaintAnalyzer(), "taint-code")],
)
def test_types_hide_no_weakness(analyzer: Analyzer, rule: str) -> None:
    outputs = list(analyzer.analyze(AnalyzerRequest(HANDLER, "javascript", Model.PRO)))
    assert [each.finding.rule_id for each in outputs if isinstance(each, Reported)] == [rule]
    assert [each.message for each in outputs if isinstance(each, Note)] == [READ_AS_TYPESCRIPT]
