"""The export of an account's data."""

from __future__ import annotations

import io
import json
import zipfile

import msgspec
import pytest
from flask import Flask
from sqlalchemy import insert, select
from stored_samples import CODE, fill, run_row

from codeintel.app import Services
from codeintel.identity.tables import SessionRow
from codeintel.operations.personal_data import exporting, service
from codeintel.platform.db import db
from codeintel.platform.db.models import ApiKey, Base, RunRow
from codeintel.runs.scans.results import ResultKey
from codeintel.runs.scans.storage import StoredResults
from codeintel.runs.scans.tables import ScanContentRow, ScanResultRow
from codeintel.workspaces.tables import (
    ContentRow,
    FileResultRow,
    FileRow,
    SessionRow as WorkspaceRow,
)


@pytest.fixture
def services(database_app: Flask) -> Services:
    found: Services = database_app.extensions["codeintel"]
    return found


def export(services: Services, account_id: str) -> dict[str, bytes]:
    data = b"".join(services.personal_data.export(account_id))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_everything_is_in_it_and_no_secret(database_app: Flask, services: Services) -> None:
    user = fill(services)
    fill(services, "other@example.org")
    found = export(services, user.account.id)
    assert json.loads(found["account.json"])["email"] == "user@example.org"
    lines = {
        name.removesuffix(".jsonl"): [json.loads(line) for line in data.splitlines()]
        for name, data in found.items()
        if name.endswith(".jsonl") and "/" not in name
    }
    assert set(lines) == {kind.name for kind in exporting.KINDS}
    counts = {name: len(rows) for name, rows in lines.items()}
    assert all(counts.values()), counts
    assert (counts["runs"], counts["ledger"], counts["requests"]) == (2, 2, 2)
    assert {run["state"]: run["result"] for run in lines["runs"]} == {
        "completed": {"summary": "fine"},
        "running": None,
    }
    assert lines["api-keys"][0]["name"] == "test"
    assert lines["api-keys"][0]["created_at"].endswith("Z")
    [folder] = {name.split("/")[1] for name in found if name.startswith("workspaces/")}
    for path, text in CODE.items():
        assert found[f"workspaces/{folder}/files{path}"] == text.encode()
        assert text.encode() in [found[name] for name in found if name.startswith("contents/")]
    reports = [name for name in found if "/reports/" in name and "about" not in name]
    assert [found[name] for name in reports] == [b"{}"]
    assert found[f"file-results/{'0' * 64}.static-1.json"] == b"{}"
    everything = b"\n".join(found.values())
    with database_app.app_context(), db.engine.connect() as connection:
        digests = [*connection.scalars(select(ApiKey.digest))]
        digests += connection.scalars(select(SessionRow.digest))
    for secret in (user.token, *digests, "other@example.org", "shop of other"):
        assert secret.encode() not in everything
    assert b"\x00" not in everything


def test_everything_of_a_large_account(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that an export has all rows if there are more than one page."""
    user = fill(services)
    monkeypatch.setattr(exporting, "PAGE", 3)
    rows = [run_row(user.account.id, f"run_{n:04}", "completed") for n in range(9 + 1)]
    services.ledger._writer.run(lambda connection: connection.execute(insert(RunRow), rows))
    found = [json.loads(line) for line in export(services, user.account.id)["runs.jsonl"].split()]
    assert len(found) == 12
    assert {row["id"] for row in found} >= {row["id"] for row in rows}


def test_results_of_scans_are_in_it_as_json(services: Services) -> None:
    user = fill(services)
    store = StoredResults(
        services.engine, services.ledger._writer, user.account.id, services.settings.scan_results
    )
    results = {"a": b"", "b": msgspec.msgpack.encode({"lines": 3})}  # an empty summary, a result
    store.put({ResultKey(sha256 * 64, "c" * 64): data for sha256, data in results.items()})
    found = export(services, user.account.id)
    assert found[f"scan-results/{'a' * 64}.{'c' * 64}.json"] == b"null"
    assert found[f"scan-results/{'b' * 64}.{'c' * 64}.json"] == b'{"lines":3}'


def test_nothing_of_an_account_is_forgotten() -> None:
    """Check that every table with accounts is in the export and in the deletion."""
    of_accounts = {
        table.name for table in Base.metadata.tables.values() if "account_id" in table.columns
    }
    workspaces = {each.__tablename__ for each in (ContentRow, FileResultRow, FileRow, WorkspaceRow)}
    scans = {each.__tablename__ for each in (ScanContentRow, ScanResultRow)}
    assert of_accounts == {kind.table.name for kind in exporting.KINDS} | workspaces | scans
    books = {"balances", "ledger_entries", "audit_events", "holds"}
    deleted = {model.__tablename__ for model in service._TABLES}
    assert of_accounts - books - {"workspace_sessions", "workspace_files"} == deleted
