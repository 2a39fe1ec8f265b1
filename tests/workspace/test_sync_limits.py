"""Bounds of pushes: what is at one is taken, what is one over is refused by name."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import gevent
import pytest
from flask import Flask
from support import MakeApp
from werkzeug.test import TestResponse
from workspace_pushes import Pusher, count

from codeintel.base.entitlements import Tier
from codeintel.base.errors import ServiceError
from codeintel.contracts.workspaces.records import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    LeftOutFile,
)
from codeintel.workspaces.requests import SyncBody

LIMIT = 10_000


@pytest.fixture
def small(make_app: MakeApp) -> Pusher:
    """Return an account with a small storage limit."""
    return Pusher(make_app({"CODEINTEL_WORKSPACE_BYTES_FREE": str(LIMIT)}))


@pytest.fixture
def pusher(app: Flask) -> Pusher:
    return Pusher(app)


def refused(answer: TestResponse, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code), answer.text[:500]
    found: dict[str, Any] = answer.json["error"]["details"]
    return found


def test_bytes_of_a_file(pusher: Pusher) -> None:
    assert pusher.push({"/a": "x" * MAX_FILE_BYTES}).status_code == 201
    assert pusher.push({"/a": "ä" * (MAX_FILE_BYTES // 2)}).status_code == 201
    files = {
        "/ok": "",
        "/one": "x" * (MAX_FILE_BYTES + 1),
        "/two": "ä" * (MAX_FILE_BYTES // 2) + "x",
    }
    details = refused(pusher.push(files), 413, "payload_too_large")
    assert details["limit"] == MAX_FILE_BYTES
    assert details["files"] == [
        {"path": "/one", "reason": "too-large"},
        {"path": "/two", "reason": "too-large"},
    ]
    details = refused(pusher.push({**files, "/../x": ""}), 400, "invalid_request")
    assert {each["path"] for each in details["files"]} == {"/one", "/two", "/../x"}


def test_number_of_files(pusher: Pusher) -> None:
    files = {f"/{number}": "" for number in range(MAX_FILES)}
    session = pusher.pushed(files)
    details = refused(pusher.push({**files, "/more": ""}), 413, "payload_too_large")
    assert details == {"limit": MAX_FILES, "actual": MAX_FILES + 1, "unit": "files"}
    details = refused(pusher.edit(session, 1, {"/more": ""}), 413, "payload_too_large")
    assert details["actual"] == MAX_FILES + 1
    # One goes, one comes.
    assert pusher.edit(session, 1, {"/more": "", "/0": None}).status_code == 201
    assert pusher.get(f"/{session}").json["revision"]["files"] == MAX_FILES


def test_bytes_of_a_body(pusher: Pusher) -> None:
    whole = MAX_TOTAL_BYTES // MAX_FILE_BYTES
    files = {f"/{number}": chr(97 + number) * (MAX_FILE_BYTES - 100) for number in range(whole)}
    room = MAX_TOTAL_BYTES - len(json.dumps({"files": {**files, "/more": ""}}))
    headers = {"Content-Type": "application/json"}
    for extra, status in ((1, 413), (0, 201)):
        body = json.dumps({"files": {**files, "/more": "x" * (room + extra)}})
        assert len(body) == MAX_TOTAL_BYTES + extra
        answer = pusher.ask("POST", "/sync", headers, data=body)
        assert answer.status_code == status
        assert bool(count(pusher.app, "workspace_contents")) == (status == 201)
    answer = pusher.ask("POST", "/wsp_x/revisions", headers, data=b" " * (MAX_TOTAL_BYTES + 1))
    details = {"limit": MAX_TOTAL_BYTES, "actual": MAX_TOTAL_BYTES + 1}
    assert refused(answer, 413, "payload_too_large") == details


def test_bytes_of_all_files(pusher: Pusher) -> None:
    whole = MAX_TOTAL_BYTES // MAX_FILE_BYTES
    files = {f"/{number}": chr(97 + number) * MAX_FILE_BYTES for number in range(whole)}
    stored = pusher.services.workspaces.sync(
        pusher.account_id, pusher.user.account.tier, SyncBody(files=files)
    )
    details = refused(pusher.edit(stored.session.id, 1, {"/more": "x"}), 413, "payload_too_large")
    assert details == {"limit": MAX_TOTAL_BYTES, "actual": MAX_TOTAL_BYTES + 1, "unit": "bytes"}
    assert pusher.edit(stored.session.id, 1, {"/more": ""}).status_code == 201


def test_stored_bytes(small: Pusher) -> None:
    session = small.pushed({"/a": "a" * 4_000, "/b": "b" * 4_000, "/c": "b" * 4_000})
    assert small.get("").json["storedBytes"] == 8_000  # duplicates count once
    details = refused(small.push({"/a": "c" * 2_001}), 403, "storage_limit_exceeded")
    assert details == {"limit": LIMIT, "stored": 8_000, "needed": 2_001}
    assert count(small.app, "workspace_contents") == 2
    details = refused(small.edit(session, 1, {"/d": "d" * 2_001}), 403, "storage_limit_exceeded")
    assert details["needed"] == 2_001
    assert small.push({"/a": "c" * 2_000}).status_code == 201
    assert small.get("").json["storedBytes"] == LIMIT
    # What adds nothing always may: old contents, fewer files, an old revision.
    assert small.push({"/a": "a" * 4_000, "/x": "b" * 4_000}).status_code == 201
    assert small.edit(session, 3, {"/x": None, "/e": ""}).status_code == 201
    assert small.restore(session, 1).status_code == 201
    assert small.push({"/more": "m"}, name="other").status_code == 403
    assert small.ask("DELETE", f"/{session}").status_code == 204
    assert small.get("").json["storedBytes"] == 0
    assert small.push({"/more": "m" * LIMIT}, name="other").status_code == 201


def test_versions_of_files_are_bounded_though_they_are_empty(small: Pusher) -> None:
    """Check the limit by bytes. It permits at least as many files as one push may have."""
    files = {f"/{number}": "" for number in range(MAX_FILES - 100)}
    skipped = [{"path": f"/left out {number}", "reason": "binary"} for number in range(60)]
    session = small.pushed(files, skipped=skipped)
    assert small.edit(session, 1, {"/more": ""}).status_code == 403
    others = {f"/{number}": "" for number in range(41)}
    details = refused(small.push(others, name="other"), 403, "storage_limit_exceeded")
    assert details == {
        "limit": MAX_FILES,
        "stored": MAX_FILES - 40,
        "needed": 41,
        "unit": "versions",
    }
    others.popitem()
    assert small.push(others, name="other").status_code == 201


def test_a_refusal_names_a_hundred_and_how_many_there_are(pusher: Pusher) -> None:
    files = {f"/{number}/../x": "" for number in range(150)} | {"/long" * 500: ""}
    details = refused(pusher.push(files), 400, "invalid_request")
    assert len(details["files"]) == 100
    assert details["total"] == 151
    assert len(pusher.push({"/" + "x" * 500_000: ""}).text) < 10_000


def test_changes_of_an_edit(pusher: Pusher) -> None:
    """Check that the limit is the number of changes that turn one workspace into another."""
    session = pusher.pushed({f"/{number}": "" for number in range(MAX_FILES)})
    changes: dict[str, str | None] = {f"/{number}": None for number in range(MAX_FILES)}
    changes |= {f"/new {number}": "" for number in range(MAX_FILES)}
    assert pusher.edit(session, 1, changes).status_code == 201
    details = refused(pusher.edit(session, 2, {**changes, "/x": None}), 400, "invalid_request")
    assert details == {"path": "changes"}


def test_others_run_while_hostile_paths_are_checked(pusher: Pusher) -> None:
    ticks = []

    def tick() -> None:
        while True:
            ticks.append(1)
            gevent.sleep(0)

    left_out = LeftOutFile(".-" * 500, ".-" * 100)
    other = gevent.spawn(tick)
    try:
        for body in (
            SyncBody(files={"/a": ""}, skipped=(left_out,) * 2_000),
            SyncBody(files={f"/{'ệ/' * 240}{number}": "" for number in range(1_999)} | {"x": ""}),
        ):
            before = len(ticks)
            with suppress(ServiceError):
                pusher.services.workspaces.sync(pusher.account_id, Tier.FREE, body)
            assert len(ticks) > before + 15
    finally:
        other.kill()


def test_what_the_client_left_out_is_bounded(pusher: Pusher) -> None:
    many = [{"path": f"/{number}", "reason": "binary"} for number in range(10_000)]
    answer = pusher.push({"/.env": "A=1", "/a": ""}, skipped=many)
    assert len(answer.json["files"]["skipped"]) == 10_001
    kept = pusher.get(f"/{answer.json['sessionId']}").json["revision"]["skipped"]
    assert len(kept) == 1_000
    assert kept[0]["path"] == "/.env"
    more = [*many, {"path": "/x", "reason": "binary"}]
    refused(pusher.push({"/b": ""}, skipped=more), 400, "invalid_request")
