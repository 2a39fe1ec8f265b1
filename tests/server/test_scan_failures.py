"""A scan whose database fails for a few reads: the report says so, and the next scan mends it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeintel.client.scans import ScanClient, ScanEnd, ScanItem
from codeintel.contracts.scans.records import Cause, FileResult, FoundFile, ScanSummary
from codeintel.testing.server import LiveServer

FILES = 300
PRICE = 4
LOST = (3, 77, 150, 151, 299)
TEXTS = {f"src/{number:03}.txt2": f"# file {number}\n" for number in range(FILES)}
PATHS = {f"src/{number:03}.txt2" for number in LOST}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    (tmp_path / "plugins").mkdir()
    plugin = Path(__file__).with_name("failing_reads_plugin.py")
    shutil.copy(plugin, tmp_path / "plugins/failing_reads.py")
    with LiveServer(tmp_path) as live:
        yield live


def files() -> list[FoundFile]:
    """Return the descriptions of the files. Their language is that of no analyzer."""
    return [
        FoundFile(path=path, sha256=digest(text), size=len(text), language="klingon")
        for path, text in TEXTS.items()
    ]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def results(items: list[ScanItem]) -> dict[str, FileResult]:
    """Return the results by path. Each file has one."""
    found = [each for each in items if isinstance(each, FileResult)]
    by_path = {each.path: each for each in found}
    assert len(found) == len(by_path) == FILES
    return by_path


def summary(items: list[ScanItem]) -> ScanSummary:
    (found,) = (each for each in items if isinstance(each, ScanSummary))
    return found


def test_only_the_files_that_were_not_read_are_told_and_scanned_again(server: LiveServer) -> None:
    key = server.make_key()
    reads: list[str] = []

    def read(file: FoundFile) -> str:
        reads.append(file.path)
        return TEXTS[file.path]

    lost = server.instance / "lost.txt"
    lost.write_text("\n".join(digest(TEXTS[path]) for path in PATHS))
    first = list(ScanClient(server.url, key).scan(files(), read))
    found = results(first)
    assert {path: each.cause for path, each in found.items() if each.cause} == dict.fromkeys(
        PATHS, Cause.CRASH
    )
    told = summary(first)
    assert sorted(each.path for each in told.left_out) == sorted(PATHS)
    assert (told.causes, told.files, told.analyzed) == ({Cause.CRASH: 5}, FILES, FILES - 5)
    end = first[-1]
    assert isinstance(end, ScanEnd)
    assert (end.state, end.credits_charged) == ("completed", PRICE)
    balance = server.account(key)["credits"]["balance"]

    lost.unlink()
    reads.clear()
    second = list(ScanClient(server.url, key).scan(files(), read))
    assert set(reads) == PATHS
    assert len(reads) == len(PATHS)
    again = results(second)
    assert {path for path, each in again.items() if not each.cached} == PATHS
    assert not any(each.cause for each in again.values())
    assert (summary(second).left_out, summary(second).causes) == ((), {})
    assert server.account(key)["credits"]["balance"] == balance - PRICE
