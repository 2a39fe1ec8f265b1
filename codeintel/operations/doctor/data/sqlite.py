"""What can be wrong with an SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError

from codeintel.base.text.quantities import size
from codeintel.operations.doctor.connecting import is_in_use, is_late
from codeintel.operations.doctor.results import Finding, Status, error, ok, skipped, warning

JOURNAL, INTEGRITY = "database.journal", "database.integrity"
FREE, WRITABLE = "database.free_pages", "database.writable"
WAL_VERSION = b"\x02\x02"
"""At bytes 18 and 19 of the file (https://www.sqlite.org/fileformat2.html#the_database_header)."""
LARGE_WAL = 256 * 1024**2
MUCH_FREE_BYTES = 64 * 1024**2
MUCH_FREE = 0.5


def described(connection: Connection, path: Path) -> str:
    """The database in a few words; asks for the first page, which shows whether it is one."""
    connection.execute(text("PRAGMA schema_version"))
    return f"SQLite {sqlite3.sqlite_version}, {path}, {size(path.stat().st_size)}."


def look(connection: Connection, path: Path, *, was_in_use: bool) -> Iterator[Finding]:
    """The findings; the slowest one last.

    :param was_in_use: whether somebody had the file open before. If not, SQLite was told that
        nobody writes.
    """
    if not os.access(path, os.W_OK):
        yield error(
            WRITABLE,
            f"{path} cannot be written to.",
            "Run this as the user of the service, or give the file to it with `chown`.",
        )
    yield _journal(path)
    yield _free_pages(connection)
    found = _integrity(connection)
    if found.status is Status.ERROR and is_in_use(path) and not was_in_use:
        found = skipped(INTEGRITY, "The service was just started.", "Try again.")
    yield found


def _journal(path: Path) -> Finding:
    # SQLite itself does not tell of a file that it was told nobody writes to.
    with path.open("rb") as file:
        header = file.read(20)
    log = Path(f"{path}-wal")
    if header and header[18:20] != WAL_VERSION:
        return error(
            JOURNAL,
            "The file is not in WAL mode: whoever writes keeps all others from reading.",
            "Start the service once, which switches it. If it stays so, the folder's file system "
            "has no shared memory, as network drives: move it to a disk of this machine.",
        )
    if log.exists() and log.stat().st_size > LARGE_WAL:
        return warning(
            JOURNAL,
            f"The write-ahead log has grown to {size(log.stat().st_size)}: something reads for "
            "so long that it cannot be taken into the file.",
            "End programs that keep the file open, such as a database browser or a hanging backup.",
        )
    return ok(JOURNAL, "WAL mode.")


def _free_pages(connection: Connection) -> Finding:
    pages, free, bytes_ = (
        connection.scalar(text(f"PRAGMA {name}")) or 0
        for name in ("page_count", "freelist_count", "page_size")
    )
    told = f"{size(free * bytes_)} of {size(pages * bytes_)} are free."
    if free * bytes_ > MUCH_FREE_BYTES and free > MUCH_FREE * pages:
        return warning(
            FREE,
            told,
            "What comes next is stored there. To have the room back, stop the service and run "
            "`sqlite3 FILE VACUUM`, which needs as much room again meanwhile.",
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
            "The file is too large to be looked through in the time that this may take.",
            "Run `sqlite3 FILE 'PRAGMA quick_check'` when there is time.",
        )
    if told == ["ok"]:
        return ok(INTEGRITY, "quick_check finds nothing wrong.")
    return _damaged("; ".join(told))


def _damaged(told: str) -> Finding:
    return error(
        INTEGRITY,
        f"The file is damaged: {' '.join(told.split())}.",
        "Stop the service, copy the file with its -wal, and restore a backup, or save what can be "
        "saved with `sqlite3 FILE .recover`. Look for a failing disk.",
    )
