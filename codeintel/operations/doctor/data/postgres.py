"""What can be wrong with PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Iterator

from sqlalchemy import Connection, text

from codeintel.operations.doctor.results import Finding, error, ok, warning
from codeintel.platform.db.clock import Skew, measure_skew

ISOLATION, ENCODING, WRITABLE = "database.isolation", "database.encoding", "database.writable"
CONNECTIONS, CLOCK = "database.connections", "database.clock"
POOL = 5
"""Connections that each process of the service may have."""
# Not the rows of pg_stat_activity: of other roles' ones an ordinary role cannot see the kind.
_LEFT = text(
    "SELECT current_setting('max_connections')::int"
    " - current_setting('superuser_reserved_connections')::int"
    " - (SELECT sum(numbackends) FROM pg_stat_database) AS server,"
    " (SELECT datconnlimit - (SELECT numbackends FROM pg_stat_database WHERE datid = d.oid)"
    "  FROM pg_database d WHERE datname = current_database() AND datconnlimit >= 0) AS database,"
    " (SELECT rolconnlimit - (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user)"
    "  FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0) AS role"
)


def described(connection: Connection) -> str:
    """The database in a few words."""
    began = time.monotonic()
    version = connection.scalar(text("SHOW server_version"))
    milliseconds = (time.monotonic() - began) * 1000
    url = connection.engine.url
    place = f"{url.host or 'local socket'}:{url.port or 5432}/{url.database or ''}"
    return f"PostgreSQL {version}, {place}, answers in {milliseconds:.0f} ms."


def look(connection: Connection) -> Iterator[Finding]:
    """The findings."""
    yield from _writable(connection)
    yield _isolation(connection)
    yield _encoding(connection)
    yield _connections(connection)
    yield clock(CLOCK, "PostgreSQL", measure_skew(connection))


def clock(check: str, title: str, skew: Skew) -> Finding:
    """How far this machine's clock is from another's. Leases are counted by the database's clock,
    so no work is lost; times that are shown, and the ends of keys and sessions, are wrong."""
    apart = abs(skew.ahead_ms) / 1000
    if not skew.is_apart:
        return ok(check, f"The clocks are {apart:.1f} s apart.")
    where = "behind" if skew.ahead_ms > 0 else "ahead of"
    told = f"The clock of {title} is {apart:.1f} s {where} ours."
    return warning(check, told, "Have all machines set their clocks by NTP.")


def _writable(connection: Connection) -> Iterator[Finding]:
    if connection.scalar(text("SELECT pg_is_in_recovery()")):
        yield error(WRITABLE, "It is a standby, which takes no writes.", "Name the primary server.")
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
        f"default_transaction_isolation is {level}: transactions of several processes fail and "
        "are done again where they need only wait.",
        "Set it to 'read committed', the default, for this database and role.",
    )


def _encoding(connection: Connection) -> Finding:
    found = connection.scalar(text("SHOW server_encoding"))
    if found == "UTF8":
        return ok(ENCODING, "UTF8.")
    return error(
        ENCODING,
        f"The database is in {found}: texts in other scripts cannot be stored.",
        "Make a database with `createdb --encoding UTF8 --template template0`, and move to it.",
    )


def _connections(connection: Connection) -> Finding:
    row = connection.execute(_LEFT).one()
    # Ours is one of those that are in use.
    left = min(number for number in row if number is not None) + 1
    told = f"{left} more connections can be made; each process of the service uses up to {POOL}."
    if left >= POOL:
        return ok(CONNECTIONS, told)
    return warning(
        CONNECTIONS,
        told,
        "Raise max_connections (or the limit of the database or role), end idle clients, or put a "
        "pooler in session mode in between.",
    )
