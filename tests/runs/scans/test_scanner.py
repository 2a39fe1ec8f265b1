"""Scanning files without a service around: results, secrets, causes and reuse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counting_engine import COUNTING_ENGINE
from scan_helpers import SQL_INJECTION, TOKEN, found_file, scan_files, scanned, scanner
from support import MakeApp

from codeintel.app import Services
from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    AnalyzerReport,
    AnalyzerStatus,
    Model,
    Severity,
)
from codeintel.contracts.scans.records import Cause
from codeintel.engine.sarif.fingerprints import fingerprints
from codeintel.runs.scans.analysis import ContentAnalysis
from codeintel.runs.scans.results import MemoryResults, ScanFile, with_excerpts
from codeintel.runs.scans.scanner import NoEngineError


def test_files_have_the_findings_of_an_analysis(services: Services) -> None:
    found = scanned(
        scanner(services),
        {"app/db.py": SQL_INJECTION, "empty.py": "", "blank.js": " \n\n", "fine.py": "x = 1\n"},
    )
    injection = found["app/db.py"]
    assert (injection.lines, injection.cause, injection.cached) == (6, injection.cause, False)
    cwes = [each.finding.cwe for each in injection.findings]
    assert "CWE-89" in cwes
    assert [each.path for each in injection.findings] == ["app/db.py"] * len(cwes)
    findings = [each.finding for each in injection.findings]
    marks = fingerprints(findings, SQL_INJECTION)
    assert [each.fingerprint for each in injection.findings] == marks
    at = injection.findings[cwes.index("CWE-89")]
    assert at.excerpt == SQL_INJECTION.splitlines()[at.finding.range.start_line - 1].strip()
    lines = [each.range.start_line for each in findings]
    assert lines == sorted(lines)
    assert (found["empty.py"].lines, found["blank.js"].findings) == (0, ())


def test_a_secret_is_critical_and_never_repeated(services: Services) -> None:
    text = f'x = 1\nTOKEN = "{TOKEN}"\n'
    for path in ("settings.py", "settings.toml"):
        found = scanned(scanner(services), {path: text})[path]
        critical = [each for each in found.findings if each.finding.severity is Severity.CRITICAL]
        assert [each.finding.range.start_line for each in critical] == [2]
        assert TOKEN[4:] not in repr(found)


def test_a_file_named_like_settings_is_reported_by_its_name(services: Services) -> None:
    found = scanned(scanner(services), {"a/.env": "A=1\n", "a/env.txt": "A=1\n"})
    assert [each.finding.rule_id for each in found["a/.env"].findings] == ["dotenv"]
    assert found["a/env.txt"].findings == ()


def test_results_are_reused_by_content_and_rules(make_app: MakeApp, tmp_path: Path) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins/counting.py").write_text(COUNTING_ENGINE)
    services: Services = make_app().extensions["codeintel"]
    results = MemoryResults()
    texts = {"a.py": "same\n", "b/a.py": "same\n", "c.py": "other\n", "same.js": "same\n"}
    first = scanned(scanner(services, results), texts)
    assert [each.cached for each in first.values()] == [False] * 4
    again = scanned(scanner(services, results), texts | {"d.py": "new\n"})
    assert [again[path].cached for path in (*texts, "d.py")] == [True] * 4 + [False]
    assert all(again[path].findings == first[path].findings for path in texts)
    analyzed = (tmp_path / "analysed.txt").read_text().split()
    assert sorted(analyzed) == ["new", "other", "same", "same"]  # once for each language


def test_unreadable_and_crashed_files_have_a_cause(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyze = ContentAnalysis.analyze

    def fails(self: Any, engine: Any, task: AnalysisTask, turn: str) -> AnalysisResult:
        if "crash" in task.code:
            raise RuntimeError("broken")
        if "limit" in task.code:
            report = AnalyzerReport(
                name="r", version="1", status=AnalyzerStatus.TIMED_OUT, findings=0, milliseconds=1
            )
            return AnalysisResult(
                language="python",
                engine="e",
                summary="",
                findings=(),
                metrics={},
                analyzers=(report,),
            )
        return analyze(self, engine, task, turn)

    monkeypatch.setattr(ContentAnalysis, "analyze", fails)

    def missing() -> str:
        raise FileNotFoundError("secret/path")

    def changed() -> str:
        raise ValueError("the file has changed")

    texts = {"good.py": "x = 1\n", "bad.py": "crash = 1\n", "slow.py": "limit = 1\n"}
    files = [
        *scan_files(texts),
        (found_file("gone.py", "y = 1\n"), missing),
        (found_file("new.py", "z = 1\n"), changed),
    ]
    results = MemoryResults()
    for _ in range(2):  # the store has no results
        found = {
            each.path: each for each in scanner(services, results).scan(files, Model.FLASH, "t")
        }
        assert {path: each.cause for path, each in found.items() if each.cause} == {
            "bad.py": Cause.CRASH,
            "slow.py": Cause.TIME,
            "gone.py": Cause.UNREADABLE,
            "new.py": Cause.UNREADABLE,
        }
        assert found["new.py"].unchecked == ("the file has changed",)
        assert "secret" not in repr(found["gone.py"])


def test_an_equal_file_is_scanned_though_the_first_is_unreadable(services: Services) -> None:
    def missing() -> str:
        raise OSError

    (file, read), (other, _) = scan_files({"a.py": SQL_INJECTION, "b.py": SQL_INJECTION})
    files = [(other, missing), (file, read)]
    found = {each.path: each for each in scanner(services).scan(files, Model.FLASH, "t")}
    assert found["b.py"].cause is Cause.UNREADABLE
    assert found["a.py"].findings


def test_services_keep_no_code_and_clients_add_excerpts(services: Services) -> None:
    texts = {"a.py": SQL_INJECTION}
    kept = scanned(scanner(services, excerpts=False), texts)["a.py"]
    assert {each.excerpt for each in kept.findings} == {""}
    local = scanned(scanner(services), texts)["a.py"]
    assert with_excerpts(kept, SQL_INJECTION) == local


def test_a_closed_scan_ends_and_keeps_its_results(services: Services) -> None:
    results = MemoryResults()
    texts = {f"{number}.py": f"x = {number}\n" for number in range(20)}
    scan = scanner(services, results).scan(scan_files(texts), Model.FLASH, "t")
    first = next(scan)
    scan.close()
    again = scanned(scanner(services, results), {first.path: texts[first.path]})
    assert again[first.path].cached


def test_long_files_are_analyzed_in_full(services: Services) -> None:
    text = "x = 1\n" * 40_000 + SQL_INJECTION
    found = scanned(scanner(services), {"long.py": text})["long.py"]
    assert found.lines == 40_006
    assert "CWE-89" in {each.finding.cwe for each in found.findings}


def test_errors_of_the_files_reach_the_caller(services: Services) -> None:
    def files() -> Iterator[ScanFile]:
        yield scan_files({"a.py": "x = 1\n"})[0]
        raise KeyError("gone")

    with pytest.raises(KeyError):
        list(scanner(services).scan(files(), Model.FLASH, "t"))


def test_without_an_engine_nothing_is_scanned(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeintel.runs.scans.analysis._is_able", lambda *_: False)
    with pytest.raises(NoEngineError):
        scanned(scanner(services), {"a.py": "x\n"})


def test_only_secrets_are_checked_without_a_language(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any) -> None:
        raise AssertionError("the language of a text is detected")

    monkeypatch.setattr(ContentAnalysis, "analyze", never)
    texts = {"README": SQL_INJECTION, "notes": f'TOKEN = "{TOKEN}"\n'}
    found = scanned(scanner(services), texts)
    assert {each.language for each in found.values()} == {None}
    assert (found["README"].findings, found["README"].unchecked) == ((), ())
    assert found["README"].lines == 6
    assert [each.finding.severity for each in found["notes"].findings] == [Severity.CRITICAL]


def test_a_larger_file_than_clients_send_is_not_analyzed(services: Services) -> None:
    found = scanned(scanner(services), {"big.py": "x = 1\n" * 900_000})["big.py"]
    assert (found.cause, found.unchecked) == (Cause.SIZE, ("larger than 5 MiB",))
