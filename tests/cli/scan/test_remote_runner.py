"""Several scans by a service with one runner: their runs, prices and engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from codeintel.cli.scan.remote import RemoteRunner
from codeintel.client.scans import ScanClient, ScanEnd, ScanItem
from codeintel.contracts import Model, Severity
from codeintel.contracts.scans.records import FoundFile, ScanSummary

FILE = FoundFile(path="a.py", sha256="0" * 64, size=1, language="python")


class Service:
    """A service that ends each scan with the next number."""

    url = "https://example.org"

    def __init__(self) -> None:
        self.number = 0

    def scan(self, *_given: Any) -> Iterator[ScanItem]:
        self.number += 1
        yield ScanSummary(
            files=1,
            analyzed=1,
            cached=0,
            lines=1,
            counts=dict.fromkeys(Severity, 0),
            left_out=(),
            engine=f"engine {self.number}",
            version="1",
            model=Model.FLASH,
            notes=("The same note.",),
        )
        yield ScanEnd(run_id=f"run_{self.number}", state="completed", credits_charged=self.number)


def test_all_runs_are_named_with_their_prices() -> None:
    runner = RemoteRunner(cast("ScanClient", Service()), "name")
    for _ in range(2):  # the scan, and the base that it is compared with
        list(runner.scan([FILE], lambda _file: "x", Model.FLASH))
    told = [
        "The same note.",
        "https://example.org/runs/run_1: 1 credit charged.",
        "https://example.org/runs/run_2: 2 credits charged.",
    ]
    assert list(runner.notes()) == told
    assert runner.about(Model.FLASH).engine == "engine 1"
    list(runner.scan([FILE], lambda _file: "x", Model.FLASH))
    assert list(runner.notes())[1:] == ["https://example.org/runs/run_3: 3 credits charged."]
    assert runner.about(Model.FLASH).engine == "engine 3"
