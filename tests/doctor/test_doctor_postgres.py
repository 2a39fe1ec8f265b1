"""`codeintel doctor`: PostgreSQL."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

import psycopg
import pytest
from doctor_scenes import PEPPER, Scene

from codeintel.operations.doctor import database
from codeintel.operations.doctor.checks import CHECKS
from codeintel.operations.doctor.database import CONNECTION, look_at_database
from codeintel.platform.config import load_settings
from codeintel.platform.db import _engine_options
from codeintel.platform.db.statements import skew_of

SESSIONS = 12


@pytest.fixture
def scene(scene: Scene, postgres_url: str) -> Iterator[Scene]:
    """Provide an installation over an empty PostgreSQL database, whose settings are reset at the
    end."""
    scene.environ = {"DATABASE_URL": postgres_url, "CODEINTEL_KEY_PEPPER": PEPPER}
    yield scene
    scene.environ["DATABASE_URL"] = postgres_url
    run(scene, "ALTER DATABASE postgres RESET ALL", "ALTER DATABASE postgres CONNECTION LIMIT -1")


def run(scene: Scene, *statements: str) -> None:
    with closing(psycopg.connect(scene.environ["DATABASE_URL"], autocommit=True)) as connection:
        connection.execute("SET default_transaction_read_only = off")
        for each in statements:
            connection.execute(each)  # type: ignore[call-overload]


def test_a_good_one(scene: Scene) -> None:
    found = scene.look(look_at_database)
    assert {each.check: str(each.status) for each in found} == dict.fromkeys(
        (
            CONNECTION,
            database.ISOLATION,
            database.ENCODING,
            database.CONNECTIONS,
            database.CLOCK,
        ),
        "ok",
    )


@pytest.mark.parametrize(
    ("change", "bad"),
    [
        (
            "SET default_transaction_isolation = 'serializable'",
            {database.ISOLATION: "warning"},
        ),
        ("SET default_transaction_read_only = on", {database.WRITABLE: "error"}),
        ("CONNECTION LIMIT 3", {database.CONNECTIONS: "warning"}),
    ],
)
def test_what_is_set_wrong(scene: Scene, change: str, bad: dict[str, str]) -> None:
    run(scene, f"ALTER DATABASE postgres {change}")
    assert scene.look(look_at_database).bad == bad


def test_sessions_of_other_roles_count_for_a_role_without_rights(scene: Scene) -> None:
    owner, weak = scene.environ["DATABASE_URL"], "doctor_weak"
    run(scene, f"DROP ROLE IF EXISTS {weak}", f"CREATE ROLE {weak} LOGIN NOSUPERUSER")
    try:
        with ExitStack() as stack:
            for _ in range(SESSIONS):
                stack.enter_context(closing(psycopg.connect(owner)))
            (most,) = stack.enter_context(closing(psycopg.connect(owner))).execute(
                "SELECT current_setting('max_connections')::int"
            ).fetchone() or (0,)
            scene.environ["DATABASE_URL"] = owner.replace("//test@", f"//{weak}@")
            told = scene.look(look_at_database)[database.CONNECTIONS].found
    finally:
        scene.environ["DATABASE_URL"] = owner
        run(scene, f"DROP ROLE {weak}")
    assert 0 < int(told.split()[0]) <= most - SESSIONS


def test_another_encoding(scene: Scene) -> None:
    run(
        scene,
        "DROP DATABASE IF EXISTS narrow",
        "CREATE DATABASE narrow ENCODING 'SQL_ASCII' TEMPLATE template0",
    )
    url = scene.environ["DATABASE_URL"]
    scene.environ["DATABASE_URL"] = url.replace("/postgres", "/narrow")
    found = scene.look(look_at_database)
    scene.environ["DATABASE_URL"] = url
    run(scene, "DROP DATABASE narrow")
    assert found.bad == {database.ENCODING: "error"}


def test_it_writes_nothing(scene: Scene) -> None:
    scene.filled()
    counts = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables"
    with closing(psycopg.connect(scene.environ["DATABASE_URL"], autocommit=True)) as connection:
        before = connection.execute(counts).fetchone()
        found = scene.look_all(CHECKS)
        assert connection.execute(counts).fetchone() == before
    assert found.status("ledger.balances") == "ok"
    assert not {each for each in found.bad if not each.startswith(("settings", "system"))}


def test_a_wrong_password_and_a_dead_server(scene: Scene) -> None:
    scene.environ["DATABASE_URL"] = "postgresql://ann:canary%21x@127.0.0.1:1/db?sslmode=disable"
    found = scene.look_all(CHECKS)
    assert found.status(CONNECTION) == "error"
    assert found["migrations"].found == "There is no database to read."
    assert "canary" not in str(found)


@pytest.mark.alone
def test_one_that_takes_connections_and_says_nothing(scene: Scene) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        scene.environ["DATABASE_URL"] = f"postgresql://u@127.0.0.1:{server.getsockname()[1]}/db"
        began = time.monotonic()
        found = scene.look_all(CHECKS, seconds=4.0)
        assert time.monotonic() - began < 10
    assert found.status(CONNECTION) == "error"
    assert found.status("files.folder") == "ok"
    # It is asked once, not once by each check.
    assert found["ledger"].found == "There is no database to read."


@pytest.mark.parametrize(
    ("theirs", "took", "status"),
    [
        (0, 0, "ok"),
        (4.9, 0, "ok"),
        (5.1, 0, "warning"),
        (-5.1, 0, "warning"),
        (120, 1, "warning"),
        (-8.9, 4, "ok"),  # it was read sometime in these four seconds
        (-9.1, 4, "warning"),
    ],
)
def test_clocks(theirs: float, took: float, status: str) -> None:
    skew = skew_of(1_000_000 + theirs * 1000, took, ours_ms=1_000_000)
    found = database.clock("c", "PostgreSQL", skew)
    assert found.status == status
    assert ("ahead of" in found.found) == (theirs > 0 and status == "warning")


def test_the_pool_is_as_large_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://h/db")
    monkeypatch.setenv("CODEINTEL_KEY_PEPPER", PEPPER)
    assert _engine_options(load_settings().settings)["pool_size"] == database.POOL
