"""The database: reachable, whole, and set as the service needs it."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.operations.doctor.connecting import is_in_use, sqlite_path
from codeintel.operations.doctor.errors import Unavailable
from codeintel.operations.doctor.machine.installation import Installation
from codeintel.operations.doctor.results import Finding, error, ok, warning

CONNECTION = "database.connection"


def look_at_database(installation: Installation) -> Iterator[Finding]:
    """Whether it answers; then what is peculiar to each kind."""
    from codeintel.operations.doctor.data import postgres, sqlite

    path = sqlite_path(installation.settings)
    was_in_use = path is not None and is_in_use(path)
    try:
        with installation.connection() as connection:
            if path is not None:
                yield ok(CONNECTION, sqlite.described(connection, path))
                yield from sqlite.look(connection, path, was_in_use=was_in_use)
            else:
                yield ok(CONNECTION, postgres.described(connection))
                yield from postgres.look(connection)
    except Unavailable as why:
        yield _unavailable(str(why), is_missing=path is not None and not path.exists())


def _unavailable(why: str, *, is_missing: bool) -> Finding:
    if is_missing:
        return warning(
            CONNECTION,
            why,
            "The first `codeintel serve` makes it. Is this the right instance folder?",
        )
    return error(
        CONNECTION,
        why,
        "See with `codeintel config` whether DATABASE_URL is right, and whether the server runs, "
        "takes connections from here and has room for them.",
    )
