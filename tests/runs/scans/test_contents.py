"""Contents of a scan: which are needed, their sizes, and a scan that is deleted meanwhile."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from scan_accounts import Scanning
from scan_helpers import found_file

from codeintel.platform.db import db
from codeintel.runs.idempotency import free
from codeintel.runs.scans.scanner import Scanner
from codeintel.runs.scans.storage import Listing, _packed, _unpacked

FILES = {f"{number}.py": f"x = {number}\n" for number in range(5)}


def test_needed_contents_are_found_once(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanning.scanned({"0.py": FILES["0.py"]})
    calls: list[int] = []
    keys = Scanner.keys

    def counted(self: Scanner, files: Any, model: Any) -> Any:
        calls.append(1)
        return keys(self, files, model)

    monkeypatch.setattr(Scanner, "keys", counted)
    ticket = scanning.request(FILES, key="k").json["data"]
    assert ticket["missing"] == [found_file("", FILES[f"{n}.py"]).sha256 for n in range(1, 5)]
    run_id = ticket["runId"]
    assert scanning.send(run_id, FILES["1.py"], FILES["2.py"]).json["data"] == {"missing": 2}
    assert scanning.send(run_id, FILES["1.py"]).json["data"] == {"missing": 2}
    # A content whose result is stored is not needed.
    assert scanning.send(run_id, FILES["0.py"]).json["data"] == {"missing": 2}
    assert scanning.rows()[1] == 2
    again = scanning.request(FILES, key="k").json["data"]
    assert again["missing"] == ticket["missing"][2:]
    scanning.services.scans._expected.clear()  # as at another process
    assert scanning.send(run_id, FILES["3.py"], FILES["4.py"]).json["data"] == {"missing": 0}
    assert len(calls) == 1
    assert scanning.stream(run_id)[-1]["type"] == "run.completed"


def test_a_scan_of_an_earlier_version_needs_all_contents() -> None:
    files = tuple(found_file(path, text) for path, text in (*FILES.items(), ("copy.py", "x = 0\n")))
    assert Listing(files).needed_digests == [file.sha256 for file in files[:5]]
    assert Listing(files, needed=(1, 3)).needed_digests == [files[1].sha256, files[3].sha256]


def test_few_scans_stay_in_memory(scanning: Scanning) -> None:
    runs = [scanning.ready({"a.py": f"y = {number}\n"}) for number in range(6)]
    assert list(scanning.services.scans._expected)[-4:] == runs[-4:]
    assert len(scanning.services.scans._expected) == 4
    scanning.ask("DELETE", f"/scans/{runs[-1]}")
    assert runs[-1] not in scanning.services.scans._expected


def test_a_content_of_another_size_is_rejected(scanning: Scanning) -> None:
    file = found_file("a.py", "x = 1\n")
    listed = {"path": "a.py", "sha256": file.sha256, "size": 9, "language": "python"}
    answer = scanning.ask("POST", "/scans", json={"files": [listed]})
    refused = scanning.send(answer.json["data"]["runId"], "x = 1\n")
    assert (refused.status_code, refused.json["error"]["code"]) == (400, "invalid_request")
    assert refused.json["error"]["details"] == {"path": "contents[0]", "size": 6, "listed": 9}
    assert scanning.rows()[1] == 0


def test_a_scan_that_is_deleted_while_it_starts_does_not_exist(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = scanning.ready(FILES)
    store = scanning.services.scans._store
    listing = store.listing

    def deleted_before(scan_id: str) -> Listing:
        store.delete(scan_id, scanning.account_id)
        return listing(scan_id)

    monkeypatch.setattr(store, "listing", deleted_before)
    answer = scanning.ask("GET", f"/scans/{run_id}/stream")
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")
    assert scanning.balance == (100, 0)


def test_a_scan_that_ends_while_another_reader_starts_it_is_followed(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = scanning.ready(FILES)
    store = scanning.services.scans._store
    listing = store.listing
    first: list[list[dict[str, Any]]] = []

    def ended_before(scan_id: str) -> Listing:
        if first:
            return listing(scan_id)
        first.append([])
        first[0] = Scanning.stream(scanning, run_id)
        store.delete(scan_id, scanning.account_id)
        with scanning.app.app_context(), db.engine.begin() as connection:  # as if it had failed
            free(connection, run_id)
        return Listing(())

    monkeypatch.setattr(store, "listing", ended_before)
    assert scanning.stream(run_id) == first[0]
    assert scanning.balance == (98, 0)


def test_long_lists_are_packed_with_pauses() -> None:
    data = bytes(range(256)) * 12_000
    turns: list[int] = []

    def others() -> None:
        while True:
            turns.append(1)
            gevent.sleep(0)

    other = gevent.spawn(others)
    packed = _packed(data)
    begun = len(turns)
    assert begun > 3
    assert _unpacked(packed) == data
    assert len(turns) > begun
    assert (_unpacked(_packed(b"")), _unpacked(_packed(b"x"))) == (b"", b"x")
    other.kill()
