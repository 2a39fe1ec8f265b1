"""An account that pushes workspaces, and what the database has of them."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Flask
from sqlalchemy import inspect, text
from support import make_user
from werkzeug.test import TestResponse

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.platform.db import db

FILES = {"/main.py": "print('hello')\n", "/docs/read me.md": "# Hello\n", "/ä/ö.txt": "ü\r\n"}


class Pusher:
    """A new account with a key for workspaces."""

    def __init__(self, app: Flask, tier: Tier = Tier.FREE) -> None:
        self.app = app
        self.services: Services = app.extensions["codeintel"]
        self.user = make_user(
            self.services,
            f"{secrets.token_hex(8)}@example.org",
            tier=tier,
            scopes=("workspace:write",),
        )
        self.account_id = self.user.account.id
        self._client = app.test_client()

    def ask(
        self, method: str, path: str, headers: dict[str, str] | None = None, **more: Any
    ) -> TestResponse:
        """Return a request to the API of workspaces."""
        return self._client.open(
            f"/api/workspace{path}",
            method=method,
            headers={**self.user.headers, **(headers or {})},
            **more,
        )

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.ask("GET", path, **more)

    def push(
        self, files: dict[str, str] | None = None, key: str = "", **fields: Any
    ) -> TestResponse:
        """Push files; `FILES` without any."""
        body = {"files": FILES if files is None else files, "name": "sample", **fields}
        return self.ask("POST", "/sync", {"Idempotency-Key": key} if key else {}, json=body)

    def pushed(self, files: dict[str, str] | None = None, **fields: Any) -> str:
        """Push files and return the session's id."""
        answer = self.push(files, **fields)
        assert answer.status_code in {200, 201}, answer.text
        found: str = answer.json["sessionId"]
        return found

    def edit(
        self, session: str, base: int, changes: dict[str, str | None], key: str = "", **more: Any
    ) -> TestResponse:
        body = {"baseRevision": base, "changes": changes, **more}
        headers = {"Idempotency-Key": key} if key else {}
        return self.ask("POST", f"/{session}/revisions", headers, json=body)

    def restore(self, session: str, revision: int, **more: Any) -> TestResponse:
        return self.ask("POST", f"/{session}/restore", json={"revision": revision, **more})

    def files(self, session: str, revision: int | None = None) -> dict[str, str]:
        """Return the files by path, without the bridge file, and check each against the listing."""
        query = "" if revision is None else f"?revision={revision}"
        record = self.services.workspaces.find(self.account_id, session)
        entries = self.get(f"/{session}{query}").json["files"]
        contents = self.services.workspaces.contents(
            self.account_id, [entry["sha256"] for entry in entries]
        )
        assert record.id == session
        return {
            entry["path"]: contents[entry["sha256"]].decode()
            for entry in entries
            if not entry["path"].startswith("/.codeintel/")
        }


def rows(app: Flask, table: str, account_id: str = "") -> list[dict[str, Any]]:
    """Return the rows of a table, of one account if it is named."""
    where = " WHERE account_id = :account" if account_id else ""
    with app.app_context(), db.engine.connect() as connection:
        found = connection.execute(text(f"SELECT * FROM {table}{where}"), {"account": account_id})
        return [dict(row) for row in found.mappings()]


def everything(app: Flask) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all tables."""
    with app.app_context():
        names = inspect(db.engine).get_table_names()
    return {name: rows(app, name) for name in names}


def count(app: Flask, table: str, account_id: str = "") -> int:
    """Return the number of rows of a table."""
    return len(rows(app, table, account_id))
