from __future__ import annotations

import ast
import subprocess

import pytest
from codeintel_plugins.python import ruff_process
from codeintel_plugins.python.ruff import RuffAnalyzer
from codeintel_plugins.python.ruff_process import RuffRun
from codeintel_plugins.toolkit.processes import ToolFailed
from static_helpers import applied, findings, is_within, notes, rules, run, text_at
from static_samples import BAD_MODULE

from codeintel.contracts import (
    AnalyzerRequest,
    Applicability,
    Category,
    Fix,
    Model,
    Note,
    Range,
    Reported,
    Severity,
)

RUFF = RuffAnalyzer()


def test_a_bad_module() -> None:
    outputs = run(RUFF, BAD_MODULE)
    expected = "F401 F821 F841 F631 F632 F901 B006 C901 S113 S306 S501 PERF401"
    assert rules(outputs) >= set(expected.split())
    assert "ARG001" not in rules(outputs)
    assert "ARG001" in rules(run(RUFF, BAD_MODULE, model=Model.PRO))
    assert notes(outputs) == []
    for finding in findings(outputs):
        assert finding.engine == "ruff"
        assert is_within(finding.range, BAD_MODULE)


def test_columns_count_code_points() -> None:
    code = 's = "é𝄞"; y = undefined\n'
    (found,) = findings(run(RUFF, code))
    assert found.range == Range(1, 15, 1, 24)
    marked = f"\ufeff{code}"
    (found,) = findings(run(RUFF, marked))
    assert text_at(found.range, marked) == "undefined"


def test_a_fix_removes_its_finding() -> None:
    code = "import os\nimport sys\n\nprint(sys.argv)\n"
    (found,) = findings(run(RUFF, code))
    assert isinstance(found.fix, Fix)
    assert found.fix.applicability is Applicability.SAFE
    assert "`os`" in found.fix.message
    assert applied(found.fix, code) == "import sys\n\nprint(sys.argv)\n"


def test_all_fixes_can_be_applied() -> None:
    found = findings(run(RUFF, BAD_MODULE, model=Model.PRO))
    fixes = [each.fix for each in found if isinstance(each.fix, Fix)]
    assert len(fixes) >= 1
    for fix in fixes:
        ast.parse(applied(fix, BAD_MODULE))


@pytest.mark.parametrize(
    ("code", "place", "count"),
    [
        ("import os\ndef f(:\n  x = (1\nfoo(\n", (2, 7), 4),
        ("def f(\n", (2, 1), 1),
        ("x = 1\x00\n", (1, 6), 1),
    ],
)
def test_a_syntax_error_is_one_finding_and_a_note(
    code: str, place: tuple[int, int], count: int
) -> None:
    outputs = run(RUFF, code)
    (found,) = [f for f in findings(outputs) if f.rule_id == "invalid-syntax"]
    assert found.severity is Severity.CRITICAL
    assert (found.range.start_line, found.range.start_column) == place
    assert found.message.isprintable()
    (note,) = notes(outputs)
    assert "syntax error" in note
    assert str(count) in note or count == 1


def test_syntax_that_is_only_newer_is_no_syntax_error() -> None:
    outputs = run(RUFF, "a = 1\nx = t'{a}'\ntype X = int\n")
    (found,) = findings(outputs)
    assert found.severity is Severity.LOW
    assert notes(outputs) == []


def test_suppressions_are_not_honoured() -> None:
    code = "# ruff: noqa\nimport os  # noqa: F401\n# flake8: noqa\n"
    assert rules(run(RUFF, code)) == {"F401"}


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess\nsubprocess.run(['ls', '-l'], check=True)\n",
        "import random\nprint(random.randint(1, 6))\n",
        "import hashlib\nprint(hashlib.md5(b'key', usedforsecurity=False))\n",
        "import pickle\nprint(pickle.dumps({}))\n",
        "TOKEN_TYPE = 'bearer'\nassert TOKEN_TYPE\n",
        "query = 'select from %s' % 'the menu'\n",
    ],
)
@pytest.mark.parametrize("model", list(Model))
def test_harmless_code_is_no_security_finding(code: str, model: Model) -> None:
    found = findings(run(RUFF, code, model=model))
    assert not [f for f in found if f.category in (Category.SECURITY, Category.SECRETS)]


def test_too_many_findings_are_cut_with_a_note() -> None:
    outputs = run(RUFF, "eval(x)\n" * 3_000)
    assert len(findings(outputs)) == 2_000
    assert "dropped" in notes(outputs)[0]


def test_too_much_output_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruff_process, "MAX_OUTPUT_BYTES", 2_000)
    run_ = RuffRun("eval(x)\n" * 100, ("--select=S307",))
    assert 0 < len(list(run_)) < 20
    assert run_.cut_short


def test_a_run_that_is_left_ends_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    original = subprocess.Popen

    def popen(*args: object, **kwargs: object) -> subprocess.Popen[bytes]:
        started.append(original(*args, **kwargs))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    iterator = iter(RuffRun("eval(x)\n" * 10_000, ("--select=S307",)))
    next(iterator)
    iterator.close()  # type: ignore[attr-defined]
    assert started[0].returncode is not None


def test_a_crash_is_an_error_not_silence() -> None:
    with pytest.raises(ToolFailed, match="status"):
        run(RUFF, "1+" * 49_999 + "1")


def test_of_too_many_findings_the_worst_are_kept() -> None:
    code = "".join(f"import m{n}\n" for n in range(3_000)) + "print(undefined_name)\n"
    outputs = list(RuffAnalyzer().analyze(AnalyzerRequest(code, "python")))
    findings = [each.finding for each in outputs if isinstance(each, Reported)]
    assert len(findings) == 2_000
    assert findings[0].rule_id == "F821"
    assert any(isinstance(each, Note) and each.truncated for each in outputs)
