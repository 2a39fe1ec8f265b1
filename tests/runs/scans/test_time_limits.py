"""The time limit of a scan ends each of its steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gevent
import pytest
from scan_accounts import Scanning, files_of

from codeintel.runs.scans.cross_file import ProjectAnalysis
from codeintel.runs.scans.storage import StoredResults

FILES = {"store.py": "def find(n):\n    return n\n", "web.py": "import store\nstore.find(1)\n"}
Hang = Callable[[pytest.MonkeyPatch], None]


def hangs(*_: object) -> Any:
    gevent.sleep(600)


def in_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProjectAnalysis, "_linked", hangs)
    monkeypatch.setattr(ProjectAnalysis, "_stored", lambda *_: {})


def in_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the store hang from the second call. The first one is for the results of the files."""
    get, calls = StoredResults.get, []

    def read(self: StoredResults, keys: Any) -> Any:
        calls.append(keys)
        return get(self, keys) if len(calls) == 1 else hangs()

    monkeypatch.setattr(StoredResults, "get", read)


def in_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProjectAnalysis, "_linked", lambda *_: [])
    monkeypatch.setattr(ProjectAnalysis, "_stored", lambda *_: {})
    monkeypatch.setattr(StoredResults, "put", hangs)


@pytest.mark.parametrize("hang", [in_links, in_reads, in_writes])
def test_files_are_not_linked_beyond_the_time_limit(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch, hang: Hang
) -> None:
    scanning.scanned(FILES, model="pro")
    assert scanning.balance == (98, 0)
    scans = scanning.services.scans
    monkeypatch.setattr(scans, "_settings", replace(scans._settings, scan_timeout=2.0))
    run_id = scanning.ready(FILES, model="pro")
    hang(monkeypatch)
    with gevent.Timeout(30):
        events = scanning.stream(run_id)
    assert (events[-1]["type"], events[-1]["reason"]) == ("run.incomplete", "time_limit")
    assert events[-1]["message"].startswith("The scan took longer than 2 s.")
    assert len(files_of(events)) == 2
    assert not [each for each in events if each["type"] == "cross_file"]
