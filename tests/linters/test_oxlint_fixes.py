from __future__ import annotations

import pytest
from codeintel_plugins.linters.oxlint import OxlintAnalyzer, fixes as oxlint_fixes
from linter_helpers import applied, findings, rules, run

from codeintel.contracts import Applicability, Finding, Fix, Model

OXLINT = OxlintAnalyzer()


def fixed(code: str, language: str = "javascript") -> list[tuple[Finding, Fix]]:
    found = findings(run(OXLINT, code, language, Model.PRO))
    return [(each, each.fix) for each in found if isinstance(each.fix, Fix)]


@pytest.mark.parametrize(
    ("before", "after", "rule", "how"),
    [
        ("let a = 1; b(a);", "const a = 1; b(a);", "prefer-const", Applicability.SAFE),
        ("a(/\\q/);", "a(/q/);", "no-useless-escape", Applicability.SAFE),
        ("if (x === NaN) y();", "if (isNaN(x)) y();", "use-isnan", Applicability.UNSAFE),
        ('import a from "b";\nc();', "c();", "no-unused-vars", Applicability.UNSAFE),
        ("a('𝄞é'); let b = 1; c(b);", "a('𝄞é'); const b = 1; c(b);", "prefer-const", "safe"),
        ("\ufefflet a = '𝄞'; b(a)", "\ufeffconst a = '𝄞'; b(a)", "prefer-const", "safe"),
        ("a();\rlet b = 1;\rc(b)", "a();\nconst b = 1;\nc(b)", "prefer-const", "safe"),
    ],
)
def test_a_fix_removes_its_finding(before: str, after: str, rule: str, how: str) -> None:
    ((found, fix),) = [each for each in fixed(before) if each[0].rule_id == rule]
    assert fix.applicability == how
    assert applied(fix, before) == after
    assert found.rule_id not in rules(run(OXLINT, after, "javascript"))


def test_each_finding_on_a_line_has_its_own_fix() -> None:
    code = "let a = 1; let b = 2; c(a, b);"
    after = {applied(fix, code) for _, fix in fixed(code)}
    assert after == {"const a = 1; let b = 2; c(a, b);", "let a = 1; const b = 2; c(a, b);"}


@pytest.mark.parametrize(
    "code",
    [
        "a();\u2028let b = 1; c(b)",  # the server might count other lines
        "/* eslint-disable */ let b = 'eslint-disable'; c(b)",  # a fix would change the text
        'let b = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"; c(b)',
    ],
)
def test_no_fix_rather_than_a_wrong_one(code: str) -> None:
    assert "prefer-const" in rules(run(OXLINT, code, "javascript"))
    assert fixed(code) == []


def test_findings_need_no_fixes(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "let a = 1; b(a);"
    expected = rules(run(OXLINT, code, "javascript"))
    monkeypatch.setattr(oxlint_fixes, "_SECONDS", 0)
    outputs = run(OXLINT, code, "javascript")
    assert rules(outputs) == expected
    assert not any(isinstance(each.fix, Fix) for each in findings(outputs))
