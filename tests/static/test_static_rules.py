from __future__ import annotations

import inspect
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from codeintel_plugins import secrets
from codeintel_plugins.patterns.catalogue import shipped_rules
from codeintel_plugins.python import bandit_visitor
from codeintel_plugins.python.bandit import BanditAnalyzer
from codeintel_plugins.python.ruff import RuffAnalyzer, _options
from codeintel_plugins.python.ruff_process import ruff_binary
from codeintel_plugins.python.rules import _BANDIT_RULES, bandit_rule, ruff_rule
from codeintel_plugins.secrets import SecretsAnalyzer
from codeintel_plugins.toolkit.weaknesses import _REASONS, DROPPED_TESTS

from codeintel.contracts import Category, Confidence, Model, Severity
from codeintel.contracts.secret_tokens import FORMATS


def ruff(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ruff_binary(), *arguments], input="", capture_output=True, text=True, check=True
    )


@pytest.fixture(scope="module")
def stable_rules() -> list[str]:
    known: list[dict[str, Any]] = json.loads(ruff("rule", "--all", "--output-format=json").stdout)
    return [rule["code"] for rule in known if rule["code"] and "Stable" in rule["status"]]


def test_every_security_rule_of_ruff_is_graded_or_dropped(stable_rules: list[str]) -> None:
    numbers = {code[1:] for code in stable_rules if code[0] == "S" and code[1:].isdigit()}
    assert len(numbers) > 50
    assert {n for n in numbers if n not in _REASONS} <= _BANDIT_RULES.keys()


def test_every_test_of_bandit_is_graded_or_dropped_with_a_reason() -> None:
    bandit_visitor.prepare()  # imports bandit without the warnings of what it uses
    from bandit.core import extension_loader

    manager = extension_loader.MANAGER
    ids = {
        *manager.plugins_by_id,
        *(t["id"] for tests in manager.blacklist.values() for t in tests),
    }
    numbers = {test_id[1:] for test_id in ids} - {"001"}
    assert {n for n in numbers if n not in _REASONS} <= _BANDIT_RULES.keys()
    assert not [n for n in _BANDIT_RULES if n in _REASONS]


def test_rules_that_took_over_exist() -> None:
    ours = {rule.id for rule in shipped_rules()}
    named = [
        found[1]
        for test in DROPPED_TESTS
        if (found := re.match(r"rule (python-[\w-]+)", _REASONS[test[1:]]))
    ]
    assert len(named) > 30
    assert set(named) <= ours


@pytest.mark.parametrize("model", list(Model))
def test_ruff_knows_all_that_is_selected_and_so_does_the_table(model: Model) -> None:
    Path("a.py").touch()
    shown = ruff("check", "--isolated", "--show-settings", *_options(model), "a.py")
    assert "warning" not in shown.stderr
    enabled = shown.stdout.split("linter.rules.enabled = [")[1].split("]")[0]
    codes = {line.rsplit("(", 1)[1].rstrip("),") for line in enabled.splitlines() if "(" in line}
    assert len(codes) > (150 if model is Model.FLASH else 400)
    assert not codes & {"E712", "FURB152", "FURB192", "E501", "D100", "Q000"}
    assert {"F401", "S501", "B006", "C901", "PERF401", "PLE0101"} <= codes
    assert [code for code in codes if ruff_rule(code) == ruff_rule("nothing")] == []
    assert [code for code in codes if code[:1] == "S" and code[1:] in _REASONS] == []


@pytest.mark.parametrize(
    ("rule_id", "severity", "cwe", "category"),
    [
        ("invalid-syntax", Severity.CRITICAL, None, Category.CORRECTNESS),
        ("S501", Severity.HIGH, "CWE-295", Category.SECURITY),
        ("S113", Severity.LOW, "CWE-400", Category.CORRECTNESS),
        ("F601", Severity.MEDIUM, "CWE-462", Category.CORRECTNESS),
        ("F401", Severity.LOW, None, Category.UNUSED),
        ("F821", Severity.HIGH, None, Category.CORRECTNESS),
        ("B006", Severity.MEDIUM, None, Category.CORRECTNESS),
        ("PERF401", Severity.LOW, None, Category.PERFORMANCE),
        ("C901", Severity.LOW, "CWE-1121", Category.COMPLEXITY),
        ("C416", Severity.INFO, None, Category.PERFORMANCE),
        ("SIM115", Severity.LOW, "CWE-772", Category.CORRECTNESS),
        ("SIM102", Severity.INFO, None, Category.MAINTAINABILITY),
    ],
)
def test_ruff_rules(rule_id: str, severity: Severity, cwe: str | None, category: Category) -> None:
    rule = ruff_rule(rule_id)
    assert (rule.severity, rule.cwe, rule.category) == (severity, cwe, category)


def test_bandit_is_graded_by_the_table_and_by_itself_where_that_is_silent() -> None:
    low, high = Confidence.LOW, Confidence.HIGH
    assert bandit_rule("B201", Severity.HIGH, Confidence.MEDIUM, "CWE-94") == (
        Severity.HIGH, high, "CWE-489", Category.SECURITY,
    )  # fmt: skip
    assert bandit_rule("B999", Severity.HIGH, low, "CWE-20") == (
        Severity.HIGH, low, "CWE-20", Category.SECURITY,
    )  # fmt: skip


@pytest.mark.parametrize("model", list(Model))
def test_ruff_lists_what_it_may_report(model: Model) -> None:
    listed = {rule.id: rule for rule in RuffAnalyzer().rules()}
    shown = ruff("check", "--isolated", "--show-settings", *_options(model), __file__)
    enabled = shown.stdout.split("linter.rules.enabled = [")[1].split("]")[0]
    assert set(re.findall(r"\(([A-Z]+[0-9]+)\)", enabled)) <= listed.keys()
    assert listed["F401"].title == "Unused import"
    assert listed["S501"].cwe == "CWE-295"
    assert listed["invalid-syntax"].severity is Severity.CRITICAL
    assert list(listed) == sorted(listed)


def test_pages_of_ruff_s_rules_link_to_ruff_s_pages() -> None:
    analyzer = RuffAnalyzer()
    link = "https://docs.astral.sh/ruff/rules/request-with-no-cert-validation/"
    assert link in (analyzer.page("S501") or "")
    assert "docs.astral.sh" not in (analyzer.page("invalid-syntax") or "docs.astral.sh")
    assert analyzer.page("S999") is None


def test_bandit_lists_the_tests_that_run() -> None:
    listed = BanditAnalyzer().rules()
    assert [rule.id for rule in listed] == sorted(f"B{number}" for number in _BANDIT_RULES)
    assert all(rule.cwe and rule.summary.endswith(".") for rule in listed)


def test_secrets_are_listed() -> None:
    listed = {rule.id: rule for rule in SecretsAnalyzer().rules()}
    assert {kind.rule for kind in FORMATS if kind.reported is not None} < listed.keys()
    source = inspect.getsource(secrets)
    assert set(re.findall(r'"((?:private|hard)-[a-z-]+)"', source)) < listed.keys()
    assert all(rule.cwe and rule.remedy for rule in listed.values())
