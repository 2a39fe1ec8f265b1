"""The workspaces in a database, and a check that every revision is complete."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from typing import Any

from sqlalchemy import create_engine, text


class WorkspaceBooks:
    """All rows of workspaces, read in one transaction."""

    def __init__(self, url: str) -> None:
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))
        with engine.connect() as connection:
            read = {
                name: connection.execute(text(f"SELECT * FROM workspace_{name}")).mappings().all()
                for name in ("sessions", "revisions", "files", "contents")
            }
        engine.dispose()
        self.sessions = {row["id"]: row for row in read["sessions"]}
        self.revisions = {(row["session_id"], row["number"]): row for row in read["revisions"]}
        self.contents = {(row["account_id"], row["sha256"]): row for row in read["contents"]}
        self._files = read["files"]
        self._texts: dict[tuple[str, str], str] = {}

    def files(self, session_id: str, number: int) -> dict[str, str]:
        """Return the texts of a revision, by path."""
        found = {}
        for row in self._files:
            is_in = row["since"] <= number and (row["until"] is None or row["until"] > number)
            if row["session_id"] == session_id and is_in:
                assert row["path"] not in found
                found[row["path"]] = self._content(row)
        return found

    def check(self) -> None:
        """Check that every session has all its revisions, and each of them all its files."""
        numbers = Counter(session_id for session_id, _ in self.revisions)
        for session_id, session in self.sessions.items():
            assert numbers.pop(session_id) == session["revision"]
            assert (session_id, session["revision"]) in self.revisions
        assert not numbers
        for (session_id, number), revision in self.revisions.items():
            files = self.files(session_id, number)
            assert len(files) == revision["files"]
            assert sum(len(each.encode()) for each in files.values()) == revision["bytes"]
        newest = {row["session_id"]: 0 for row in self._files}
        for row in self._files:
            newest[row["session_id"]] = max(newest[row["session_id"]], row["since"])
        for session_id, since in newest.items():
            assert since <= self.sessions[session_id]["revision"]

    def _content(self, row: Any) -> str:
        key = (row["account_id"], row["sha256"])
        if key not in self._texts:
            self._texts[key] = self._unpacked(row)
        return self._texts[key]

    def _unpacked(self, row: Any) -> str:
        content = self.contents[row["account_id"], row["sha256"]]
        data = bytes(content["data"])
        if content["packed"]:
            data = zlib.decompress(data)
        assert hashlib.sha256(data).hexdigest() == row["sha256"]
        assert len(data) == row["size"] == content["size"]
        return data.decode()
