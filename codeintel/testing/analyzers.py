"""The contract of every analyzer."""

from __future__ import annotations

import re
from typing import ClassVar

import msgspec
import pytest

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Finding,
    Metric,
    Model,
    Note,
    Reported,
)
from codeintel.contracts.positions import LineTable

HARD_TO_DIGEST = (
    "",
    "\n",
    "\r\n\r\n",
    "\x00",
    "\ufeff",
    "(" * 500,
    "'" * 501,
    "\N{PILE OF POO}" * 100,
    "a" * 20_000,
    "x = 1\r" * 50,
)
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


class AnalyzerContract:
    """Subclass this with an analyzer and code for which it reports findings or metrics."""

    analyzer: ClassVar[Analyzer]
    bad_code: ClassVar[str]
    bad_code_has_findings: ClassVar[bool] = True
    language: ClassVar[str | None]

    def analyze(self, code: str, model: Model = Model.FLASH) -> list[AnalyzerOutput]:
        """Return all output of the analyzer for a piece of code."""
        return list(self.analyzer.analyze(AnalyzerRequest(code, self.language, model)))

    def findings(self, code: str, model: Model = Model.FLASH) -> list[Finding]:
        """Return only the findings."""
        return [each.finding for each in self.analyze(code, model) if isinstance(each, Reported)]

    def test_it_has_a_name_a_version_and_a_deadline(self) -> None:
        assert _NAME.fullmatch(self.analyzer.name)
        assert self.analyzer.version
        assert 0 < self.analyzer.timeout <= 60

    def test_it_understands_the_language_of_its_example(self) -> None:
        assert self.analyzer.understands(self.language)

    def test_preloading_twice_is_harmless(self) -> None:
        self.analyzer.preload()
        self.analyzer.preload()

    @pytest.mark.parametrize("model", list(Model))
    def test_it_finds_something_in_the_bad_code(self, model: Model) -> None:
        assert self.analyze(self.bad_code, model)
        assert bool(self.findings(self.bad_code, model)) is self.bad_code_has_findings

    def test_findings_carry_its_name_and_point_into_the_code(self) -> None:
        lines = LineTable(self.bad_code)
        for finding in self.findings(self.bad_code):
            assert finding.engine == self.analyzer.name
            assert finding.rule_id
            assert finding.message.strip()
            assert lines.contains(finding.range)
            if finding.fix is not msgspec.UNSET:
                assert all(lines.contains(edit.range) for edit in finding.fix.edits)

    def test_what_it_says_survives_the_way_between_processes(self) -> None:
        for output in self.analyze(self.bad_code):
            wire = msgspec.msgpack.encode(output)
            assert msgspec.msgpack.decode(wire, type=AnalyzerOutput) == output

    def test_it_says_the_same_twice(self) -> None:
        assert self.findings(self.bad_code) == self.findings(self.bad_code)

    @pytest.mark.parametrize("code", HARD_TO_DIGEST, ids=range(len(HARD_TO_DIGEST)))
    def test_hard_code_gives_answers_that_are_in_order(self, code: str) -> None:
        lines = LineTable(code)
        for output in self.analyze(code):
            assert isinstance(output, Reported | Metric | Note)
            if isinstance(output, Reported):
                assert lines.contains(output.finding.range)
