"""The events of a run as text."""

from __future__ import annotations

from typing import Any

import pytest

from codeintel.cli.outcome import Filter, ReceivedRun, worst_first
from codeintel.cli.render import FindingText, Piece, Renderer
from codeintel.contracts import Confidence, Severity

Event = dict[str, Any]


def finding(severity: str = "high", line: int = 3, message: str = "bad", **more: Any) -> Event:
    return {
        "ruleId": "S602",
        "engine": "ruff",
        "severity": severity,
        "message": message,
        "range": {"startLine": line, "startColumn": 7, "endLine": line, "endColumn": 9},
        **more,
    }


def found(*args: Any, **more: Any) -> Event:
    return {"type": "finding", "finding": finding(*args, **more)}


def result(*findings: Event, summary: str = "", analyzers: Any = ()) -> Event:
    body = {"summary": summary, "findings": list(findings), "analyzers": list(analyzers)}
    return {"type": "result", "result": body}


def ended(how: str = "completed", **more: Any) -> Event:
    return {"type": f"run.{how}", "runId": "run_1", "creditsCharged": 1, **more}


def render(
    *events: Event, name: str = "a.py", colour: bool = False, **options: bool
) -> tuple[str, str]:
    """Return the standard output and the standard error."""
    renderer = Renderer(name, FindingText(name, colour=colour), **options)
    outcome = ReceivedRun()
    pieces: list[Piece] = []
    for event in events:
        outcome.add(event)
        pieces += renderer.event(event)
    pieces += renderer.end(outcome, sorted(outcome.findings, key=worst_first))
    return (
        "".join(piece.text for piece in pieces if not piece.err),
        "".join(piece.text for piece in pieces if piece.err),
    )


def test_a_whole_run() -> None:
    out, err = render(
        {
            "type": "run.created",
            "runId": "run_1",
            "engine": "static",
            "model": "flash",
            "ignoredFields": ["prompt"],
        },
        {"type": "progress", "message": "started", "analyzer": "ruff"},
        found(),
        found("info", 12),
        found("high", 3, engine="bandit"),
        {"type": "of.tomorrow", "finding": 1},
        result(
            finding(),
            finding("info", 12),
            summary="Looked closely.",
            analyzers=[
                {"name": "ruff", "status": "completed"},
                {"name": "bandit", "status": "timed_out"},
            ],
        ),
        ended(),
    )
    assert out == (
        "a.py:3:7  high      S602  bad\n"
        "a.py:12:7  info      S602  bad\n"
        "Looked closely.\n\n"
        "Not checked: bandit (timed out).\n"
        "2 findings: 1 high, 1 info. 1 credit charged.\n"
    )
    assert err == (
        "a.py: run run_1 (engine static, model flash)\n"
        "The service ignored these fields: prompt.\n"
        "ruff: started\n"
    )


def test_nothing_found() -> None:
    out, err = render(result(), ended(creditsCharged=0))
    assert (out, err) == ("No findings. No credits charged.\n", "")


def test_a_result_of_an_equal_run_is_called_cached() -> None:
    usage = {"inputCharacters": 3, "cached": True}
    out, _ = render(result(), ended(usage=usage))
    assert out.endswith("1 credit charged. The result comes from the cache.\n")
    out, _ = render(result(), ended(creditsCharged=0, usage={**usage, "cached": "yes"}))
    assert out.endswith("No credits charged.\n")


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("The analyzer prints failed.", "The analyzer prints failed.\n"),
        ("prints could not check this.", "prints could not check this.\n"),
        ("It does not parse.", "prints: It does not parse.\n"),
    ],
)
def test_an_analyser_is_named_once(message: str, shown: str) -> None:
    progress = {"type": "progress", "message": message, "analyzer": "prints"}
    _, err = render(progress, result(), ended())
    assert err == shown


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ended("failed", reason="engine_failed", message="It broke."), "The run failed"),
        (
            ended("incomplete", reason="engine_failed", message="It broke."),
            "The run stopped early",
        ),
        (ended("cancelled", reason="engine_failed", message="It broke."), "The run was cancelled"),
    ],
)
def test_runs_that_did_not_complete(event: Event, line: str) -> None:
    out, err = render(found(), {**event, "creditsCharged": 2, "creditsRefunded": 1})
    assert out.endswith("2 credits charged, 1 refunded.\n")
    assert err.startswith(line)
    assert err.endswith(" (engine_failed): It broke.\n")


def test_findings_marked_to_be_ignored_are_counted() -> None:
    marked = finding(suppression={"comment": "nosec", "line": 3}, remedy="Do not.")
    out, _ = render(found(), result(marked, finding("low", 4)), ended())
    assert "2 findings: 1 high, 1 low. 1 with a suppression comment. 1 credit" in out
    out, _ = render(result(finding("low", 4), marked), ended())
    assert out.startswith(
        "a.py:3:7  high      S602  bad  [nosec on line 3]\n"
        "    fix: Do not.\n"
        "a.py:4:7  low       S602  bad\n"
    )


def test_the_worst_come_first_and_then_the_order_of_lines() -> None:
    order = [finding("low", 1), finding("high", 9), finding("critical", 9), finding("high", 2)]
    out, _ = render(result(*order, finding("odd", 50)), ended())
    shown = [tuple(line.split()[:2]) for line in out.splitlines()[:-1]]
    assert shown == [
        ("a.py:9:7", "critical"),
        ("a.py:50:7", "odd"),
        ("a.py:2:7", "high"),
        ("a.py:9:7", "high"),
        ("a.py:1:7", "low"),
    ]


def test_the_summary_has_the_size_and_the_language() -> None:
    event = result(finding())
    event["result"] |= {"metrics": {"lines": 1200}, "language": "csharp"}
    out, _ = render(event, ended())
    assert out.endswith("1 finding in 1,200 lines of C#: 1 high. 1 credit charged.\n")


SUMMARY = (
    "1 finding.\n\nFindings about security (1 of 1 finding):\n- line 3"
    "\n\nMost severe:\n- line 3, high: bad\n\nHot spots: 1.\n\nNot checked:\n- Kotlin."
)


def test_the_static_engine_repeats_nothing() -> None:
    """Check that its summary is omitted, because the output has the findings and gaps anyway."""
    event = result(finding(), summary=SUMMARY)
    event["result"] |= {"answer": "", "unchecked": ["There are no rules for Kotlin."]}
    out, _ = render(event, ended())
    assert out == (
        "a.py:3:7  high      S602  bad\n"
        "Not checked: There are no rules for Kotlin.\n"
        "1 finding: 1 high. 1 credit charged.\n"
    )
    event["result"] |= {"answer": "Findings about security (1 of 1 finding):\n- line 3"}
    out, _ = render(event, ended())
    assert "bad\nFindings about security (1 of 1 finding):\n- line 3\n\nNot" in out
    del event["result"]["answer"]  # as from an engine with a model
    assert SUMMARY in render(event, ended())[0]


def test_an_analyzer_that_failed_is_named_once() -> None:
    event = result(analyzers=[{"name": "ruff", "status": "failed"}])
    event["result"] |= {"unchecked": ["ruff failed, so its rules were not checked."]}
    out, _ = render(event, ended())
    assert out.startswith("Not checked: ruff failed, so its rules were not checked.\nNo findings.")


def test_a_gap_is_told_once() -> None:
    created = {"type": "run.created", "runId": "run_1", "engine": "static", "model": "flash"}
    gap = "There are no security rules for Kotlin."
    progress = [{"type": "progress", "message": each} for each in (gap, "Language detected.")]
    event = result()
    event["result"] |= {"unchecked": [gap]}
    out, err = render(created, *progress, event, ended())
    assert (out + err).count(gap) == 1
    assert out.startswith(f"Not checked: {gap}\n")
    assert err.endswith("\nLanguage detected.\n")
    _, err = render(created, *progress, ended("incomplete"))  # without a result, nothing repeats it
    assert gap in err


def test_a_terminal_counts_findings_while_the_run_goes_on() -> None:
    progress = {"type": "progress", "message": "m"}
    events = (progress, found(), found("low", 4), {"type": "usage"}, result(finding()), ended())
    _, err = render(*events, live=True)
    assert err == (
        "m\n\r\x1b[KAnalyzing: 0 findings so far"
        "\r\x1b[KAnalyzing: 1 finding so far\r\x1b[KAnalyzing: 2 findings so far\r\x1b[K"
    )


@pytest.mark.parametrize(
    ("wanted", "kept", "notes"),
    [
        (Filter(), "abcd", []),
        (Filter(severity=Severity.HIGH), "abd", ["1 finding below severity high hidden."]),
        (
            Filter(confidence=Confidence.MEDIUM),
            "acd",
            [
                "1 finding below confidence medium hidden. To show all, add --min-confidence low.",
            ],
        ),
        (Filter(Severity.CRITICAL, Confidence.HIGH), "d", ["3 findings below severity critical"]),
    ],
)
def test_filters_count_what_they_hide(wanted: Filter, kept: str, notes: list[str]) -> None:
    findings = [
        finding("high", message="a", confidence="medium"),
        finding("high", message="b", confidence="low"),
        finding("low", message="c", confidence="high"),
        finding("of.tomorrow", message="d", confidence="of.tomorrow"),
    ]
    selection = wanted.split(findings)
    assert "".join(each["message"] for each in selection.kept) == kept
    told = [*selection.notes(wanted)]
    assert len(told) == len(notes)
    assert all(said.startswith(note) for said, note in zip(told, notes, strict=True))


def test_colours_only_where_asked_for() -> None:
    events = ({"type": "progress", "message": "m"}, found(), ended())
    plain = render(*events)
    assert "\x1b" not in "".join(plain)
    out, err = render(*events, colour=True, err_colour=True)
    assert "\x1b[31m\x1b[1mhigh    \x1b[0m" in out
    assert err == "\x1b[2mm\x1b[0m\n"


def test_nothing_from_the_service_or_a_name_acts_on_the_terminal() -> None:
    evil = "\x1b]0;title\x07\x9b2J\u202e\nfake:1:1"
    out, err = render(
        {
            "type": "run.created",
            "runId": evil,
            "engine": evil,
            "model": evil,
            "ignoredFields": [evil],
        },
        {"type": "progress", "message": evil, "analyzer": evil},
        {"type": "output.delta", "text": evil},
        found(evil, message=evil, ruleId=evil),
        result(
            finding(evil), summary=evil, analyzers=[{"name": evil, "status": evil}, {"status": 1}]
        ),
        ended("failed", reason=evil, message=evil),
        name=evil,
    )
    assert not set("\x1b\x07\x9b\u202e") & set(out + err)
    assert "\\x1b]0;title" in out


@pytest.mark.parametrize("value", [None, 1, "text", [1], {"a": 1}, True, -1])
def test_values_of_another_shape_do_no_harm(value: Any) -> None:
    render(
        {"type": "run.created", "runId": value, "engine": value, "ignoredFields": value},
        {"type": "progress", "message": value, "analyzer": value},
        {"type": "output.delta", "text": value},
        {"type": "finding", "finding": value},
        {"type": "finding", "finding": {"severity": value, "range": value, "message": value}},
        {"type": "usage", "usage": value},
        {"type": "result", "result": {"findings": [value], "summary": value, "analyzers": [value]}},
        {"type": "result", "result": value},
        {"type": "run.failed", "usage": value, "creditsCharged": value, "reason": value},
    )


@pytest.mark.parametrize(
    ("severity", "threshold", "reached"),
    [
        ("critical", "high", True),
        ("high", "high", True),
        ("medium", "high", False),
        ("info", "info", True),
        ("of.tomorrow", "critical", True),
        (None, "critical", True),
    ],
)
def test_thresholds(severity: Any, threshold: str, reached: bool) -> None:
    outcome = ReceivedRun()
    outcome.add(found(severity))
    assert outcome.reaches(Severity(threshold)) is reached
    outcome.add(result())
    assert outcome.reaches(Severity(threshold)) is False
