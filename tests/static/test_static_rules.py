from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from codeintel_plugins.python.ruff import _options
from codeintel_plugins.python.ruff_process import ruff_binary
from codeintel_plugins.python.rules import _BANDIT_RULES, bandit_rule, ruff_rule

from codeintel.contracts import Category, Confidence, Model, Severity


def ruff(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ruff_binary(), *arguments], input="", capture_output=True, text=True, check=True
    )


@pytest.fixture(scope="module")
def stable_rules() -> list[str]:
    known: list[dict[str, Any]] = json.loads(ruff("rule", "--all", "--output-format=json").stdout)
    return [rule["code"] for rule in known if rule["code"] and "Stable" in rule["status"]]


def test_every_security_rule_of_ruff_has_its_row(stable_rules: list[str]) -> None:
    numbers = {code[1:] for code in stable_rules if code[0] == "S" and code[1:].isdigit()}
    assert len(numbers) > 50
    assert numbers <= _BANDIT_RULES.keys()


def test_every_test_of_bandit_has_its_row() -> None:
    from bandit.core import extension_loader

    manager = extension_loader.MANAGER
    ids = {
        *manager.plugins_by_id,
        *(t["id"] for tests in manager.blacklist.values() for t in tests),
    }
    assert {test_id[1:] for test_id in ids} - {"001"} <= _BANDIT_RULES.keys()


@pytest.mark.parametrize("model", list(Model))
def test_ruff_knows_all_that_is_selected_and_so_does_the_table(model: Model) -> None:
    Path("a.py").touch()
    shown = ruff("check", "--isolated", "--show-settings", *_options(model), "a.py")
    assert "warning" not in shown.stderr
    enabled = shown.stdout.split("linter.rules.enabled = [")[1].split("]")[0]
    codes = {line.rsplit("(", 1)[1].rstrip("),") for line in enabled.splitlines() if "(" in line}
    assert len(codes) > (200 if model is Model.FLASH else 400)
    assert not codes & {"E712", "FURB152", "FURB192", "E501", "D100", "Q000"}
    assert {"F401", "S602", "B006", "C901", "PERF401", "PLE0101"} <= codes
    assert [code for code in codes if ruff_rule(code) == ruff_rule("nothing")] == []


@pytest.mark.parametrize(
    ("rule_id", "severity", "cwe", "category"),
    [
        ("invalid-syntax", Severity.CRITICAL, None, Category.CORRECTNESS),
        ("S608", Severity.HIGH, "CWE-89", Category.SECURITY),
        ("S602", Severity.HIGH, "CWE-78", Category.SECURITY),
        ("S301", Severity.HIGH, "CWE-502", Category.SECURITY),
        ("S105", Severity.LOW, "CWE-259", Category.SECRETS),
        ("F401", Severity.LOW, None, Category.UNUSED),
        ("F821", Severity.HIGH, None, Category.CORRECTNESS),
        ("B006", Severity.MEDIUM, None, Category.CORRECTNESS),
        ("PERF401", Severity.LOW, None, Category.PERFORMANCE),
        ("C901", Severity.LOW, "CWE-1121", Category.COMPLEXITY),
        ("C416", Severity.INFO, None, Category.PERFORMANCE),
        ("SIM115", Severity.MEDIUM, "CWE-772", Category.CORRECTNESS),
        ("SIM102", Severity.INFO, None, Category.MAINTAINABILITY),
    ],
)
def test_ruff_rules(rule_id: str, severity: Severity, cwe: str | None, category: Category) -> None:
    rule = ruff_rule(rule_id)
    assert (rule.severity, rule.cwe, rule.category) == (severity, cwe, category)


def test_bandit_grades_by_context_unless_the_table_says_otherwise() -> None:
    low, high = Confidence.LOW, Confidence.HIGH
    assert bandit_rule("B602", Severity.LOW, high, "CWE-78").severity is Severity.LOW
    assert bandit_rule("B404", Severity.LOW, high, "CWE-78").severity is Severity.INFO
    assert bandit_rule("B608", Severity.MEDIUM, Confidence.MEDIUM, None) == (
        Severity.HIGH, Confidence.MEDIUM, "CWE-89", Category.SECURITY,
    )  # fmt: skip
    assert bandit_rule("B608", Severity.MEDIUM, low, None).severity is Severity.MEDIUM
    assert bandit_rule("B999", Severity.HIGH, high, None).category is Category.SECURITY
