"""Stores and readers that fail: every file keeps a result, and results are stored once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gevent
import msgspec
import pytest
from scan_accounts import Scanning
from scan_helpers import SQL_INJECTION, found_file, scan_files, scanned, scanner

from codeintel.app import Services
from codeintel.contracts import Model
from codeintel.contracts.scans.records import Cause, CrossFileResult, FileResult, ScanSummary
from codeintel.runs.scans.plan import Totals
from codeintel.runs.scans.results import MemoryResults, ResultKey
from codeintel.runs.scans.storage import Listing
from codeintel.runs.scans.work import NOT_LOOKED_UP, NOT_READ

TEXTS = {f"{number}.py": f"x = {number}\n" for number in range(8)}
STORE = "import sqlite3\n\ndef find(n):\n    sqlite3.connect('a').execute('select ' + n)\n"
WEB = "from flask import request\nimport store\n\ndef show():\n    store.find(request.args['n'])\n"


class DatabaseError(Exception):
    """Stands for an error of a driver, which is no OSError."""


class FailingResults(MemoryResults):
    """A store that fails at the named methods."""

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self.failing = failing

    def get(self, keys: Sequence[ResultKey]) -> Mapping[ResultKey, bytes]:
        if "get" in self.failing:
            raise DatabaseError
        return super().get(keys)

    def put(self, results: Mapping[ResultKey, bytes]) -> None:
        if "put" in self.failing:
            raise DatabaseError
        super().put(results)


def fails() -> str:
    raise DatabaseError("host=db password=x")


def test_a_content_that_cannot_be_read_is_told(services: Services) -> None:
    files = [
        *scan_files(TEXTS),
        (found_file("lost.py", "y = 1\n"), fails),
        (found_file("copy.py", "y = 1\n"), lambda: "y = 1\n"),
    ]
    results = list(scanner(services).scan(files, Model.FLASH, "t"))
    found = {each.path: each for each in results if isinstance(each, FileResult)}
    assert {path for path, each in found.items() if each.cause} == {"lost.py"}
    assert found.keys() == {*TEXTS, "lost.py", "copy.py"}
    assert (found["lost.py"].cause, found["lost.py"].unchecked) == (Cause.CRASH, (NOT_READ,))


def test_a_known_result_whose_excerpts_cannot_be_read_is_told(services: Services) -> None:
    results = MemoryResults()
    scanned(scanner(services, results), {"a.py": SQL_INJECTION})
    ((file, _),) = scan_files({"a.py": SQL_INJECTION})
    (found,) = scanner(services, results).scan([(file, fails)], Model.FLASH, "t")
    assert isinstance(found, FileResult)
    assert (found.cause, found.unchecked) == (Cause.CRASH, (NOT_READ,))


def test_results_that_are_not_stored_are_sent(services: Services) -> None:
    store = FailingResults("put")
    found = scanned(scanner(services, store), TEXTS)
    assert {each.cause for each in found.values()} == {found["0.py"].cause}
    store.failing = ()
    assert not scanned(scanner(services, store), TEXTS)["0.py"].cached
    assert all(each.cached for each in scanned(scanner(services, store), TEXTS).values())


def test_results_that_cannot_be_looked_up_are_made_again(services: Services) -> None:
    store = FailingResults("get")
    scanned(scanner(services, store), TEXTS)
    (file, read), (other, _) = scan_files({"a.py": "x = 0\n", "b.py": "x = 1\n"})

    def not_sent() -> str:
        raise ValueError("its content was not sent")

    results = scanner(services, store).scan([(file, read), (other, not_sent)], Model.FLASH, "t")
    found = {each.path: each for each in results if isinstance(each, FileResult)}
    assert not found["a.py"].cause
    assert (found["b.py"].cause, found["b.py"].unchecked) == (Cause.CRASH, (NOT_LOOKED_UP,))


@pytest.mark.parametrize("failing", ["get", "put"])
def test_values_are_followed_without_a_store(services: Services, failing: str) -> None:
    files = scan_files({"store.py": STORE, "web.py": WEB})
    results = list(scanner(services, FailingResults(failing)).scan(files, Model.PRO, "t"))
    assert [type(each) for each in results] == [FileResult, FileResult, CrossFileResult]
    assert len(results[-1].findings) == 1


def test_files_that_are_not_linked_for_an_unknown_reason_are_told(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise DatabaseError

    monkeypatch.setattr("codeintel.runs.scans.cross_file.ProjectAnalysis.result", breaks)
    *_, last = scanner(services).scan(scan_files(TEXTS), Model.PRO, "t")
    assert isinstance(last, CrossFileResult)
    assert (last.cause, len(last.notes)) == (Cause.CRASH, 1)


def test_the_stored_result_says_that_files_were_not_linked(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise DatabaseError

    monkeypatch.setattr("codeintel.runs.scans.cross_file.ProjectAnalysis.result", breaks)
    large = {"path": "big.py", "reason": "too large", "cause": "size"}
    run_id = scanning.ready({"store.py": STORE, "web.py": WEB}, model="pro", leftOut=[large])
    scanning.stream(run_id)
    report = scanning.ask("GET", f"/runs/{run_id}").json["data"]
    summary = report["result"]["summary"]
    assert (summary["causes"], summary["crossCause"]) == ({"size": 1, "crash": 1}, "crash")
    assert summary["notes"] == [
        "Values were not followed across files, because linking the files failed."
    ]
    assert msgspec.convert(summary, ScanSummary).unlisted == 0
    (log,) = scanning.ask("GET", f"/runs/{run_id}?format=sarif").get_json(force=True)["runs"]
    (invocation,) = log["invocations"]
    assert not invocation["executionSuccessful"]
    told = [each["message"]["text"] for each in invocation["toolExecutionNotifications"]]
    assert sorted(told) == ["Not analyzed: too large", *summary["notes"]]


def test_no_result_is_stored_twice(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeintel.runs.scans.pending.STORED_AT_ONCE", 1)
    stored: list[ResultKey] = []

    class SlowResults(MemoryResults):
        def put(self, results: Mapping[ResultKey, bytes]) -> None:
            stored.extend(results)
            gevent.sleep(0.3)
            super().put(results)

    scanned(scanner(services, SlowResults()), TEXTS)
    assert len(stored) == len(set(stored)) == len(TEXTS)


def test_planned_files_without_a_result_count_as_not_analyzed() -> None:
    files = tuple(found_file(path, text) for path, text in TEXTS.items())
    for ended in (Cause.CRASH, Cause.TIME):
        summary = Totals(Listing(files)).result("static", Model.FLASH, ended).summary
        assert [(each.path, each.cause) for each in summary.left_out] == [
            (path, ended) for path in TEXTS
        ]
        assert summary.analyzed == 0


def test_a_scan_names_the_files_that_its_database_did_not_read(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = scanning.ready(TEXTS)
    lost = {found_file("", TEXTS[path]).sha256 for path in ("2.py", "5.py")}
    store = scanning.services.scans._store
    read = store.read

    def reads(scan_id: str, sha256: str) -> str:
        if sha256 in lost:
            raise DatabaseError
        return read(scan_id, sha256)

    with monkeypatch.context() as patch:
        patch.setattr(store, "read", reads)
        events = scanning.stream(run_id)
    summary: dict[str, Any] = next(
        each["result"]["summary"] for each in events if each["type"] == "result"
    )
    assert [(each["path"], each["cause"]) for each in summary["leftOut"]] == [
        ("2.py", "crash"),
        ("5.py", "crash"),
    ]
    assert (events[-1]["type"], events[-1]["creditsCharged"]) == ("run.completed", 2)
    missing = scanning.request(TEXTS).json["data"]["missing"]
    assert set(missing) == lost
