from __future__ import annotations

import pytest
from codeintel_plugins.static.summary import Facts, aspects_asked, is_general, summarise
from msgspec.structs import replace
from static_helpers import finding

from codeintel.contracts import AnalyzerReport, AnalyzerStatus, Category, Finding, Severity

SQL = replace(
    finding("B608", "bandit", (12, 1, 12, 9), Severity.HIGH, message="SQL is built", cwe="CWE-89"),
    category=Category.SECURITY,
)
UNUSED = replace(
    finding("F401", place=(1, 1, 1, 9), severity=Severity.LOW, message="`os` is not used"),
    category=Category.UNUSED,
)


def report(name: str, status: AnalyzerStatus = AnalyzerStatus.COMPLETED) -> AnalyzerReport:
    return AnalyzerReport(name=name, version="1", status=status, findings=0, milliseconds=1)


def summary(
    *findings: Finding,
    prompt: str = "",
    metrics: dict[str, int | float] | None = None,
    reports: tuple[AnalyzerReport, ...] = (report("ruff"),),
    notes: tuple[str, ...] = (),
) -> str:
    metrics = {"lines": 20} if metrics is None else metrics
    return "".join(summarise(Facts(findings, metrics, reports, notes, "Python", prompt)))


def test_counts_and_the_worst_first() -> None:
    text = summary(SQL, UNUSED)
    assert text.startswith(
        "2 findings in 20 lines of Python: 1 high, 1 low. By category: security 1, unused code 1."
    )
    assert (
        "- line 12, high: SQL is built (B608, CWE-89)\n- line 1, low: `os` is not used (F401)"
        in text
    )


def test_nothing_found() -> None:
    assert summary() == "No findings in 20 lines of Python."
    assert summary(metrics={}) == "No findings."


def test_what_was_not_checked_is_said() -> None:
    text = summary(
        reports=(report("ruff", AnalyzerStatus.FAILED), report("bandit", AnalyzerStatus.TIMED_OUT)),
        notes=("It does not parse.", "It does not parse."),
    )
    assert text == (
        "No findings in the checked parts.\n\nNot checked:\n"
        "- The analyzer ruff failed, so its rules were not checked.\n"
        "- The analyzer bandit timed out, so it may have missed findings.\n- It does not parse."
    )


def test_long_lists_and_messages_are_cut() -> None:
    many = [finding("F821", place=(n, 1, n, 2), message="x" * 300) for n in range(1, 9)]
    text = summary(*many)
    assert "- and 3 more" in text
    assert "x" * 250 not in text


def test_hot_spots_and_complexity() -> None:
    many = [finding("F821", place=(n, 1, n, 2)) for n in (1, 2, 31, 32, 33)]
    metrics = {"lines": 40, "functions": 2, "complexityMax": 14, "complexityMean": 7.5}
    text = summary(*many, metrics=metrics)
    assert "Hot spots: lines 31-40 (3)." in text
    assert (
        "Cyclomatic complexity of 2 functions: 7.5 on average, 14 at most; more than 10 is hard"
        in text
    )


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Is it secure?", "Findings about security (1 of 2 findings):\n- line 12"),
        ("any slow code", "No findings about performance."),
        ("who wrote Hamlet", "The static engine cannot answer questions"),
    ],
)
def test_the_prompt_is_answered(prompt: str, words: str) -> None:
    assert words in summary(SQL, UNUSED, prompt=prompt)


def test_no_finding_means_less_where_not_all_was_checked() -> None:
    text = summary(UNUSED, prompt="security", notes=("bandit could not check this.",))
    assert "No findings about security, but not everything could be checked." in text


@pytest.mark.parametrize(
    "prompt", ["", "  ", "Please review this code.", "Analyze!", "Find issues"]
)
def test_general_prompts_need_no_answer(prompt: str) -> None:
    assert is_general(prompt)
    assert "Findings about" not in summary(SQL, prompt=prompt)
    assert "cannot answer" not in summary(SQL, prompt=prompt)


@pytest.mark.parametrize(
    ("prompt", "aspects"),
    [
        ("security vulnerabilities", (Category.SECURITY,)),
        ("leaked passwords, hardcoded tokens", (Category.SECRETS,)),
        ("Find bugs and slow loops", (Category.CORRECTNESS, Category.PERFORMANCE)),
        ("is it too complex or nested?", (Category.COMPLEXITY,)),
        ("dead code", (Category.UNUSED,)),
        ("style, readability", (Category.MAINTAINABILITY,)),
        ("debugger", ()),
        ("", ()),
    ],
)
def test_aspects_in_prompts(prompt: str, aspects: tuple[Category, ...]) -> None:
    assert aspects_asked(prompt) == aspects
