"""Requests with an `Idempotency-Key`, and parallel requests."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from werkzeug.test import TestResponse
from workspace_pushes import FILES, Pusher, count, rows

from codeintel.base.entitlements import Tier
from codeintel.workspaces.contents import Contents
from codeintel.workspaces.requests import SyncBody


def told(answer: TestResponse) -> tuple[int, str, int, dict[str, Any]]:
    body = answer.json
    return answer.status_code, body["sessionId"], body["revision"], body["files"]


def test_a_repeat_answers_as_the_first_time(pusher: Pusher) -> None:
    first = pusher.push(key="one")
    session = first.json["sessionId"]
    changed = pusher.push({**FILES, "/main.py": "2"}, key="two")
    identical = pusher.push({**FILES, "/main.py": "2"}, key="three")
    edited = pusher.edit(session, 2, {"/main.py": None}, key="one")  # another route, another key
    for again, before in (
        (pusher.push(key="one"), first),
        (pusher.push({**FILES, "/main.py": "2"}, key="two"), changed),
        (pusher.push({**FILES, "/main.py": "2"}, key="three"), identical),
        (pusher.edit(session, 2, {"/main.py": None}, key="one"), edited),
    ):
        assert told(again) == told(before)
    assert [each.status_code for each in (first, changed, identical, edited)] == [
        *(201, 201, 200, 201)
    ]
    assert pusher.get(f"/{session}").json["revision"]["number"] == 3


def test_another_body_under_the_key_is_a_conflict(pusher: Pusher) -> None:
    pusher.pushed(key="one")
    for other in ({"files": {"/a": ""}}, {"baseRevision": 1}, {"source": "cli"}):
        answer = pusher.push(**{"key": "one", **other})
        assert (answer.status_code, answer.json["error"]["code"]) == (409, "idempotency_conflict")
    assert pusher.push(key="").status_code == 200
    bad = pusher.ask("POST", "/sync", {"Idempotency-Key": "ä"}, json={"files": FILES})
    assert bad.status_code == 400


def test_a_refused_request_frees_its_key(pusher: Pusher) -> None:
    session = pusher.pushed()
    assert pusher.edit(session, 2, {"/a": ""}, key="one").status_code == 409
    pusher.pushed({"/b": ""})
    assert pusher.edit(session, 2, {"/a": ""}, key="one").status_code == 201


def test_keys_end_with_their_session(pusher: Pusher) -> None:
    first = pusher.push(key="one").json["sessionId"]
    kept = pusher.push(name="other", key="two").json["sessionId"]
    assert pusher.ask("DELETE", f"/{first}").status_code == 204
    again = pusher.push(key="one")
    assert again.status_code == 201
    assert again.json["sessionId"] != first
    assert pusher.push(name="other", key="two").json["sessionId"] == kept


def test_old_keys_are_forgotten(pusher: Pusher) -> None:
    pusher.pushed(key="one")
    assert pusher.services.runs.store.forget(-1)
    assert rows(pusher.app, "idempotency_keys", pusher.account_id) == []


def test_pushes_of_one_workspace_at_once_are_one_session(pusher: Pusher) -> None:
    """Check that each push is a separate revision, or equals another, and that none is lost."""
    workspaces = pusher.services.workspaces

    def push(number: int) -> tuple[str, int]:
        body = SyncBody(files={"/number.txt": str(number % 5)}, name="crowd")
        stored = workspaces.sync(pusher.account_id, Tier.FREE, body)
        return stored.session.id, stored.revision.number

    jobs = [gevent.spawn(push, number) for number in range(10)]
    gevent.joinall(jobs, raise_error=True)
    assert len({job.value[0] for job in jobs}) == 1
    session = workspaces.find(pusher.account_id, jobs[0].value[0])
    for number, job in enumerate(jobs):
        assert workspaces.read(session, job.value[1], "/number.txt") == str(number % 5).encode()
    numbers = [each.number for each in workspaces.revisions(session)]
    assert numbers == list(range(session.revision, 0, -1))


def test_what_vanishes_before_it_is_referred_to_is_stored_again(
    pusher: Pusher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check contents that are deleted between the two steps of a push."""
    calls = []
    store = Contents.store

    def forgetful(self: Contents, account_id: str, texts: dict[str, str]) -> None:
        calls.append(len(texts))
        if len(calls) > 1:
            store(self, account_id, texts)

    monkeypatch.setattr(Contents, "store", forgetful)
    session = pusher.pushed()
    assert calls == [3, 3]
    assert pusher.files(session) == FILES
    monkeypatch.setattr(Contents, "store", lambda *_: None)
    answer = pusher.push({"/never": "stored"})
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "overloaded")
    assert pusher.get(f"/{session}").json["revision"]["number"] == 1


def test_a_failure_in_the_transaction_leaves_nothing(
    pusher: Pusher, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ArithmeticError("half way")

    monkeypatch.setattr(pusher.services.workspaces._storing, "_on_revision", fail)
    assert pusher.push(key="one").status_code == 500
    for table in ("workspace_sessions", "workspace_files", "idempotency_keys"):
        assert count(pusher.app, table, pusher.account_id) == 0
    monkeypatch.undo()
    assert pusher.push(key="one").status_code == 201
