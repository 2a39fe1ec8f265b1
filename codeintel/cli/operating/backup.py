"""`codeintel backup`: the whole database as one file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codeintel.base.text.quantities import size
from codeintel.cli import common
from codeintel.server.opening import Failure, database_message

if TYPE_CHECKING:
    from codeintel.platform.config import Settings


@contextmanager
def settings_for_backups() -> Iterator[Settings]:
    """The settings; what is refused ends the command.

    :raises common.Failure: for a wrong setting, and for what a backup or the database refuses.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from codeintel.operations.backups.archive import BackupError
    from codeintel.platform.config import SettingError, load_settings

    try:
        yield load_settings().settings
    except (SettingError, BackupError) as error:
        raise Failure(str(error)) from None
    except SQLAlchemyError as error:
        raise Failure(database_message(error)) from None
    except OSError as error:
        raise Failure(f"{error.filename or 'The file'}: {error.strerror}.") from None


@click.command(short_help="Back the database up.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--with-secrets",
    is_flag=True,
    help="Put the key pepper into it, too: whoever has the file can then do what the service can.",
)
def backup(file: Path, with_secrets: bool) -> None:
    """Write a backup of the database into FILE, while the service runs.

    It has all tables as they are at one moment, and can be restored into SQLite and PostgreSQL
    alike. Only you can read it: it holds addresses, code and results.

    The key pepper, under which API keys are stored, is not in it unless you ask for it. Keep it
    elsewhere: without it the keys of a restored database are void. Settings, plugins and what is
    in Redis are never in it.
    """
    with settings_for_backups() as settings:
        from codeintel.operations.backups.saving import save

        manifest = save(settings, file, with_secrets=with_secrets)
    rows = sum(table.rows for table in manifest.tables)
    secrets = "with the key pepper" if with_secrets else "without the key pepper"
    common.write_line(
        f"Wrote {file}: {rows:,} rows of {len(manifest.tables)} tables, revision "
        f"{manifest.revision}, {secrets}, {size(file.stat().st_size)}."
    )
