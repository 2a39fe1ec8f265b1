"""Lists of files that were not analyzed: failures come first, and counts are whole."""

from __future__ import annotations

from typing import Any

import pytest
from scan_accounts import Scanning
from scan_helpers import found_file

from codeintel.client.scans import ScanClient, ScanOptions
from codeintel.contracts import Model
from codeintel.contracts.scans.records import Cause, ExcludedFile
from codeintel.contracts.scans.requests import ScanRequest, ScanTicket
from codeintel.runs.scans.plan import Totals
from codeintel.runs.scans.results import not_analyzed
from codeintel.runs.scans.sarif import scan_log
from codeintel.runs.scans.storage import Listing

SKIPPED = tuple(ExcludedFile(path=f"gen/{n}.js", reason="generated") for n in range(5))
LARGE = ExcludedFile(path="big.py", reason="too large", cause=Cause.SIZE)


def test_failures_are_listed_before_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeintel.runs.scans.plan.MAX_LEFT_OUT", 3)
    lost, slow = found_file("lost.py", "x"), found_file("slow.py", "y")
    more = {Cause.SIZE: 2, Cause.NAME: 1}
    totals = Totals(Listing((lost, slow), (*SKIPPED, LARGE), more, 4))
    totals.add(not_analyzed(slow, Cause.TIME, "too slow"))
    result = totals.result("static", Model.FLASH)
    summary = result.summary
    assert [each.path for each in summary.left_out] == ["lost.py", "slow.py", "big.py"]
    assert summary.causes == {Cause.CRASH: 1, Cause.TIME: 1, Cause.SIZE: 3, Cause.NAME: 1}
    assert (summary.skipped, summary.unlisted) == (9, 12)
    (log,) = scan_log(result)["runs"]
    assert "12 more files were not analyzed." in str(log["invocations"])


def test_a_client_that_cuts_the_list_sends_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeintel.client.scans.MAX_LEFT_OUT", 2)
    sent: list[ScanRequest] = []

    def insist(*given: Any) -> None:
        sent.append(given[2])

    monkeypatch.setattr(ScanClient, "_insist", insist)
    left_out = (*SKIPPED, LARGE, ExcludedFile(path="x", reason="a name", cause=Cause.NAME))
    options = ScanOptions(left_out=left_out)
    ScanClient("http://127.0.0.1:9", "key").request_scan([found_file("a.py", "x")], options)
    assert [each.path for each in sent[0].left_out] == ["big.py", "x"]
    assert (sent[0].more_causes, sent[0].more_skipped) == ({}, 5)
    monkeypatch.setattr("codeintel.client.scans.MAX_LEFT_OUT", 1)
    ScanClient("http://127.0.0.1:9", "key").request_scan([found_file("a.py", "x")], options)
    assert (sent[1].more_causes, sent[1].more_skipped) == ({Cause.NAME: 1}, 5)


def test_the_summary_counts_what_the_client_has_cut(scanning: Scanning) -> None:
    answer = scanning.request(
        {"a.py": "x = 1\n"},
        leftOut=[{"path": "big.py", "reason": "too large", "cause": "size"}],
        moreCauses={"size": 2, "name": 1},
        moreSkipped=7,
    )
    ticket: ScanTicket = answer.json["data"]
    scanning.send(ticket["runId"], "x = 1\n")  # type: ignore[index]
    events = scanning.stream(ticket["runId"])  # type: ignore[index]
    summary = next(each["result"]["summary"] for each in events if each["type"] == "result")
    assert (summary["causes"], summary["skipped"]) == ({"size": 3, "name": 1}, 7)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"moreCauses": {"size": 36893488147419103232}}, "moreCauses[...]"),
        ({"moreSkipped": 10_000_001}, "moreSkipped"),
    ],
)
def test_counts_of_what_is_cut_are_limited(
    scanning: Scanning, fields: dict[str, Any], path: str
) -> None:
    answer = scanning.request({"a.py": "x = 1\n"}, **fields)
    assert (answer.status_code, answer.json["error"]["details"]["path"]) == (400, path)
