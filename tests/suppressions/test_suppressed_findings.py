"""Which findings the comments concern that ask tools to be silent: rules, weaknesses, ranges."""

from __future__ import annotations

import pytest
from codeintel_plugins.suppressions import mark_suppressed
from msgspec import UNSET
from msgspec.structs import replace
from suppression_marks import asked, finding

from codeintel.contracts import Category, Confidence, Finding, Range, Severity


def test_another_tool_s_id_of_the_same_defect_counts() -> None:
    code = "x = 1  # nosec B602"
    assert asked(code, "python", finding("S602", 1, "B602")) == ("nosec", 1)
    assert asked(code, "python", finding("S602", 1, "B605")) is None


def test_a_finding_over_several_lines_is_concerned_at_both_ends() -> None:
    code = "x(\n  # noqa\n)  # nosec\ny"
    assert asked(code, "python", finding(last=(3, 2))) == ("nosec", 3)
    assert asked(code, "python", finding(last=(4, 1))) == ("nosec", 3)
    assert asked(code, "python", finding(last=(4, 2))) is None


def test_findings_keep_their_order_and_everything_else() -> None:
    found = [finding("A1", 2), finding("B1", 1), finding("A1", 1)]
    marked = mark_suppressed(iter(found), "x  # noqa: A1\ny  # noqa\n", "python")
    assert [each.suppression and each.suppression.line for each in marked] == [2, UNSET, 1]
    facts = [(each.rule_id, each.range) for each in found]
    assert [(each.rule_id, each.range) for each in marked] == facts
    assert mark_suppressed(found, "x\ny\n", "python") == tuple(found)


def test_each_rule_of_a_finding_is_looked_at_by_itself() -> None:
    code = "/* eslint-disable */\n/* eslint-enable A */\nx()\n"
    assert asked(code, "javascript", finding("A", 3)) is None
    assert asked(code, "javascript", finding("A", 3, "B")) == ("eslint-disable", 1)


@pytest.mark.parametrize(
    ("comment", "is_marked"),
    [("nosec B602", True), ("noqa: S602", True), ("noqa: E501", False), ("nosec B501", False)],
)
def test_a_test_of_another_tool_for_the_same_weakness_concerns_our_rule(
    comment: str, is_marked: bool
) -> None:
    code = f"run(x)  # {comment}\n"
    given_ = Finding(
        rule_id="python-command-injection",
        engine="patterns",
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        cwe="CWE-78",
        message="here",
        range=Range(1, 1, 1, 7),
    )
    (found,) = mark_suppressed([given_], code, "python")
    assert (found.suppression is not UNSET) is is_marked


# (language, comment, class of our finding, whether it concerns that)
BY_WEAKNESS = [
    ("go", "//nolint:gosec", "CWE-78", True),
    ("go", "//nolint:errcheck", "CWE-78", False),
    ("go", "// #nosec G204", "CWE-78", True),
    ("go", "// #nosec G204 -- said", "CWE-77", True),
    ("go", "// #nosec G401", "CWE-78", False),
    ("ruby", "# rubocop:disable Security/Eval", "CWE-95", True),
    ("ruby", "# rubocop:disable Security", "CWE-78", True),
    ("ruby", "# rubocop:disable Style/Semicolon", "CWE-95", False),
    ("python", "# pylint: disable=eval-used", "CWE-95", True),
    ("python", "# pylint: disable=W0123", "CWE-94", True),
    ("python", "# pylint: disable=eval-used", "CWE-89", False),
    ("csharp", "// NOSONAR", "CWE-89", True),
]


@pytest.mark.parametrize(("language", "comment", "cwe", "is_marked"), BY_WEAKNESS)
def test_a_rule_of_a_tool_that_does_not_run_counts_by_its_weakness(
    language: str, comment: str, cwe: str, is_marked: bool
) -> None:
    given_ = replace(finding("our-rule"), cwe=cwe, category=Category.SECURITY)
    assert (asked(f"run(x)  {comment}\n", language, given_) is not None) is is_marked


@pytest.mark.parametrize(("code", "marked"), [("CA2100", True), ("CA5350", False), ("", True)])
def test_warnings_of_csharp_count_by_their_weakness(code: str, marked: bool) -> None:
    given_ = replace(finding("our-rule", 2), cwe="CWE-89", category=Category.SECURITY)
    text = f"#pragma warning disable {code}\nrun(x);\n"
    assert (asked(text, "csharp", given_) is not None) is marked


def test_nosec_within_a_call_concerns_it() -> None:
    code = "x(\n  a,  # nosec B602\n  b,\n)\n"
    call = replace(finding("B602", last=(4, 2)), category=Category.SECURITY)
    assert asked(code, "python", call) == ("nosec", 2)
    assert asked(code.replace("nosec B602", "nosec B501"), "python", call) is None
    assert asked(code.replace("nosec B602", "noqa"), "python", call) is None
