"""An account that scans over the API, and what the database has of its scans."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Flask
from scan_helpers import found_file
from sqlalchemy import func, select
from support import make_user
from werkzeug.test import TestResponse

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.contracts.scans.records import FileResult
from codeintel.platform.db import db
from codeintel.runs.scans.tables import ScanContentRow, ScanResultRow, ScanRow


class Scanning:
    """A new account with a key for analyses."""

    def __init__(self, app: Flask, tier: Tier = Tier.TEAM, credits_: int = 100) -> None:
        self.app = app
        self.services: Services = app.extensions["codeintel"]
        self.user = make_user(
            self.services,
            f"{secrets.token_hex(8)}@example.org",
            tier=tier,
            credits_=credits_,
            scopes=("analysis:write",),
        )
        self.account_id = self.user.account.id
        self.client = app.test_client()

    def ask(self, method: str, path: str, key: str = "", **more: Any) -> TestResponse:
        """Return the answer to a request, whose events are not read."""
        headers = {**self.user.headers, **more.pop("headers", {})}
        if key:
            headers["Idempotency-Key"] = key
        return self.client.open(f"/api/v1{path}", method=method, headers=headers, **more)

    def request(self, texts: Mapping[str, str], key: str = "", **fields: Any) -> TestResponse:
        """Request a scan of files."""
        files = [msgspec.to_builtins(found_file(path, text)) for path, text in texts.items()]
        return self.ask("POST", "/scans", key, json={"files": files, **fields})

    def send(self, run_id: str, *texts: str) -> TestResponse:
        """Send contents."""
        return self.ask("POST", f"/scans/{run_id}/contents", json={"contents": texts})

    def ready(self, texts: Mapping[str, str], **fields: Any) -> str:
        """Request a scan, send what is missing, and return its id."""
        answer = self.request(texts, **fields)
        assert answer.status_code == 201, answer.text
        ticket = answer.json["data"]
        by_digest = {found_file(path, text).sha256: text for path, text in texts.items()}
        if ticket["missing"]:
            sent = self.send(ticket["runId"], *(by_digest[each] for each in ticket["missing"]))
            assert sent.json["data"] == {"missing": 0}, sent.text
        run_id: str = ticket["runId"]
        return run_id

    def stream(self, run_id: str, after: int = 0) -> list[dict[str, Any]]:
        """Start or follow a scan to its end, and return its events."""
        headers = {"Last-Event-ID": str(after)} if after else {}
        answer = self.ask("GET", f"/scans/{run_id}/stream", headers=headers)
        assert answer.status_code == 200, answer.text
        return events_of(answer)

    def scanned(self, texts: Mapping[str, str], **fields: Any) -> list[dict[str, Any]]:
        """Scan files, and return the events."""
        return self.stream(self.ready(texts, **fields))

    @property
    def balance(self) -> tuple[int, int]:
        """The credits, and the part of them that is reserved."""
        balance = self.services.ledger.balance(self.account_id)
        return balance.posted, balance.held

    def rows(self) -> tuple[int, int, int]:
        """Return the numbers of the account's scans, contents and results in the database."""
        with self.app.app_context(), db.engine.connect() as connection:
            counts = [
                connection.scalar(select(func.count()).where(model.account_id == self.account_id))
                for model in (ScanRow, ScanContentRow, ScanResultRow)
            ]
        return counts[0] or 0, counts[1] or 0, counts[2] or 0


def events_of(answer: TestResponse) -> list[dict[str, Any]]:
    """Return the events of a stream."""
    frames = [each for each in answer.text.split("\n\n") if "data: " in each]
    return [json.loads(each.partition("data: ")[2]) for each in frames]


def files_of(events: list[dict[str, Any]]) -> dict[str, FileResult]:
    """Return the results of files, by path."""
    found = {}
    for event in events:
        if event["type"] == "files":
            for each in msgspec.convert(event["files"], tuple[FileResult, ...]):
                assert each.path not in found
                found[each.path] = each
            assert event["done"] == len(found)
    return found
