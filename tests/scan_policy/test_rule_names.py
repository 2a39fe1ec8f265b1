"""Notes name misspelled rules in the settings."""

from __future__ import annotations

import pytest

from codeintel.cli.scan.policy.layers import parse
from codeintel.cli.scan.rule_names import misspelled
from codeintel.contracts import Category, Confidence, RuleInfo, Severity


def rule(id_: str, cwe: str | None = None, *formerly: str) -> RuleInfo:
    return RuleInfo(
        id=id_,
        summary="",
        cwe=cwe,
        severity=Severity.LOW,
        confidence=Confidence.LOW,
        category=Category.SECURITY,
        formerly=formerly,
    )


RULES = {
    "patterns": [rule("javascript-dom-xss", "CWE-79", "javascript-dom-html")],
    "ruff": [rule("F401")],
}
# The table of an array of tables is that of its last entry.
TABLES = (
    "[rules]",
    "[languages.javascript.rules]",
    "[[override]]\npaths = ['a']\n[override.rules]",
)


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("javascript-dom-xss", ""),
        ("javascript-dom-html", ""),
        ("patterns:javascript-dom-*", ""),
        ("CWE-79", ""),
        ("*", ""),
        ("ruff:F401", ""),
        ("plugin:unlike-all-others", ""),
        ("javascript-dom-xxs", "javascript-dom-xss"),
        ("pattern:javascript-dom-xss", "patterns:javascript-dom-xss"),
    ],
)
@pytest.mark.parametrize(
    "table",
    ["[rules]", "[languages.javascript.rules]", "[[override]]\npaths = ['a']\n[override.rules]"],
)
def test_only_misspelled_names_are_told(name: str, suggestion: str, table: str) -> None:
    file = parse(f"{table}\n'{name}' = 'off'\n")
    expected = (
        [f'No rule has the name "{name}" in the settings. Did you mean "{suggestion}"?']
        if suggestion
        else []
    )
    assert list(misspelled(file, RULES)) == expected
