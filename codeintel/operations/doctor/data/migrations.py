"""Whether the database's schema and pepper are those of this version and these settings."""

from __future__ import annotations

import hmac
from collections.abc import Iterator

from sqlalchemy import Connection, inspect, select

from codeintel.operations.doctor.machine.installation import Installation
from codeintel.operations.doctor.results import Finding, error, ok, skipped, warning
from codeintel.platform.db.migrate import PEPPER_FACT, alembic_config, pepper_fingerprint
from codeintel.platform.db.models import Fact

REVISION, PEPPER = "migrations.revision", "migrations.pepper"


def look_at_migrations(installation: Installation) -> Iterator[Finding]:
    """The revision, and the fingerprint of the pepper."""
    with installation.connection() as connection:
        yield revision(connection)
        if inspect(connection).has_table(Fact.__tablename__):
            yield _pepper(connection, installation)


def revision(connection: Connection) -> Finding:
    """The database's revision, compared with those that this version knows."""
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
            REVISION, "The database is empty.", "The next `codeintel serve` makes its tables."
        )
    if current not in known:
        return error(
            REVISION,
            f"The database has revision {current}, which this version does not know: it was used "
            "by a newer codeintel.",
            "Upgrade codeintel, or restore a backup.",
        )
    return warning(
        REVISION,
        f"The database has revision {current}, this version needs {head}.",
        "Restart the service, which applies what is missing; SQLite is copied first, PostgreSQL "
        "should be backed up by you.",
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
        return skipped(PEPPER, "No pepper was used with this database yet.")
    if pepper and hmac.compare_digest(stored, pepper_fingerprint(pepper.encode())):
        return ok(PEPPER, "It is the one that API keys were stored under.")
    what = "is not the one" if pepper else f"is missing, also in {file},"
    return error(
        PEPPER,
        f"CODEINTEL_KEY_PEPPER {what} that this database's API keys were stored under: the "
        "service does not start.",
        "Set the former one, or restore the file `key_pepper` in the instance folder.",
    )
