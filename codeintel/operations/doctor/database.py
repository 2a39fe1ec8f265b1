"""Check the database: reachable, intact, configured as needed, and of this version."""

from __future__ import annotations

import hmac
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.exc import DatabaseError

from codeintel.base.wording import size
from codeintel.operations.doctor.connecting import is_in_use, is_late, sqlite_path
from codeintel.operations.doctor.installation import Installation
from codeintel.operations.doctor.results import (
    Finding,
    Status,
    Unavailable,
    error,
    ok,
    skipped,
    warning,
)
from codeintel.platform.db.migrate import PEPPER_FACT, alembic_config, pepper_fingerprint
from codeintel.platform.db.models import Fact
from codeintel.platform.db.statements import Skew, measure_skew

JOURNAL, INTEGRITY = "database.journal", "database.integrity"
FREE, WRITABLE = "database.free_pages", "database.writable"
WAL_VERSION = b"\x02\x02"
"""Bytes 18 and 19 of the file (https://www.sqlite.org/fileformat2.html#the_database_header)."""
LARGE_WAL = 256 * 1024**2
MUCH_FREE_BYTES = 64 * 1024**2
MUCH_FREE = 0.5


def sqlite_described(connection: Connection, path: Path) -> str:
    """Describe the database briefly. Reading the first page shows whether the file is a
    database.
    """
    connection.execute(text("PRAGMA schema_version"))
    return f"SQLite {sqlite3.sqlite_version}, {path}, a file of {size(path.stat().st_size)}."


def look_at_sqlite(connection: Connection, path: Path, *, was_in_use: bool) -> Iterator[Finding]:
    """Yield the findings, slowest last.

    :param was_in_use: whether a process had the file open before. If not, it was opened as
        immutable.
    """
    if not os.access(path, os.W_OK):
        yield error(
            WRITABLE,
            f"{path} is not writable.",
            "Run this command as the service's user, or change the file's owner with `chown`.",
        )
    yield _journal(path)
    yield _free_pages(connection)
    found = _integrity(connection)
    if found.status is Status.ERROR and is_in_use(path) and not was_in_use:
        found = skipped(INTEGRITY, "The service was just started.", "Try again.")
    yield found


def _journal(path: Path) -> Finding:
    # SQLite does not report the mode of an immutable file.
    with path.open("rb") as file:
        header = file.read(20)
    log = Path(f"{path}-wal")
    if header and header[18:20] != WAL_VERSION:
        return error(
            JOURNAL,
            "The file is not in WAL mode, so every write blocks all reads.",
            "Start the service once to switch it. If that does not help, the file system, such as "
            "a network drive, does not support shared memory. Move the folder to a local disk.",
        )
    if log.exists() and log.stat().st_size > LARGE_WAL:
        return warning(
            JOURNAL,
            f"The write-ahead log has grown to {size(log.stat().st_size)}, because a long read "
            "prevents its checkpoint.",
            "End programs that keep the file open, such as a database browser or a stuck backup.",
        )
    return ok(JOURNAL, "WAL mode.")


def _free_pages(connection: Connection) -> Finding:
    pages, free, bytes_ = (
        connection.scalar(text(f"PRAGMA {name}")) or 0
        for name in ("page_count", "freelist_count", "page_size")
    )
    told = f"{size(free * bytes_)} of {size(pages * bytes_)} in the tables' pages are unused."
    if free * bytes_ > MUCH_FREE_BYTES and free > MUCH_FREE * pages:
        return warning(
            FREE,
            told,
            "New data reuses this space. To return it to the disk, stop the service and run "
            "`sqlite3 FILE VACUUM`, which temporarily needs as much space again.",
        )
    return ok(FREE, told)


def _integrity(connection: Connection) -> Finding:
    try:
        told = [str(row[0]) for row in connection.execute(text("PRAGMA quick_check(3)"))]
    except DatabaseError as failure:
        if not is_late(failure):
            return _damaged(str(failure.orig))
        return skipped(
            INTEGRITY,
            "The file is too large to check within the time limit.",
            "Run `sqlite3 FILE 'PRAGMA quick_check'` when you have time.",
        )
    if told == ["ok"]:
        return ok(INTEGRITY, "quick_check found no errors.")
    return _damaged("; ".join(told))


def _damaged(told: str) -> Finding:
    return error(
        INTEGRITY,
        f"The file is damaged: {' '.join(told.split())}.",
        "Stop the service and copy the file with its -wal file. Restore a backup, or recover data "
        "with `sqlite3 FILE .recover`. Check the disk for errors.",
    )


ISOLATION, ENCODING = "database.isolation", "database.encoding"
CONNECTIONS, CLOCK = "database.connections", "database.clock"
POOL = 5
"""The maximum number of connections of each process."""
# pg_stat_activity hides the kind of other roles' connections from an ordinary role.
_LEFT = text(
    "SELECT current_setting('max_connections')::int"
    " - current_setting('superuser_reserved_connections')::int"
    " - (SELECT sum(numbackends) FROM pg_stat_database) AS server,"
    " (SELECT datconnlimit - (SELECT numbackends FROM pg_stat_database WHERE datid = d.oid)"
    "  FROM pg_database d WHERE datname = current_database() AND datconnlimit >= 0) AS database,"
    " (SELECT rolconnlimit - (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user)"
    "  FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0) AS role"
)


def postgres_described(connection: Connection) -> str:
    """Describe the database briefly."""
    began = time.monotonic()
    version = connection.scalar(text("SHOW server_version"))
    milliseconds = (time.monotonic() - began) * 1000
    url = connection.engine.url
    place = f"{url.host or 'local socket'}:{url.port or 5432}/{url.database or ''}"
    return f"PostgreSQL {version}, {place}, answers in {milliseconds:.0f} ms."


def look_at_postgres(connection: Connection) -> Iterator[Finding]:
    """Yield the findings."""
    yield from _writable(connection)
    yield _isolation(connection)
    yield _encoding(connection)
    yield _connections(connection)
    yield clock(CLOCK, "PostgreSQL", measure_skew(connection))


def clock(check: str, title: str, skew: Skew) -> Finding:
    """Report how far this machine's clock is from another's. Leases use the database's clock, so no
    work is lost. Displayed times, and the ends of keys and sessions, are wrong.
    """
    apart = abs(skew.ahead_ms) / 1000
    if not skew.is_apart:
        return ok(check, f"The clocks differ by {apart:.1f} s.")
    where = "behind" if skew.ahead_ms > 0 else "ahead of"
    told = f"The clock of {title} is {apart:.1f} s {where} this machine's."
    return warning(check, told, "Synchronize the clocks of all machines with NTP.")


def _writable(connection: Connection) -> Iterator[Finding]:
    if connection.scalar(text("SELECT pg_is_in_recovery()")):
        yield error(
            WRITABLE,
            "The server is a read-only standby.",
            "Set DATABASE_URL to the primary server.",
        )
    if connection.scalar(text("SHOW default_transaction_read_only")) == "on":
        yield error(
            WRITABLE,
            "default_transaction_read_only is on for this database or role.",
            "Turn it off with ALTER DATABASE or ALTER ROLE.",
        )


def _isolation(connection: Connection) -> Finding:
    level = connection.scalar(text("SHOW default_transaction_isolation"))
    if level == "read committed":
        return ok(ISOLATION, "read committed.")
    return warning(
        ISOLATION,
        f"default_transaction_isolation is {level}, so concurrent transactions fail and are "
        "retried instead of waiting.",
        "Set it to 'read committed', the default, for this database and role.",
    )


def _encoding(connection: Connection) -> Finding:
    found = connection.scalar(text("SHOW server_encoding"))
    if found == "UTF8":
        return ok(ENCODING, "UTF8.")
    return error(
        ENCODING,
        f"The database encoding is {found}, so it cannot store all Unicode text.",
        "Create a database with `createdb --encoding UTF8 --template template0`, and migrate to "
        "it.",
    )


def _connections(connection: Connection) -> Finding:
    row = connection.execute(_LEFT).one()
    # This connection is one of those in use.
    left = min(number for number in row if number is not None) + 1
    told = f"{left} connections are free. Each process of the service uses up to {POOL}."
    if left >= POOL:
        return ok(CONNECTIONS, told)
    return warning(
        CONNECTIONS,
        told,
        "Raise max_connections (or the limit of the database or role), end idle clients, or use a "
        "connection pooler in session mode.",
    )


CONNECTION = "database.connection"


def look_at_database(installation: Installation) -> Iterator[Finding]:
    """Check that the database answers, then check its kind's settings."""
    path = sqlite_path(installation.settings)
    was_in_use = path is not None and is_in_use(path)
    try:
        with installation.connection() as connection:
            if path is not None:
                yield ok(CONNECTION, sqlite_described(connection, path))
                yield from look_at_sqlite(connection, path, was_in_use=was_in_use)
            else:
                yield ok(CONNECTION, postgres_described(connection))
                yield from look_at_postgres(connection)
    except Unavailable as why:
        yield _unavailable(str(why), is_missing=path is not None and not path.exists())


def _unavailable(why: str, *, is_missing: bool) -> Finding:
    if is_missing:
        return warning(
            CONNECTION,
            why,
            "The first `codeintel serve` creates it. Check that this is the right instance folder.",
        )
    return error(
        CONNECTION,
        why,
        "Check DATABASE_URL with `codeintel config`. Check that the server is running, accepts "
        "connections from here and has free connections.",
    )


REVISION, PEPPER = "migrations.revision", "migrations.pepper"


def look_at_migrations(installation: Installation) -> Iterator[Finding]:
    """Check the revision and the fingerprint of the pepper."""
    with installation.connection() as connection:
        yield revision(connection)
        if inspect(connection).has_table(Fact.__tablename__):
            yield _pepper(connection, installation)


def revision(connection: Connection) -> Finding:
    """Compare the database's revision with those of this version."""
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    current = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(alembic_config())
    head = scripts.get_current_head()
    known = {script.revision for script in scripts.walk_revisions()}
    if current == head:
        return ok(REVISION, f"{head}, the newest.")
    if current is None:
        return warning(
            REVISION, "The database is empty.", "The next `codeintel serve` creates its tables."
        )
    if current not in known:
        return error(
            REVISION,
            f"The database has the unknown revision {current}, because a newer codeintel has used "
            "it.",
            "Upgrade codeintel, or restore a backup.",
        )
    return warning(
        REVISION,
        f"The database has revision {current}, but this version needs {head}.",
        "Restart the service to apply the migrations. It copies SQLite first. Back up PostgreSQL "
        "yourself.",
    )


def _pepper(connection: Connection, installation: Installation) -> Finding:
    stored = connection.scalar(select(Fact.value).where(Fact.name == PEPPER_FACT))
    settings = installation.settings
    file = settings.instance / "key_pepper"
    try:
        pepper = settings.key_pepper or file.read_text().strip()
    except OSError:
        pepper = ""
    if stored is None:
        return skipped(PEPPER, "The database has no API keys stored with a pepper yet.")
    if pepper and hmac.compare_digest(stored, pepper_fingerprint(pepper.encode())):
        return ok(PEPPER, "The pepper matches the stored API keys.")
    what = (
        "does not match this database's API keys"
        if pepper
        else f"is not set, and {file} does not have it"
    )
    return error(
        PEPPER,
        f"CODEINTEL_KEY_PEPPER {what}, so the service does not start.",
        "Set the previous pepper, or restore the file `key_pepper` in the instance folder.",
    )
