"""What ships keeps to the contracts that other people's plugins are held to."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from codeintel_plugins.python.bandit import BanditAnalyzer
from codeintel_plugins.python.metrics import MetricsAnalyzer
from codeintel_plugins.python.ruff import RuffAnalyzer
from codeintel_plugins.secrets.analyzer import SecretsAnalyzer
from codeintel_plugins.static.engine import StaticEngine

from codeintel.contracts import (
    AnalysisTask,
    Analyzer,
    Confidence,
    Finding,
    Model,
    Range,
    Reported,
    Severity,
)
from codeintel.testing import AnalyzerContract, EngineContract

BAD_CODE = """import subprocess
PASSWORD = "s3cr3t-Zq81mNv0-plX"

def run(command, seen=[]):
    subprocess.call(command, shell=True)
    return seen
"""


@pytest.fixture(autouse=True)
def _working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a worker process has one."""
    monkeypatch.chdir(tmp_path)


class TestRuff(AnalyzerContract):
    analyzer = RuffAnalyzer()
    bad_code = BAD_CODE
    language = "python"


class TestBandit(AnalyzerContract):
    analyzer = BanditAnalyzer()
    bad_code = BAD_CODE
    language = "python"


class TestSecrets(AnalyzerContract):
    analyzer = SecretsAnalyzer()
    bad_code = BAD_CODE
    language = "python"


class TestSecretsAnywhere(AnalyzerContract):
    analyzer = SecretsAnalyzer()
    bad_code = 'let token = "ghp_' + "16C7e42F292c6912E7710c838347Ae178B4a" + '"\r\n'
    language = None


class TestMetrics(AnalyzerContract):
    analyzer = MetricsAnalyzer()
    bad_code = BAD_CODE
    bad_code_has_findings = False
    language = "python"


class TestStatic(EngineContract):
    engine = StaticEngine()
    analyzers: ClassVar[list[Analyzer]] = [
        RuffAnalyzer(),
        BanditAnalyzer(),
        SecretsAnalyzer(),
        MetricsAnalyzer(),
    ]
    task = AnalysisTask(BAD_CODE, "python", "Is it secure?", Model.PRO)


class TestStaticWithoutALanguage(TestStatic):
    task = AnalysisTask(BAD_CODE, None, "", Model.FLASH)


# The contracts can fail.


class Liar(Analyzer):
    languages = None
    calls = 0

    def __init__(self, name: str = "liar", *, engine: str = "liar", line: int = 1) -> None:
        self.name, self._engine, self._line = name, engine, line

    def analyze(self, _: object):
        self.calls += 1
        yield Reported(
            Finding(
                rule_id=f"L{self.calls}",
                engine=self._engine,
                severity=Severity.LOW,
                confidence=Confidence.LOW,
                cwe=None,
                message="here",
                range=Range(self._line, 1, self._line, 1),
            )
        )


@pytest.mark.parametrize(
    ("liar", "test"),
    [
        (Liar("A liar"), "test_it_has_a_name_a_version_and_a_deadline"),
        (Liar(engine="other"), "test_findings_carry_its_name_and_point_into_the_code"),
        (Liar(line=99), "test_findings_carry_its_name_and_point_into_the_code"),
        (Liar(), "test_it_says_the_same_twice"),
    ],
)
def test_a_bad_analyser_does_not_pass(liar: Analyzer, test: str) -> None:
    class Contract(AnalyzerContract):
        analyzer = liar
        bad_code = "x = 1\n"
        language = "python"

    with pytest.raises(AssertionError):
        getattr(Contract(), test)()
