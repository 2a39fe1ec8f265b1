"""One account at two servers: parallel pushes, edits, deletions and garbage collection, and the
storage limit."""

from __future__ import annotations

import random
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import requests
from server_helpers import PEPPER, crowd, live, new_key
from sqlalchemy import create_engine, text
from workspace_books import WorkspaceBooks

from codeintel import create_app
from codeintel.base.entitlements import Tier
from codeintel.platform.db import db
from codeintel.workspaces import garbage_collector as collecting

LIMIT = 10_000


@pytest.fixture
def configs(tmp_path: Path, postgres_url: str) -> list[dict[str, str]]:
    """Return settings of two servers with one database."""
    return [
        {
            "CODEINTEL_INSTANCE": str(tmp_path / name),
            "CODEINTEL_KEY_PEPPER": PEPPER,
            "CODEINTEL_RATE_LIMITS": "0",
            "DATABASE_URL": postgres_url,
            "CODEINTEL_WORKSPACE_BYTES_PRO": str(LIMIT),
        }
        for name in ("one", "two")
    ]


def ask(url: str, key: str, method: str, path: str, **more: Any) -> requests.Response:
    headers = {"x-api-key": key, **more.pop("headers", {})}
    address = f"{url}/api/workspace{path}"
    return requests.request(method, address, headers=headers, timeout=60, **more)


def books_of_money(url: str) -> None:
    """Check that holds and balances agree."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))
    with engine.connect() as connection:
        query = (
            "SELECT b.held, b.posted, "
            "(SELECT coalesce(sum(amount), 0) FROM holds h WHERE h.account_id = b.account_id "
            "AND h.state = 'pending') AS pending, "
            "(SELECT coalesce(sum(amount), 0) FROM ledger_entries e "
            "WHERE e.account_id = b.account_id) AS entries FROM balances b"
        )
        for row in connection.execute(text(query)):
            assert (row.held, row.posted) == (row.pending, row.entries)
    engine.dispose()


def test_pushes_at_once_store_no_more_than_they_may(
    configs: list[dict[str, str]], postgres_url: str
) -> None:
    with live(configs[0]) as one, live(configs[1]) as two:
        key = new_key(configs[0], credits_=0, scopes=("workspace:write",), tier=Tier.PRO)

        def work(number: int) -> int:
            url = (one, two)[number % 2].url
            body = {"files": {"/a": f"{number:04}" * 1_000}, "name": f"{number}"}
            return ask(url, key, "POST", "/sync", json=body).status_code

        assert Counter(crowd(16, work)) == {201: LIMIT // 4_000, 403: 16 - LIMIT // 4_000}
        assert ask(one.url, key, "GET", "").json()["storedBytes"] == 8_000
    WorkspaceBooks(postgres_url).check()


def test_all_at_once_leave_whole_revisions(
    configs: list[dict[str, str]], postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check revisions even if contents are collected immediately when they are no longer
    referenced."""
    monkeypatch.setattr(collecting, "KEPT_MS", -60_000)
    with live(configs[0]) as one, live(configs[1]) as two:
        key = new_key(configs[0], scopes=("workspace:write",))
        is_done = threading.Event()

        def collect() -> int:
            app = create_app(configs[0])  # greenlets belong to their thread
            deleted = 0
            while not is_done.wait(0.01):
                deleted += app.extensions["codeintel"].workspaces.collect()
            with app.app_context():
                db.engine.dispose()
            return deleted

        answers: Counter[tuple[str, int]] = Counter()

        def work(number: int) -> None:
            chance = random.Random(number)
            url = (one, two)[number % 2].url
            for turn in range(6):
                name = f"name {chance.randrange(2)}"
                files = {f"/{each}": f"{chance.randrange(8)}" * 3_000 for each in range(20)}
                files["/own"] = f"{number} {turn}"
                headers = {"Idempotency-Key": f"{number} {turn}"}
                body = {"files": files, "name": name}
                answer = ask(url, key, "POST", "/sync", json=body, headers=headers)
                answers["push", answer.status_code] += 1
                if answer.status_code not in {200, 201}:
                    assert answer.json()["error"]["code"] == "overloaded", answer.text
                    continue
                session, base = answer.json()["sessionId"], answer.json()["revision"]
                todo = chance.choice(("edit", "edit", "delete", "proof", "restore", "again"))
                if todo == "delete":
                    answer = ask(url, key, "DELETE", f"/{session}")
                elif todo == "proof":
                    answer = ask(url, key, "POST", f"/{session}/proof", json={})
                elif todo == "restore":
                    answer = ask(url, key, "POST", f"/{session}/restore", json={"revision": 1})
                elif todo == "again":
                    answer = ask(url, key, "POST", "/sync", json=body, headers=headers)
                else:
                    changes = {f"/{chance.randrange(20)}": chance.randbytes(100).hex()}
                    edit = {"baseRevision": base, "changes": changes}
                    answer = ask(url, key, "POST", f"/{session}/revisions", json=edit)
                answers[todo, answer.status_code] += 1
                allowed = {200, 201, 202, 204, 404, 409}
                if answer.status_code not in allowed:
                    assert answer.json()["error"]["code"] == "overloaded", (todo, answer.text)

        assert crowd_with(collect, lambda: crowd(8, work), is_done) > 0
    assert answers["push", 201] > 10
    WorkspaceBooks(postgres_url).check()
    books_of_money(postgres_url)


def crowd_with(beside: Any, work: Any, is_done: threading.Event) -> Any:
    """Work while another function runs, and return the result of that function."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(beside()))
    thread.start()
    try:
        work()
    finally:
        is_done.set()
        thread.join()
    return found[0]
