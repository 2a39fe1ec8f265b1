"""The results of earlier scans: their file, its limits, and what breaks it."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from codeintel.cli.scan import cache
from codeintel.cli.scan.cache import LocalResults, cache_folder
from codeintel.runs.scans.results import ResultKey


def key(number: int) -> ResultKey:
    return ResultKey(f"{number:064x}", f"{7:064x}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "codeintel"


def stored(folder: Path, *numbers: int) -> list[int]:
    """Return the numbers whose results a new store has."""
    results = LocalResults(folder)
    found = results.get([key(number) for number in numbers])
    results.close()
    return [number for number in numbers if key(number) in found]


def put(folder: Path, *numbers: int, data: bytes = b"data") -> LocalResults:
    results = LocalResults(folder)
    results.put({key(number): data for number in numbers})
    results.close()
    return results


def test_results_stay(folder: Path) -> None:
    put(folder, 1, 2)
    assert stored(folder, 1, 2, 3) == [1, 2]
    assert folder.stat().st_mode & 0o777 == 0o700
    other = ResultKey(key(1).sha256, f"{8:064x}")
    assert LocalResults(folder).get([other]) == {}


def test_many_keys_at_once(folder: Path) -> None:
    put(folder, *range(1_000))
    assert stored(folder, *range(1_000)) == [*range(1_000)]


def test_results_that_are_not_used_are_deleted_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_today", lambda: 1)
    put(folder, *range(20), data=b"x" * 10_000)
    monkeypatch.setattr(cache, "_today", lambda: 2)
    assert stored(folder, 3, 4) == [3, 4]
    monkeypatch.setattr(cache, "MAX_BYTES", 100_000)
    put(folder, 100, data=b"x" * 10_000)
    left = stored(folder, *range(20), 100)
    assert {3, 4, 100} <= set(left)
    assert len(left) <= 8
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 100_000


def test_a_broken_file_is_replaced(folder: Path) -> None:
    put(folder, 1)
    (file,) = folder.glob("*.db")
    file.write_bytes(b"this is no database" * 1_000)
    put(folder, 2)
    assert stored(folder, 1, 2) == [2]


def test_without_a_usable_folder_nothing_is_stored(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    results = put(tmp_path / "file" / "codeintel", 1)
    assert "Not a directory" in results.trouble
    assert results.get([key(1)]) == {}
    assert put(tmp_path / "none", 1).trouble == ""
    nothing = LocalResults(None)
    nothing.put({key(1): b"data"})
    assert (dict(nothing.get([key(1)])), nothing.trouble) == ({}, "")


def test_a_folder_that_others_can_change_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "codeintel").mkdir()
    (tmp_path / "codeintel").chmod(0o777)
    assert "other users can write" in put(tmp_path / "codeintel", 1).trouble


def test_an_error_in_the_middle_does_not_end_a_scan(folder: Path) -> None:
    results = LocalResults(folder)
    with sqlite3.connect(next(folder.glob("*.db"))) as connection:
        connection.execute("DROP TABLE results")
    connection.close()
    results.put({key(1): b"data"})
    assert "no such table" in results.trouble
    assert results.get([key(1)]) == {}
    results.close()


def test_parallel_scans_share_results(folder: Path) -> None:
    put(folder, 0)

    def work(start: int) -> None:
        results = LocalResults(folder)
        for number in range(start, start + 50):
            results.put({key(number): b"data"})
            results.get([key(number), key(0)])
        assert results.trouble == ""
        results.close()

    threads = [threading.Thread(target=work, args=(1 + 50 * each,)) for each in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stored(folder, *range(201)) == [*range(201)]


def test_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "codeintel"
    monkeypatch.setenv("HOME", str(tmp_path))
    for given in ({}, {"XDG_CACHE_HOME": "relative"}, {"XDG_CACHE_HOME": ""}):
        assert cache_folder(given) == tmp_path / ".cache" / "codeintel"
