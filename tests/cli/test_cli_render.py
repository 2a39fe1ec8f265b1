"""A run's events as text."""

from __future__ import annotations

from typing import Any

import pytest

from codeintel.cli.outcome import Outcome
from codeintel.cli.render import Piece, Renderer
from codeintel.contracts import Severity

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


def render(*events: Event, name: str = "a.py", **colours: bool) -> tuple[str, str]:
    """What goes to standard output and to standard error."""
    renderer, outcome = Renderer(name, **colours), Outcome()
    pieces: list[Piece] = []
    for event in events:
        outcome.add(event)
        pieces += renderer.event(event)
    pieces += renderer.end(outcome)
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
        "a.py:3:7  high      S602  bad\n"
        "\n"
        "Looked closely.\n"
        "2 findings (1 high, 1 info, duplicates merged).\n"
        "Not all was checked: bandit (timed out).\n"
        "1 credit charged.\n"
    )
    assert err == (
        "a.py: run run_1, static flash\nThe service made no use of: prompt.\nruff: started\n"
    )


def test_nothing_found() -> None:
    out, err = render(result(), ended(creditsCharged=0))
    assert (out, err) == ("\nNo findings.\nNo credits charged.\n", "")


def test_a_result_of_an_equal_run_is_called_cached() -> None:
    usage = {"inputCharacters": 3, "cached": True}
    out, _ = render(result(), ended(usage=usage))
    assert out.endswith("1 credit charged. The result was cached: that of an equal analysis.\n")
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
            "The run stopped before",
        ),
        (ended("cancelled", reason="engine_failed", message="It broke."), "The run was cancelled"),
    ],
)
def test_runs_that_did_not_complete(event: Event, line: str) -> None:
    out, err = render(found(), {**event, "creditsCharged": 2, "creditsRefunded": 1})
    assert out.endswith("2 credits charged, 1 given back.\n")
    assert err.startswith(line)
    assert err.endswith(" (engine_failed): It broke.\n")


def test_findings_marked_to_be_ignored_are_counted() -> None:
    marked = finding(suppression={"comment": "nosec", "line": 3}, remedy="Do not.")
    out, _ = render(found(), result(marked, finding("low", 4)), ended())
    assert "2 findings (1 high, 1 low), 1 of them marked to be ignored.\n" in out
    out, _ = render(result(finding("low", 4), marked), ended(), live=False)
    assert out.startswith(
        "a.py:3:7  high      S602  bad  [nosec on line 3]\n"
        "    fix: Do not.\n"
        "a.py:4:7  low       S602  bad\n"
    )


def test_words_and_findings_share_the_output() -> None:
    words = [{"type": "output.delta", "text": text} for text in ("One.\n", "Two", ".")]
    out, _ = render(*words, found(), result(finding(), summary="One.\nTwo."), ended())
    assert out.startswith("One.\nTwo.\na.py:3:7  high      S602  bad\n\n1 finding (1 high).\n")


def test_words_after_findings_stand_apart() -> None:
    words = [{"type": "output.delta", "text": text} for text in ("One ", "line.")]
    out, _ = render(found(), *words, result(finding(), summary="One line."), ended())
    assert out.startswith("a.py:3:7  high      S602  bad\n\nOne line.\n\n1 finding (1 high).\n")


def test_findings_are_not_listed_once_more_by_the_summary() -> None:
    pieces = (
        "1 finding.",
        "\n\nWorst first:\n- line 3, high: bad\n- and 2 more",
        "\n\nHot spots: 1.",
    )
    words = [{"type": "output.delta", "text": piece} for piece in pieces]
    last = result(finding(), summary="".join(pieces))
    out, _ = render(found(), *words, last, ended())
    assert "bad\n\n1 finding.\n\nHot spots: 1.\n\n1 finding (1 high).\n" in out
    assert "Worst first" not in out
    out, _ = render(*words, last, ended(), live=False)
    assert "bad\n\n1 finding.\n\nHot spots: 1.\n1 finding (1 high).\n" in out


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
    outcome = Outcome()
    outcome.add(found(severity))
    assert outcome.reaches(Severity(threshold)) is reached
    outcome.add(result())
    assert outcome.reaches(Severity(threshold)) is False
