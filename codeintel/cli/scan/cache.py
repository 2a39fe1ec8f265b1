"""Results of earlier scans in the cache folder of the user, which parallel scans share."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from codeintel.runs.scans.results import ResultKey

MAX_BYTES = 256 * 1024 * 1024
"""The size above which the results that were not used for the longest time are deleted."""
_KEPT = 0.75
"""The share of the limit that is kept then."""
WAIT_SECONDS = 5.0
"""The time to wait for another scan that writes."""
_AT_ONCE = 400
_DAY = 86_400
_FORMAT = 1
"""Increases with each change of the table. Older files are not read."""
_TABLE = """
CREATE TABLE IF NOT EXISTS results (
    key BLOB PRIMARY KEY, data BLOB NOT NULL, day INTEGER NOT NULL
) WITHOUT ROWID
"""
T = TypeVar("T")


def cache_folder(environment: Mapping[str, str] | None = None) -> Path | None:
    """Return the folder for the results of this user, or None without a home folder.

    It is `codeintel` in `XDG_CACHE_HOME`, by default in `~/.cache`.
    """
    environment = os.environ if environment is None else environment
    given = environment.get("XDG_CACHE_HOME", "")
    if given and Path(given).is_absolute():
        return Path(given) / "codeintel"
    try:
        return Path.home() / ".cache" / "codeintel"
    except RuntimeError:
        return None


class LocalResults:
    """A store of results in one SQLite file.

    An error of the file never ends a scan. After the first one, the store is empty and `trouble`
    describes the error. A folder that other users can write to is not used, because they could
    hide findings.

    :param folder: created if it is missing. None stands for no store.
    """

    def __init__(self, folder: Path | None) -> None:
        self.trouble = ""
        self._connection: sqlite3.Connection | None = None
        self._path = folder / f"scan-{_FORMAT}.db" if folder is not None else None
        if folder is not None and self._path is not None:
            path = self._path
            self._tried(lambda: self._open(folder, path), None)

    def get(self, keys: Sequence[ResultKey]) -> Mapping[ResultKey, bytes]:
        """Return the stored results."""
        named = {_key(key): key for key in keys}
        nothing: dict[bytes, bytes] = {}
        found = self._tried(lambda: dict(self._rows(list(named))), nothing)
        return {named[key]: data for key, data in found.items()}

    def put(self, results: Mapping[ResultKey, bytes]) -> None:
        """Store results."""
        today = _today()
        rows = [(_key(key), data, today) for key, data in results.items()]
        self._tried(lambda: self._insert(rows), None)

    def close(self) -> None:
        """Delete old results if the file is too large, and close it."""
        self._tried(self._shrink, None)
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _open(self, folder: Path, path: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise OSError(f"other users can write to {folder}")
        try:
            self._connection = _connected(path)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):  # locked or no space: not its content
                raise
            for name in (path, *_beside(path)):
                name.unlink(missing_ok=True)
            self._connection = _connected(path)

    def _rows(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
        if self._connection is None:
            return
        today, stale = _today(), []
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            query = f"SELECT key, data, day FROM results WHERE key IN ({marks})"  # noqa: S608
            for key, data, day in self._connection.execute(query, part):
                yield key, data
                if day != today:
                    stale.append((today, key))
        if stale:
            with self._connection:
                self._connection.executemany("UPDATE results SET day = ? WHERE key = ?", stale)

    def _insert(self, rows: Sequence[tuple[bytes, bytes, int]]) -> None:
        if self._connection is not None and rows:
            with self._connection:
                self._connection.executemany("INSERT OR IGNORE INTO results VALUES (?,?,?)", rows)

    def _shrink(self) -> None:
        if self._connection is None or self._path is None or _size(self._path) <= MAX_BYTES:
            return
        connection = self._connection
        query = "SELECT key, length(key) + length(data) FROM results ORDER BY day DESC"
        kept, old = 0, []
        for key, size in connection.execute(query):
            kept += size
            if kept > _KEPT * MAX_BYTES:
                old.append((key,))
        with connection:
            connection.executemany("DELETE FROM results WHERE key = ?", old)
        connection.execute("VACUUM")

    def _tried(self, work: Callable[[], T], otherwise: T) -> T:
        """Return the result of some work. After an error, use the file no longer."""
        try:
            return work()
        except (sqlite3.Error, OSError) as error:
            self.trouble = str(error) or type(error).__name__
            if self._connection is not None:
                with suppress(sqlite3.Error):
                    self._connection.close()
            self._connection = None
            return otherwise


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS)
    try:
        with closing(connection.execute("PRAGMA journal_mode=WAL")) as answer:
            answer.fetchone()
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(_TABLE)
        connection.execute("SELECT key FROM results LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    path.chmod(0o600)
    return connection


def _key(key: ResultKey) -> bytes:
    return bytes.fromhex(key.sha256) + bytes.fromhex(key.made_by)


def _beside(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def _size(path: Path) -> int:
    return sum(each.stat().st_size for each in (path, *_beside(path)) if each.exists())


def _today() -> int:
    return int(time.time()) // _DAY
