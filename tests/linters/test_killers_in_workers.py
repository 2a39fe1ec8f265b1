"""Code that makes tools run out of time, memory or stack, where they run in the service: it is the
job that ends, and the next one works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gevent
import pytest

from codeintel.contracts import AnalyzerReport, AnalyzerRequest, AnalyzerStatus, Reported
from codeintel.platform.plugins.manager import PluginManager
from codeintel.platform.workers.pool import AnalyzerPool

SECONDS = 60
TIMEOUT = 1.0
ANALYZERS = {"oxlint", "shellcheck", "sql", "complexity", "syntax"}

# language, code; what of it is measured to end badly may end well one day
KILLERS = {
    "java generics": ("java", "a<" * 16_000),
    "c# generics": ("csharp", "a<" * 16_000),
    "java brackets": ("java", "(" * 50_000),
    "c brackets": ("c", "{" * 50_000),
    "php brackets": ("php", "<?php " + "[" * 50_000),
    "ruby quotes": ("ruby", "`" * 60_000),
    "rust brackets": ("rust", "(" * 50_000),
    "lua assignments": ("lua", "a = " * 25_000),
    "scala types": ("scala", "a[" * 40_000),
    "json brackets": ("json", "[" * 90_000),
    "yaml lists": ("yaml", "- " * 40_000),
    "xml elements": ("xml", "<a>" * 30_000),
    "toml tables": ("toml", "[" * 50_000),
    "bash heredocs": ("bash", "<<A " * 25_000),
    "bash brackets": ("bash", "(" * 50_000),
    "bash substitutions": ("bash", "$(" * 50_000),
    "bash words": ("bash", "$x " * 30_000),
    "js brackets": ("javascript", "[" * 99_000),
    "js templates": ("javascript", "`${" * 33_000),
    "ts generics": ("typescript", "a<" * 49_000),
    "sql brackets": ("sql", "(" * 50_000),
    "sql arrays": ("sql", f"SELECT {'ARRAY[' * 50}1{']' * 50}"),
    "perl functions": ("perl", "sub f { " * 12_000),
}


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnalyzerPool]:
    pool = AnalyzerPool(2, {}, tmp_path_factory.mktemp("instance"))
    pool.start()
    yield pool
    pool.stop()


def run(
    pool: AnalyzerPool, tmp_path: Path, language: str, code: str
) -> tuple[dict[str, AnalyzerReport], set[str]]:
    """Return the reports by analyzer, and the rules that were broken."""
    chosen = []
    for analyzer in PluginManager({}, tmp_path).registry.analyzers.values():
        if analyzer.name in ANALYZERS and analyzer.understands(language):
            analyzer.timeout = TIMEOUT
            chosen.append(analyzer)
    reports, rules = {}, set()
    with gevent.Timeout(SECONDS):
        for heard in pool.run("a", chosen, AnalyzerRequest(code, language)):
            if isinstance(heard, AnalyzerReport):
                reports[heard.name] = heard
            elif isinstance(heard.output, Reported):
                rules.add(heard.output.finding.rule_id)
    assert set(reports) == {analyzer.name for analyzer in chosen}
    return reports, rules


@pytest.mark.parametrize("name", KILLERS)
def test_a_killer_ends_its_own_job_only(pool: AnalyzerPool, tmp_path: Path, name: str) -> None:
    language, code = KILLERS[name]
    reports, _ = run(pool, tmp_path, language, code)
    assert all(report.milliseconds < (TIMEOUT + 2) * 1000 for report in reports.values())
    reports, _ = run(pool, tmp_path, "json", '{"a": 1}')
    assert {report.status for report in reports.values()} == {AnalyzerStatus.COMPLETED}


@pytest.mark.parametrize(
    ("language", "code", "rule"),
    [
        ("javascript", "debugger;", "no-debugger"),
        ("typescript", "debugger;", "no-debugger"),
        ("bash", "rm $1", "SC2086"),
        ("sql", "DELETE FROM t", "sql-delete-without-where"),
        ("json", '{"a": 1, "a": 2}', "json-duplicate-key"),
        ("java", "class A {", "invalid-syntax"),
        ("c", "int f(int a) {" + "if (a) a--;" * 12 + "}", "complex-function"),
    ],
)
def test_tools_work_within_the_limits_of_workers(
    pool: AnalyzerPool, tmp_path: Path, language: str, code: str, rule: str
) -> None:
    reports, rules = run(pool, tmp_path, language, code)
    assert {report.status for report in reports.values()} == {AnalyzerStatus.COMPLETED}
    assert rule in rules
