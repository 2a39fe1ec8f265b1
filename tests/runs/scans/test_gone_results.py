"""Results that are gone between the request of a scan and its start: their contents are sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from scan_accounts import Scanning, files_of
from scan_helpers import found_file
from sqlalchemy import delete

from codeintel.client.answers import ApiError
from codeintel.client.scans import MAX_STARTS, ScanClient, ScanEnd
from codeintel.contracts.scans.requests import ScanTicket
from codeintel.platform.db import db
from codeintel.runs.scans.contents import FileAnalysis
from codeintel.runs.scans.tables import ScanResultRow

FILES = {"a.py": "x = 1\n", "b.py": "x = 2\n", "copy.py": "x = 2\n", "c.py": "x = 3\n"}
DIGESTS = {path: found_file(path, text).sha256 for path, text in FILES.items()}


def forget(scanning: Scanning, *paths: str) -> None:
    """Delete results, as a push does that removes the last file with a content."""
    with scanning.app.app_context(), db.engine.begin() as connection:
        connection.execute(
            delete(ScanResultRow).where(
                ScanResultRow.account_id == scanning.account_id,
                ScanResultRow.sha256.in_([DIGESTS[path] for path in paths]),
            )
        )


def test_a_scan_asks_for_contents_whose_results_are_gone(scanning: Scanning) -> None:
    known = {path: FILES[path] for path in ("a.py", "b.py")}
    scanning.scanned(known)
    ticket = scanning.request(FILES).json["data"]
    assert ticket["missing"] == [DIGESTS["c.py"]]
    run_id, balance = ticket["runId"], scanning.balance
    scanning.send(run_id, FILES["c.py"])
    forget(scanning, "b.py")
    refused = scanning.ask("GET", f"/scans/{run_id}/stream")
    assert (refused.status_code, refused.json["error"]["code"]) == (409, "contents_missing")
    assert refused.json["error"]["details"] == {"missing": [DIGESTS["b.py"]]}
    assert scanning.balance == balance
    assert scanning.send(run_id, FILES["b.py"], FILES["a.py"]).json["data"] == {"missing": 0}
    assert scanning.rows()[1] == 2
    results = files_of(scanning.stream(run_id))
    assert not [each.path for each in results.values() if each.cause]
    assert results["a.py"].cached


def test_contents_that_the_client_did_not_send_do_not_stop_the_start(scanning: Scanning) -> None:
    scanning.scanned({"a.py": FILES["a.py"]})
    run_id = scanning.ready({"a.py": FILES["a.py"]})
    forget(scanning, "a.py")
    assert scanning.ask("GET", f"/scans/{run_id}/stream").status_code == 409
    result = files_of(scanning.stream(run_id))["a.py"]
    assert result.unchecked == ("its content was not sent",)


def test_a_process_learns_that_another_one_asked_for_more(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanning.scanned(FILES)
    run_id = scanning.ready(FILES)
    scans = scanning.services.scans
    scans._expected_of(run_id)
    stale = dict(scans._expected)
    forget(scanning, "c.py")
    assert scanning.ask("GET", f"/scans/{run_id}/stream").status_code == 409
    monkeypatch.setattr(scans, "_expected", stale)
    assert scanning.send(run_id, FILES["c.py"]).json["data"] == {"missing": 0}
    assert not files_of(scanning.stream(run_id))["c.py"].cause


def test_another_version_of_an_engine_asks_for_all_contents(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanning.scanned(FILES)
    run_id = scanning.ready(FILES)
    key = FileAnalysis.key
    monkeypatch.setattr(
        FileAnalysis,
        "key",
        lambda self, file: key(self, file)._replace(made_by="0" * 64),
    )
    refused = scanning.ask("GET", f"/scans/{run_id}/stream")
    assert len(refused.json["error"]["details"]["missing"]) == 3


class Losing(ScanClient):
    """A client of a service that loses one more result before each of some starts."""

    def __init__(self, losses: int) -> None:
        super().__init__("http://127.0.0.1:9", "key")
        self.losses = losses
        self.sent: list[str] = []

    def request_scan(self, *_: Any) -> ScanTicket:
        return ScanTicket(run_id="run", missing=(DIGESTS["a.py"],), price=2, expires_at="")

    def send_contents(self, run_id: str, texts: Any) -> int:
        assert run_id == "run"
        self.sent += texts
        return 0

    def follow_scan(self, run_id: str) -> Iterator[Any]:  # type: ignore[override]
        self.losses -= 1
        if self.losses >= 0:
            raise ApiError(409, "contents_missing", "Gone.", {"missing": [DIGESTS["b.py"]]})
        yield ScanEnd(run_id=run_id, state="completed")


def scan(client: ScanClient) -> Sequence[Any]:
    """Scan all files."""
    files = [found_file(path, text) for path, text in FILES.items()]
    return list(client.scan(files, lambda file: FILES[file.path]))


def test_the_client_sends_contents_whose_results_are_gone() -> None:
    client = Losing(2)
    assert isinstance(scan(client)[-1], ScanEnd)
    assert client.sent == [FILES["a.py"], FILES["b.py"], FILES["b.py"]]


def test_the_client_starts_a_limited_number_of_times() -> None:
    client = Losing(100)
    with pytest.raises(ApiError, match=r"Gone\."):
        scan(client)
    assert client.losses == 100 - MAX_STARTS
