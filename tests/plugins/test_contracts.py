"""Shipped plugins follow the same contracts as plugins of other authors."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import ClassVar

import pytest
from codeintel_plugins.python.bandit import BanditAnalyzer
from codeintel_plugins.python.metrics import MetricsAnalyzer
from codeintel_plugins.python.ruff import RuffAnalyzer
from codeintel_plugins.secrets import SecretsAnalyzer
from codeintel_plugins.static import StaticEngine

from codeintel.contracts import (
    AnalysisTask,
    Analyzer,
    Confidence,
    Detection,
    Finding,
    LanguageDetector,
    Model,
    Range,
    Reported,
    Severity,
)
from codeintel.engine.detection.detector import GrammarDetector
from codeintel.testing import AnalyzerContract, DetectorContract, EngineContract

BAD_CODE = """import subprocess
PASSWORD = "s3cr3t-Zq81mNv0-plX"

def run(command, seen=[]):
    subprocess.call(command, shell=True)
    return seen
"""


@pytest.fixture(autouse=True)
def _working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a separate working folder, as in a worker process."""
    monkeypatch.chdir(tmp_path)


class TestRuff(AnalyzerContract):
    analyzer = RuffAnalyzer()
    bad_code = BAD_CODE
    language = "python"


class TestBandit(AnalyzerContract):
    analyzer = BanditAnalyzer()
    bad_code = "import tempfile\n\nNAME = tempfile.mktemp()\n"
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
    detectors: ClassVar[list[LanguageDetector]] = [GrammarDetector()]
    task = AnalysisTask(BAD_CODE, None, "", Model.FLASH)

    def test_the_language_is_told(self) -> None:
        assert self.run()[1].language == "python"


class TestStaticThatCannotTellTheLanguage(TestStatic):
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


class Guesser(LanguageDetector):
    """Returns its given answers, in sequence."""

    def __init__(self, *answers: Detection, name: str = "guesser") -> None:
        self.name = name
        self._answers = cycle(answers)

    def detect(self, code: str) -> Detection:
        return next(self._answers) if code else Detection(language=None, confidence=0)


GO = Detection(language="go", confidence=0.9)
C = Detection(language="c", confidence=0.9)


@pytest.mark.parametrize(
    ("guesser", "test"),
    [
        (Guesser(GO, name="A guesser"), "test_it_has_a_name_a_version_and_a_deadline"),
        (Guesser(C), "test_it_tells_the_languages_of_its_samples"),
        (Guesser(GO, C), "test_it_says_the_same_twice"),
    ],
)
def test_a_bad_detector_does_not_pass(guesser: LanguageDetector, test: str) -> None:
    class Contract(DetectorContract):
        detector = guesser
        samples: ClassVar[dict[str, str]] = {"go": "package main\n"}

    with pytest.raises(AssertionError):
        getattr(Contract(), test)()


@pytest.mark.parametrize(
    "answer",
    [
        Detection(language="golang", confidence=0.9),
        Detection(language="go", confidence=1.5),
        Detection(language="go", confidence=0.9, alternatives=("go",)),
    ],
)
def test_a_detector_with_answers_out_of_order_does_not_pass(answer: Detection) -> None:
    class Contract(DetectorContract):
        detector = Guesser(answer)

    with pytest.raises(AssertionError):
        Contract().test_hard_code_gives_answers_that_are_in_order_and_in_time("x")
