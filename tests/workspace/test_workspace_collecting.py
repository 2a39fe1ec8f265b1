"""Deleted sessions, and contents that nothing refers to."""

from __future__ import annotations

import pytest
from sqlalchemy import update
from support import MakeApp
from workspace_pushes import FILES, Pusher, count, rows

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform.db.models import now_ms
from codeintel.platform.jobs import reconciler
from codeintel.workspaces import garbage_collector as collecting, writing as storing
from codeintel.workspaces.contents import Contents
from codeintel.workspaces.garbage_collector import KEPT_MS
from codeintel.workspaces.tables import ContentRow, SessionRow

TABLES = ("workspace_sessions", "workspace_files")


def grow_old(pusher: Pusher) -> None:
    """Let so much time pass that unused contents are deleted."""
    pusher.services.workspaces._writer.run(
        lambda connection: connection.execute(
            update(ContentRow)
            .where(ContentRow.account_id == pusher.account_id)
            .values(stored_ms=now_ms() - KEPT_MS - 1)
        )
    )


def collect(pusher: Pusher) -> int:
    found: int = pusher.services.workspaces.collect()
    return found


def test_a_deleted_session_is_gone_for_good(pusher: Pusher) -> None:
    session = pusher.pushed()
    kept = pusher.pushed({**FILES, "/kept": "kept"}, name="kept")
    pusher.push({"/more": "more"})
    assert pusher.ask("DELETE", f"/{session}").status_code == 204
    for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/revisions"), ("GET", "/files/a")):
        assert pusher.ask(method, f"/{session}{path}").status_code == 404
    assert pusher.edit(session, 1, {"/x": ""}).status_code == 404
    assert [each["sessionId"] for each in pusher.get("").json["sessions"]] == [kept]
    assert {
        row["session_id"] for row in rows(pusher.app, "workspace_files", pusher.account_id)
    } == {kept}
    for table in ("workspace_revisions", "workspace_reports"):
        assert session not in {row["session_id"] for row in rows(pusher.app, table)}
    # What it alone had is gone with it; what another has is not.
    assert pusher.get("").json["storedBytes"] == sum(
        len(each.encode()) for each in {*FILES.values(), "kept"}
    )
    grow_old(pusher)
    assert collect(pusher) == 0
    assert pusher.files(kept) == {**FILES, "/kept": "kept"}
    again = pusher.push()
    assert (again.status_code, again.json["revision"]) == (201, 1)
    assert again.json["sessionId"] != session


def test_rounds_of_pushes_and_deletions_store_no_more_than_the_limit(make_app: MakeApp) -> None:
    """Check that the stored bytes match the counted ones, round after round."""
    limit = 10_000
    pusher = Pusher(make_app({"CODEINTEL_WORKSPACE_BYTES_FREE": str(limit)}))
    for number in range(25):
        session = pusher.pushed({"/a": f"{number:05}" * (limit // 5)})
        kept = rows(pusher.app, "workspace_contents", pusher.account_id)
        told = pusher.get("").json["storedBytes"]
        assert sum(row["size"] for row in kept) == told <= limit
        assert pusher.ask("DELETE", f"/{session}").status_code == 204
        assert pusher.get("").json["storedBytes"] == 0


def test_what_a_revision_refers_to_is_never_collected(pusher: Pusher) -> None:
    session = pusher.pushed()
    pusher.push({"/a": "b"})
    grow_old(pusher)
    assert collect(pusher) == 0
    assert pusher.files(session, 1) == FILES


def test_what_comes_again_is_kept_for_another_hour(pusher: Pusher, other: Pusher) -> None:
    contents: Contents = pusher.services.workspaces._contents
    texts = {"a" * 64: "aaa", "b" * 64: "bbb"}
    for each in (pusher, other):
        contents.store(each.account_id, texts)
        grow_old(each)
    contents.store(pusher.account_id, {"a" * 64: "aaa"})
    assert collect(pusher) == 3
    assert contents.read(pusher.account_id, texts) == {"a" * 64: b"aaa"}
    assert contents.read(other.account_id, texts) == {}


def test_contents_that_nothing_refers_to_count_as_stored(pusher: Pusher) -> None:
    """However they came about: a quota that did not count them could be evaded."""
    contents: Contents = pusher.services.workspaces._contents
    contents.store(pusher.account_id, {"a" * 64: "aaa"})
    assert pusher.get("").json["storedBytes"] == 3


def test_a_push_that_is_refused_at_the_end_leaves_nothing_behind(
    pusher: Pusher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a push that loses a race for the last bytes."""
    refusal = ServiceError(ErrorCode.STORAGE_LIMIT_EXCEEDED, "No.")
    monkeypatch.setattr(storing, "write", lambda *_: refusal)
    assert pusher.push({"/a": "one", "/b": "two"}).status_code == 403
    assert count(pusher.app, "workspace_contents", pusher.account_id) == 0


def test_pushing_and_deleting_again_and_again_stores_nothing(pusher: Pusher) -> None:
    for number in range(5):
        session = pusher.pushed({"/a": f"{number}" * 10_000}, name=f"{number}")
        assert pusher.ask("DELETE", f"/{session}").status_code == 204
    assert count(pusher.app, "workspace_contents", pusher.account_id) == 0


def test_what_a_process_left_half_deleted_is_deleted(
    pusher: Pusher, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = pusher.pushed()
    monkeypatch.setattr(collecting.Collector, "_delete_rows", lambda *_: None)
    assert pusher.ask("DELETE", f"/{session}").status_code == 204
    assert pusher.ask("GET", f"/{session}").status_code == 404
    assert pusher.get("").json["sessions"] == []
    new = pusher.push()
    assert (new.status_code, new.json["revision"]) == (201, 1)
    monkeypatch.undo()
    assert len(rows(pusher.app, "workspace_files", pusher.account_id)) == 2 * len(FILES)
    collect(pusher)
    assert [count(pusher.app, table, pusher.account_id) for table in TABLES] == [1, len(FILES)]
    assert pusher.files(new.json["sessionId"]) == FILES
    ended = [row["id"] for row in rows(pusher.app, SessionRow.__tablename__) if not row["revision"]]
    assert ended == []


def test_a_round_goes_on_where_the_last_ended(
    pusher: Pusher, monkeypatch: pytest.MonkeyPatch
) -> None:
    while collect(pusher):
        pass
    monkeypatch.setattr(collecting, "BATCH", 2)
    monkeypatch.setattr(collecting, "LOOKED_AT", 4)
    contents: Contents = pusher.services.workspaces._contents
    contents.store(pusher.account_id, {f"{number:064}": str(number) for number in range(9)})
    grow_old(pusher)
    for _ in range(count(pusher.app, "workspace_contents")):
        assert collect(pusher) <= 4
    assert count(pusher.app, "workspace_contents", pusher.account_id) == 0


def test_large_sessions_are_deleted_in_parts(
    pusher: Pusher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "BATCH", 10)
    session = pusher.pushed({f"/{number}": "" for number in range(35)})
    for number in range(1, 15):
        pusher.edit(session, number, {"/0": str(number)})
    assert pusher.ask("DELETE", f"/{session}").status_code == 204
    assert [count(pusher.app, table, pusher.account_id) for table in TABLES] == [0, 0]


def test_collecting_is_a_chore_of_those_who_work_on_jobs(
    pusher: Pusher, monkeypatch: pytest.MonkeyPatch
) -> None:
    pusher.services.workspaces._contents.store(pusher.account_id, {"c" * 64: "ccc"})
    grow_old(pusher)
    monkeypatch.setattr(reconciler, "FORGET_SECONDS", 0.0)
    found = pusher.services.jobs.reconciler
    found._chores_at = 0.0
    monkeypatch.setattr(pusher.services.workspaces._collector, "_position", ("", ""))
    found.round()
    assert count(pusher.app, "workspace_contents", pusher.account_id) == 0
