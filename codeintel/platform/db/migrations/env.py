"""Run migrations over the given connection, or over the current application's.

`codeintel.platform.db.migrate` passes a connection. Flask-Migrate's commands do not.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from codeintel.platform.db import db
from codeintel.platform.db.models import Base


def run(connection: Connection) -> None:
    """Configure and run on this connection."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,  # complete: the application has imported all tables
        render_as_batch=True,  # SQLite cannot alter a table, so Alembic copies it
    )
    context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    with db.engine.begin() as made:
        run(made)
