"""The pages of a scan: its row in the list, its findings by file, and what was not checked."""

from __future__ import annotations

import msgspec
import pytest
from flask import Flask
from scripted_runs import finding
from signed_browser import SignedBrowser
from signed_pages import page_of
from sqlalchemy import insert
from stored_samples import run_row
from support import User

from codeintel.app import Services
from codeintel.contracts import Model
from codeintel.contracts.findings import Severity
from codeintel.contracts.scans.records import (
    Cause,
    ExcludedFile,
    ScanFinding,
    ScanResult,
    ScanSummary,
)
from codeintel.platform.db import db
from codeintel.platform.db.models import RunRow

SUMMARY = ScanSummary(
    files=1_250,
    analyzed=1_249,
    cached=7,
    lines=80_000,
    counts={Severity.HIGH: 1},
    left_out=(ExcludedFile(path="big.py", reason="larger than 5 MiB", cause=Cause.SIZE),),
    engine="static",
    version="1",
    model=Model.PRO,
    resolved_calls=30,
    unresolved_calls=10,
    notes=("A note about linking.",),
)


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    found = ScanFinding(path="app/db.py", finding=finding(2), fingerprint="f", excerpt="")
    result = ScanResult(summary=SUMMARY, findings=(found,), omitted=3)
    row = run_row(user.account.id, "run_scan", "completed") | {
        "kind": "scan",
        "file": "shop",
        "severities": '{"high": 1}',
        "result": msgspec.json.encode(result).decode(),
    }
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(insert(RunRow).values(row))
        other = run_row(user.account.id, "run_open", "running") | {"kind": "scan", "file": None}
        connection.execute(insert(RunRow).values(other))
    return SignedBrowser(app, services, user.account.id)


def test_scans_are_listed(browser: SignedBrowser) -> None:
    text = page_of(browser, "/runs").root.text
    assert "shop" in text
    assert "Unnamed repository" in text
    assert "Scan" in text
    filtered = page_of(browser, "/runs?kind=scan").root.text
    assert "shop" in filtered
    assert "Unnamed repository" not in page_of(browser, "/runs?kind=analysis").root.text


def test_a_scan_shows_its_files_and_what_was_not_checked(browser: SignedBrowser) -> None:
    text = page_of(browser, "/runs/run_scan").root.text
    for part in (
        "Scan of shop",
        "1,249 of 1,250 files analyzed",
        "7 results came from earlier scans",
        "30 of 40 calls",
        "app/db.py",
        "big.py: larger than 5 MiB",
        "A note about linking.",
    ):
        assert part in text, part
    assert page_of(browser, "/runs/run_open")
