"""A backup of a running server, restored next to it and used."""

from __future__ import annotations

from pathlib import Path

from server_books import Books, database_url
from server_helpers import crowd, key_of

from codeintel.testing.server import LiveServer


def test_backed_up_at_work_and_restored(tmp_path: Path) -> None:
    origin, copy, file = tmp_path / "origin", tmp_path / "copy", tmp_path / "live.zip"
    origin.mkdir()
    copy.mkdir()
    with LiveServer(origin) as server:
        key = key_of(server)

        def work(number: int) -> None:
            if number == 2:
                server.run("backup", str(file), "--with-secrets")
            else:
                server.analyze(key, code=f"x = {number}\n").raise_for_status()

        crowd(6, work)
        for arguments in (["restore", str(file), "--replace", "--yes"],):
            refused = server.run(*arguments, check=False)
            assert refused.returncode == 2
            assert "The service is using this database" in refused.stderr
        server.analyze(key, code="y = 1\n").raise_for_status()
        spent = server.account(key)["credits"]
    again = LiveServer(copy)
    told = again.run("restore", str(file)).stdout
    assert told.startswith("Restored ")
    with again:
        assert again.account(key)["credits"]["held"] == 0
        assert again.account(key)["credits"]["available"] >= spent["available"]
        again.analyze(key, code="z = 1\n").raise_for_status()
    Books(database_url(copy)).check()
