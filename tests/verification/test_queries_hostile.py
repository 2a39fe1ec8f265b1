"""Malicious SQL has no effect outside of the engines, and ends."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.sql import compare
from codeintel.engine.equivalence.sql.apart import ApartError, apart
from codeintel.engine.equivalence.sql.databases import ENGINES, EngineError

MOST_SECONDS = 45.0
"""Far above what it takes, for a busy machine; without limits these take hours or all memory."""
ENDLESS = [
    "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT COUNT(*) FROM r",
    "SELECT COUNT(*) FROM generate_series(1, 1000000000) a(x), generate_series(1, 1000000000) b(y)",
    "SELECT LENGTH(LPAD('x', 2000000000, 'y'))",
    "SELECT LEVENSHTEIN(REPEAT('a', 1000000), REPEAT('b', 1000000))",
    "SELECT REPEAT('x', 1000000000)",
    "SELECT PRINTF('%*c', 1000000000, 'x')",
    "SELECT ZEROBLOB(1000000000)",
    "SELECT HEX(RANDOMBLOB(900000))",
    f"SELECT '{'x' * 90_000}'",
    "SELECT " + "(" * 3_000 + "1" + ")" * 3_000,
]
OUTSIDE = [
    "COPY (SELECT 1) TO '{file}'",
    "SELECT 1; COPY (SELECT 1) TO '{file}'",
    "ATTACH '{file}' AS x",
    "ATTACH DATABASE '{file}' AS x",
    "VACUUM INTO '{file}'",
    "EXPORT DATABASE '{file}'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('{file}', 'x')",
    "SELECT load_extension('x')",
    "SELECT * FROM glob('/etc/*')",
    "SET threads = 8",
    "SET enable_external_access = true",
    "SET temp_directory = '{file}'",
    "ANALYZE SELECT 1; COPY (SELECT 1) TO '{file}'",
    "ANALYZE COPY (SELECT 1) TO '{file}'",
]


@pytest.mark.parametrize("language", ["duckdb", "sqlite"])
@pytest.mark.parametrize("code", ENDLESS)
def test_comes_to_an_end(code: str, language: str) -> None:
    started = time.monotonic()
    evidence = compare(
        Comparison(before=code, after=f"{code} LIMIT 9", language=language, target=language)
    )
    assert time.monotonic() - started < MOST_SECONDS
    assert evidence.text


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
@pytest.mark.parametrize("code", OUTSIDE)
def test_engines_do_nothing_outside(code: str, engine: str, tmp_path: Path) -> None:
    file = tmp_path / "made"
    statement = code.format(file=file)
    opened = ENGINES[engine]()
    for ask in (opened.rows, opened.prepare):
        try:
            answer = ask(statement)
        except EngineError:
            continue
        assert "root:" not in repr(answer)
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_fit_in_memory_is_not_put_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    opened = ENGINES["duckdb"]()
    with pytest.raises(EngineError):
        opened.rows("SELECT repeat('x', 1000) || a AS b FROM range(500000) t(a) ORDER BY b DESC")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
@pytest.mark.parametrize(
    "code", [code for code in OUTSIDE if "SELECT 1;" in code or "ATTACH" in code or "COPY" in code]
)
def test_nothing_but_queries_is_run(code: str, engine: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError):
        ENGINES[engine]().rows(code.format(file=tmp_path / "made"))


@pytest.mark.parametrize("language", ["duckdb", "sqlite", "postgres"])
@pytest.mark.parametrize("code", OUTSIDE)
def test_checks_do_nothing_outside(code: str, language: str, tmp_path: Path) -> None:
    before = code.format(file=tmp_path / "made")
    after = before.replace("SELECT", "SELECT DISTINCT").replace("AS x", "AS y")
    compare(Comparison(before=before, after=after, language=language, target=language))
    assert list(tmp_path.iterdir()) == []


def test_what_runs_apart_writes_no_files(tmp_path: Path) -> None:
    def work() -> int:
        with (tmp_path / "made").open("wb", buffering=0) as file:
            return file.write(b"x")

    with pytest.raises(ApartError, match="OSError"):
        apart(work, int)


def test_what_runs_apart_answers_or_ends() -> None:
    assert apart(lambda: [1, 2], list[int]) == [1, 2]
    assert apart(lambda: len(b"x" * (2 << 30)), int) is None
    assert apart(lambda: os._exit(3), int) is None
    assert apart(lambda: "no number", int) is None
    with pytest.raises(ApartError, match="ZeroDivisionError at"):
        apart(lambda: 1 // 0, int)


def test_time_is_up() -> None:
    def work() -> int:
        while True:
            pass

    assert apart(work, int) is None


def test_values_stay_out_of_the_evidence() -> None:
    evidence = compare(
        Comparison(
            before="SELECT CAST('secret' AS INT)",
            after="SELECT CAST('secret' AS INT) + 1",
            language="duckdb",
            target="duckdb",
        )
    )
    assert evidence.status is not CheckStatus.PASSED
    assert "secret" not in evidence.text
