"""Following values ends in time, and says so if it is not done by then."""

from __future__ import annotations

import time

import pytest
from codeintel_plugins.patterns import PatternAnalyzer
from codeintel_plugins.taint import TaintAnalyzer

from codeintel.contracts import AnalyzerRequest, Model, Note, Reported
from codeintel.engine.dataflow.interpreting import interpreter
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import HARMLESS, Kind, Label, Step, Value, join, of, through

CODE = """\
import hashlib, os
from flask import request

os.system(request.args["x"])
digest = hashlib.md5(password.encode()).hexdigest()
"""


def long_code() -> str:
    return CODE + "".join(
        f"\ndef f{i}(x):\n    os.system(x)\n    f{i + 1}(x)\n" for i in range(300)
    )


@pytest.mark.parametrize("analyzer", [TaintAnalyzer(), PatternAnalyzer()])
def test_what_was_found_in_time_is_reported(
    analyzer: TaintAnalyzer | PatternAnalyzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreter, "MAX_SECONDS", 0.0)
    outputs = list(analyzer.analyze(AnalyzerRequest(long_code(), "python", Model.PRO)))
    notes = [output for output in outputs if isinstance(output, Note)]
    assert [note.truncated for note in notes] == [True]
    assert "stopped the data flow analysis early" in notes[0].message
    lines = [each.finding.range.start_line for each in outputs if isinstance(each, Reported)]
    assert (4 if isinstance(analyzer, TaintAnalyzer) else 5) in lines


def test_what_needs_no_values_is_reported_before_they_are_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stuck(*_: object) -> None:
        raise AssertionError("values are followed")

    monkeypatch.setattr("codeintel.engine.dataflow.origins.trace_origins", stuck)
    outputs = PatternAnalyzer().analyze(AnalyzerRequest(CODE, "python", Model.PRO))
    first = next(outputs)
    assert isinstance(first, Reported)
    with pytest.raises(AssertionError):
        list(outputs)


def test_a_rule_too_deep_for_the_code_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def too_deep(*_: object) -> None:
        asked.append(True)
        raise RecursionError

    monkeypatch.setattr("codeintel.engine.dataflow.origins.trace_origins", too_deep)
    code = CODE + "\nfor row in rows:\n    eval(row)\n"
    outputs = list(PatternAnalyzer().analyze(AnalyzerRequest(code, "python", Model.PRO)))
    rules = {each.finding.rule_id for each in outputs if isinstance(each, Reported)}
    assert "python-unchecked-return-value" in rules
    assert "python-command-injection" not in rules
    assert any(isinstance(each, Note) and "too deeply" in each.message for each in outputs)
    assert len(asked) == 1


METHOD = """
    String m{0}(HttpServletRequest request, String name) {{
        String v = request.getParameter("p");
        if (v == null) {{ v = name + "x"; }}
        for (int i = 0; i < 10; i++) {{ v = v + i; }}
        statement.executeQuery("SELECT " + v);
        return m{1}(request, v) + v;
    }}
"""


def test_time_grows_with_the_number_of_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "MAX_SECONDS", 100.0)  # others may be busy on the machine
    steps = 0
    tick = interpreter.Interpreter.tick

    def counted(self: interpreter.Interpreter) -> None:
        nonlocal steps
        steps += 1
        tick(self)

    monkeypatch.setattr(interpreter.Interpreter, "tick", counted)

    def cost(count: int) -> tuple[int, float]:
        nonlocal steps
        steps = 0
        methods = "".join(METHOD.format(i, (i + 1) % count) for i in range(count))
        start = time.process_time()
        request = AnalyzerRequest(f"class A {{{methods}}}", "java")
        outputs = list(TaintAnalyzer().analyze(request))
        took = time.process_time() - start
        assert [isinstance(output, Reported) for output in outputs] == [True] * count
        return steps, took

    cost(10)  # reads the table
    few, many = cost(100), cost(400)
    assert many[0] < 5 * few[0]
    assert many[1] < 12 * few[1]  # 4 times if in proportion, 16 times if each checks each other


def value(*names: int) -> Value:
    return join(of(Label(Kind.REMOTE, Span(name, name + 1), "x")) for name in names)


def test_joining_makes_nothing_that_is_there() -> None:
    both = value(1, 2)
    assert join([HARMLESS, both, value(1), both]) is both
    assert join([]) is HARMLESS
    assert join([value(1), value(2)]) == both
    assert list(join([both, value(3)])) == list(value(1, 2, 3))


def test_a_step_is_added_once() -> None:
    place = Span(5, 6)
    (label,) = through(through(value(1), place, "here"), place, "there").values()
    assert label.steps == (Step(place, "here"),)
