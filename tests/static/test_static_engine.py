from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pluggy
import pytest
from codeintel_plugins.complexity import ComplexityAnalyzer
from codeintel_plugins.grammars import SyntaxAnalyzer
from codeintel_plugins.patterns import PatternAnalyzer
from codeintel_plugins.python.bandit import BanditAnalyzer
from codeintel_plugins.python.metrics import MetricsAnalyzer
from codeintel_plugins.python.ruff import RuffAnalyzer
from codeintel_plugins.secrets import SecretsAnalyzer
from codeintel_plugins.static import StaticEngine
from msgspec import UNSET
from static_helpers import finding
from static_samples import BAD_MODULE
from static_task import FakeContext, Said, report, said, task

from codeintel.contracts import (
    AnalyzerRequest,
    AnalyzerStatus,
    Collector,
    Detection,
    Engine,
    Finding,
    Incomplete,
    Metric,
    Model,
    Note,
    Reported,
    RunKind,
    SearchSource,
    Setting,
    TransformationKind,
    Usage,
)
from codeintel.platform.plugins import discovery, hookspecs


class Cancelled(BaseException):
    pass


ENGINE = StaticEngine()
HOOKS = [name for name, hook in vars(hookspecs).items() if hasattr(hook, "codeintel_spec")]
ALL = RuffAnalyzer(), BanditAnalyzer(), SecretsAnalyzer(), MetricsAnalyzer()


def test_a_bad_module() -> None:
    context = FakeContext(*ALL)
    result, usage = ENGINE.analyze(task(BAD_MODULE, prompt="Is it secure?"), context)
    assert usage == Usage(input_characters=len(BAD_MODULE))
    assert (result.language, result.engine) == ("python", "static")
    assert result.summary == "".join(context.pieces)
    assert len(context.pieces) > 3
    assert "Findings about security" in result.summary
    assert [r.name for r in result.analyzers] == ["bandit", "metrics", "ruff", "secrets"]
    assert result.metrics["complexityMax"] == 11
    assert len(result.findings) == len(context.found)
    assert context.progressed == []
    assert context.request == AnalyzerRequest(BAD_MODULE, "python", Model.FLASH)


def test_duplicates_are_not_shown_twice() -> None:
    worse = finding("S602", "ruff", (3, 5, 3, 12))
    better = finding("B602", "bandit", (3, 5, 3, 30))
    context = FakeContext(
        story=[
            said("ruff", Reported(worse)),
            said("bandit", Reported(better)),
            report("bandit"),
            report("ruff"),
        ]
    )
    result, _ = ENGINE.analyze(task(), context)
    assert [f.rule_id for f in result.findings] == ["B602"]
    assert context.found == list(result.findings), "once, and as it is in the result"


def test_what_can_have_no_duplicate_is_shown_at_once() -> None:
    unused = finding("F401", "ruff", (1, 8, 1, 10))
    context = FakeContext()
    shown_before: list[Finding] = []
    story = [said("ruff", Reported(unused)), report("ruff"), report("bandit")]

    def tell(_: AnalyzerRequest) -> Iterator[Said]:
        for count, each in enumerate(story):
            yield each
            if count == 0:
                shown_before.extend(context.found)

    context.analyze = tell  # type: ignore[method-assign]
    ENGINE.analyze(task(), context)
    assert shown_before == [unused] == context.found


def test_without_a_language_it_is_what_the_detectors_tell() -> None:
    told = Detection(language="python", confidence=0.978, alternatives=("ruby",))
    context = FakeContext(*ALL, told=told)
    result, _ = ENGINE.analyze(task(BAD_MODULE, language=None), context)
    assert context.progressed == [
        ("Language detected: Python (confidence 0.98).", None),
    ]
    assert (result.language, result.detection) == ("python", told)
    assert context.request == AnalyzerRequest(BAD_MODULE, "python", Model.FLASH)
    assert {"bandit", "ruff"} <= {report.name for report in result.analyzers}


@pytest.mark.parametrize(
    "told",
    [
        None,
        Detection(language=None, confidence=0),
        Detection(language="python", confidence=0.4),
    ],
)
def test_where_the_language_cannot_be_told_nothing_is_judged_by_its_rules(
    told: Detection | None,
) -> None:
    context = FakeContext(*ALL, told=told)
    result, _ = ENGINE.analyze(task("password = 'hunter2'\n", language=None), context)
    assert context.request is not None
    assert context.request.language is None
    assert [report.name for report in result.analyzers] == ["secrets"]
    assert (result.language, result.detection) == (None, told or UNSET)
    ((message, _),) = context.progressed
    assert message == (
        "The language could not be detected. Only analyzers for any language ran. Set `language`."
    )
    assert message in result.summary
    assert "None" not in result.summary


def test_a_language_that_is_given_is_believed() -> None:
    context = FakeContext(*ALL, told=Detection(language="ruby", confidence=0.99))
    result, _ = ENGINE.analyze(task(language="python"), context)
    assert (result.language, result.detection) == ("python", UNSET)


def test_of_an_unknown_language_it_is_said_what_was_looked_at() -> None:
    context = FakeContext(*ALL)
    result, _ = ENGINE.analyze(task("const password = 'hunter2'", "javascript"), context)
    assert [f.engine for f in result.findings] == ["secrets"]
    ((message, _),) = context.progressed
    assert message == "No analyzer supports JavaScript. Only checks for any language ran: secrets."
    assert message in result.summary


@pytest.mark.parametrize(
    ("language", "title"), [("kotlin", "Kotlin"), ("swift", "Swift"), ("dockerfile", "Dockerfile")]
)
def test_where_nobody_looks_for_weaknesses_that_is_said(language: str, title: str) -> None:
    context = FakeContext(SyntaxAnalyzer(), ComplexityAnalyzer(), SecretsAnalyzer())
    result, _ = ENGINE.analyze(task("", language), context)
    note = f"There are no security rules for {title}. Checked: complexity, secrets, syntax."
    assert result.unchecked == (note,)
    assert context.progressed == [(note, None)]
    assert "in the checked parts" in result.summary


@pytest.mark.parametrize(
    ("language", "ran"),
    [
        ("json", "There are no security rules for JSON. Checked: complexity, secrets, syntax."),
        ("yaml", "There are no security rules for YAML. Checked: complexity, secrets, syntax."),
        ("csv", "No analyzer supports CSV. Only checks for any language ran: complexity, secrets."),
    ],
)
def test_data_has_nothing_to_check_beyond_what_ran(language: str, ran: str) -> None:
    context = FakeContext(SyntaxAnalyzer(), ComplexityAnalyzer(), SecretsAnalyzer())
    result, _ = ENGINE.analyze(task("[]\n", language), context)
    assert result.unchecked == result.no_rules == (ran,)


@pytest.mark.parametrize("language", ["kotlin", "dockerfile", "xml", "html", "sql"])
def test_code_without_rules_is_never_data(language: str) -> None:
    context = FakeContext(SyntaxAnalyzer(), SecretsAnalyzer())
    result, _ = ENGINE.analyze(task("", language), context)
    assert len(result.unchecked) == 1
    assert result.no_rules is UNSET


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("", ""),
        ("Any passwords?", "Findings about secrets (1 of 1 finding):\n- line 1"),
        ("Who wrote Hamlet?", "The static engine cannot answer questions."),
    ],
)
def test_the_answer_is_told_from_the_rest_of_the_summary(prompt: str, answer: str) -> None:
    context = FakeContext(SecretsAnalyzer())
    result, _ = ENGINE.analyze(task("password = 'hunter2'\n", prompt=prompt), context)
    assert str(result.answer).startswith(answer)
    assert bool(result.answer) == bool(answer)
    assert str(result.answer) in result.summary
    assert "Most severe" not in str(result.answer)


def test_where_rules_about_security_ran_nothing_is_said() -> None:
    context = FakeContext(SyntaxAnalyzer(), PatternAnalyzer())
    result, _ = ENGINE.analyze(task("class A {}", "java"), context)
    assert result.unchecked == ()


def test_an_analyser_of_that_language_makes_it_known() -> None:
    context = FakeContext(story=[report("oxlint"), report("secrets")])
    ENGINE.analyze(task(language="javascript"), context)
    assert context.progressed == []


def test_notes_and_bad_endings_are_passed_on_and_summed_up() -> None:
    context = FakeContext(
        story=[
            said("ruff", Note("It does not parse.")),
            report("ruff"),
            said("metrics", Metric("lines", 3)),
            report("metrics", AnalyzerStatus.TRUNCATED),
            report("bandit", AnalyzerStatus.TIMED_OUT),
            report("secrets", AnalyzerStatus.FAILED),
        ]
    )
    result, _ = ENGINE.analyze(task(), context)
    assert context.progressed == [
        ("It does not parse.", "ruff"),
        (
            "The analyzer metrics reported too much, so the rest was dropped.",
            "metrics",
        ),
        ("The analyzer bandit timed out, so it may have missed findings.", "bandit"),
        ("The analyzer secrets failed, so its rules were not checked.", "secrets"),
    ]
    assert result.unchecked == tuple(message for message, _ in context.progressed)
    assert result.metrics == {"lines": 3}


def test_an_analyser_that_was_cut_short_says_where_and_why() -> None:
    note = Note(
        "patterns stopped the data flow analysis early: the function `f` took too long.",
        truncated=True,
    )
    context = FakeContext(
        story=[said("patterns", note), report("patterns", AnalyzerStatus.TRUNCATED)]
    )
    result, _ = ENGINE.analyze(task(), context)
    assert result.unchecked == (note.message,)
    assert note.message in result.summary
    assert "more than" not in result.summary


@pytest.mark.parametrize(
    "story", [[], [report("ruff", AnalyzerStatus.FAILED), report("x", AnalyzerStatus.TIMED_OUT)]]
)
def test_if_nothing_was_checked_the_run_is_incomplete(story: list[Said]) -> None:
    with pytest.raises(Incomplete) as raised:
        ENGINE.analyze(task(), FakeContext(story=story))
    assert raised.value.reason == "no_analyzer_completed"


def test_cancellation_is_let_through() -> None:
    class Context(FakeContext):
        def output(self, text: str) -> None:  # noqa: ARG002 - the protocol's
            raise Cancelled

    with pytest.raises(Cancelled):
        ENGINE.analyze(task(), Context(*ALL))


def test_it_takes_analyses_with_both_models() -> None:
    assert all(ENGINE.available(RunKind.ANALYSIS, model) for model in Model)
    assert ENGINE.preference == 0


@pytest.mark.parametrize("name", [each.name for each in discovery.shipped()])
def test_each_module_is_a_plugin_on_its_own(name: str) -> None:
    manager = pluggy.PluginManager("codeintel")
    manager.add_hookspecs(hookspecs)
    manager.register(import_module(name))
    manager.check_pending()
    registered: list[Any] = []
    for hook in HOOKS:
        getattr(manager.hook, hook)(register=registered.append, config={})
    assert registered
    assert len({(type(each), each.name) for each in registered}) == len(registered)
    unversioned = Collector | Engine | SearchSource | Setting | TransformationKind
    assert all(each.version for each in registered if not isinstance(each, unversioned))
