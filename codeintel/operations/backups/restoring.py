"""Restore a backup in one transaction, and end everything that cannot continue."""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from codeintel.base.timestamps import from_milliseconds
from codeintel.base.wording import counted
from codeintel.contracts.states import JobState, RunState
from codeintel.identity import ledger
from codeintel.identity.audit import OPERATOR, AuditKind, record
from codeintel.identity.tables import SessionRow, SignInLinkRow
from codeintel.operations.backups import content, databases
from codeintel.operations.backups.archive import (
    ArchiveReader,
    BackupError,
    ForeignFileError,
    Manifest,
)
from codeintel.operations.backups.content import store_lines
from codeintel.operations.backups.saving import pepper_in_use
from codeintel.platform.config import Settings
from codeintel.platform.db.migrate import PEPPER_FACT, pepper_fingerprint, revisions
from codeintel.platform.db.models import (
    ApiKey,
    Balance,
    Fact,
    Hold,
    IdempotencyKey,
    LedgerEntry,
    RunRow,
    now_ms,
)
from codeintel.platform.jobs.store import JobRow, cancelled, queued

NEEDED = (
    "The API keys in this backup need a different key pepper. Put the previous pepper into the "
    "file `key_pepper` of the instance folder or into CODEINTEL_KEY_PEPPER, restore a backup "
    "created with --with-secrets, or revoke the keys with --revoke-keys. Nothing was changed."
)
NOT_SET = (
    "CODEINTEL_KEY_PEPPER is not the pepper of this backup. Set it to the pepper in the backup's "
    "file secrets.json (`unzip -p BACKUP secrets.json`), or revoke the API keys with "
    "--revoke-keys. Nothing was changed."
)
SET_TO_ANOTHER = (
    "CODEINTEL_KEY_PEPPER is not the pepper of this backup. Remove the setting, so that the "
    "backup's pepper is written to the instance folder, or revoke the API keys with "
    "--revoke-keys. Nothing was changed."
)


def pepper_to_install(archive: ArchiveReader, settings: Settings) -> str:
    """Return the pepper of the backup if it must be installed. Empty if the instance has the right
    one.

    :raises BackupError: if the right pepper is not available.
    """
    fingerprint = _fingerprint(archive)
    if fingerprint is None or _fits(pepper_in_use(settings), fingerprint):
        return ""
    secrets = archive.secrets()
    if secrets is None or not _fits(secrets.key_pepper, fingerprint):
        raise BackupError(NEEDED)
    if not settings.database.startswith("sqlite"):
        raise BackupError(NOT_SET)
    if settings.key_pepper:
        raise BackupError(SET_TO_ANOTHER)
    return secrets.key_pepper


@contextmanager
def installed(pepper: str, settings: Settings) -> Iterator[None]:
    """Install a pepper in the instance folder, and keep an existing one under another name. If the
    block raises, restore the old state.
    """
    if not pepper:
        yield
        return
    file = settings.instance / "key_pepper"
    aside = file.with_name(f"key_pepper.before-restore-{now_ms()}") if file.exists() else None
    if aside is not None:
        file.rename(aside)
    try:
        _write(file, pepper)
        yield
    except BaseException:
        file.unlink(missing_ok=True)
        if aside is not None:
            aside.rename(file)
        raise


def _write(file: Path, pepper: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(pepper)
        stream.flush()
        os.fsync(stream.fileno())


def _fits(pepper: str, fingerprint: str) -> bool:
    return bool(pepper) and hmac.compare_digest(pepper_fingerprint(pepper.encode()), fingerprint)


def _fingerprint(archive: ArchiveReader) -> str | None:
    """Return the fingerprint of the pepper in the backup's database."""
    for part in archive.manifest.tables:
        if part.name == "facts":
            rows: list[dict[str, Any]] = [
                dict(zip(part.columns, msgspec.json.decode(line, type=list[Any]), strict=True))
                for line in archive.lines(part.path, part)
            ]
            found = (row["value"] for row in rows if row["name"] == PEPPER_FACT)
            return next(found, None)
    return None


REASON = "backup_restored"


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of ended items. `jobs` were queued again, and `cancelled_jobs` were due to stop.
    `keys` is None if keys were kept.
    """

    runs: int
    credits: int
    sessions: int
    jobs: int
    cancelled_jobs: int
    keys: int | None


def settle(connection: Connection, manifest: Manifest, *, revoke_keys: bool) -> Settled:
    """End runs, holds, sessions and jobs, check the ledger, and add an audit event.

    :raises BackupError: if balances and entries differ.
    """
    done = Settled(
        runs=_end_runs(connection),
        credits=_give_back(connection),
        sessions=_end_sessions(connection),
        cancelled_jobs=_cancel_jobs(connection),
        jobs=_queue_jobs(connection),
        keys=_revoke_keys(connection) if revoke_keys else None,
    )
    _check_books(connection)
    details = {
        "made": from_milliseconds(manifest.made_ms).isoformat(timespec="seconds"),
        "version": manifest.product,
        "revision": manifest.revision,
        "database": manifest.database,
        **{name: count for name, count in msgspec.structs.asdict(done).items() if count},
    }
    record(connection, AuditKind.RESTORED, None, OPERATOR, details=details)
    return done


def _end_runs(connection: Connection) -> int:
    """Fail the active runs, free of charge. Their requests can be sent again."""
    running = select(RunRow.id).where(RunRow.state == RunState.RUNNING)
    connection.execute(delete(IdempotencyKey).where(IdempotencyKey.made.in_(running)))
    ended = (
        update(RunRow)
        .where(RunRow.state == RunState.RUNNING)
        .values(
            state=RunState.FAILED,
            epoch=RunRow.epoch + 1,
            charged=0,
            reason=REASON,
            finished_ms=now_ms(),
        )
    )
    return connection.execute(ended).rowcount


def _give_back(connection: Connection) -> int:
    """Release reserved credits and record it in the ledger. A hold has not changed the balance, so
    the entry has the amount 0.
    """
    pending = Hold.state == ledger.PENDING
    reserved = (
        select(Hold.account_id, func.sum(Hold.amount).label("amount"))
        .where(pending)
        .group_by(Hold.account_id)
    )
    total = 0
    for account_id, amount in connection.execute(reserved).all():
        if amount:
            reason = f"restored from a backup: {amount} credits are no longer reserved"
            ledger.post_entry(connection, account_id, "release", 0, reason=reason)
            total += int(amount)
    connection.execute(update(Hold).where(pending).values(state=ledger.VOIDED))
    connection.execute(update(Balance).where(Balance.held != 0).values(held=0))
    return total


def _end_sessions(connection: Connection) -> int:
    """End all sessions, so that stolen cookies stop working. Users sign in again with a new
    link.
    """
    connection.execute(delete(SignInLinkRow))
    going_on = update(SessionRow).where(SessionRow.ended_ms.is_(None))
    return connection.execute(going_on.values(ended_ms=now_ms())).rowcount


_RAN, _EPOCH = JobRow.state == JobState.RUNNING, JobRow.__table__.c.epoch


def _cancel_jobs(connection: Connection) -> int:
    """Mark running jobs that were due to stop as canceled."""
    stopped = update(JobRow).where(_RAN, JobRow.cancel_ms.is_not(None))
    return connection.execute(stopped.values(cancelled(_EPOCH))).rowcount


def _queue_jobs(connection: Connection) -> int:
    """Queue running jobs again without counting a failed attempt, because the restore ended their
    processes. Their messages are sent again.
    """
    ran = update(JobRow).where(_RAN, JobRow.cancel_ms.is_(None))
    values = {**queued(_EPOCH), "attempts": JobRow.attempts - 1}
    count = connection.execute(ran.values(values)).rowcount
    unsent = update(JobRow).where(JobRow.state == JobState.QUEUED, JobRow.sent_ms.is_not(None))
    connection.execute(unsent.values(sent_ms=None))
    return count


def _revoke_keys(connection: Connection) -> int:
    """Revoke all keys, which cannot be verified without the pepper. The next start stores the
    fingerprint of the new pepper.
    """
    connection.execute(delete(Fact).where(Fact.name == PEPPER_FACT))
    active = update(ApiKey).where(ApiKey.revoked_ms.is_(None))
    return connection.execute(active.values(revoked_ms=now_ms())).rowcount


def _check_books(connection: Connection) -> None:
    """Check that every balance is the sum of its entries."""
    posted: ColumnElement[int] = func.coalesce(func.sum(LedgerEntry.amount), 0)
    wrong = (
        select(Balance.account_id)
        .outerjoin(LedgerEntry, LedgerEntry.account_id == Balance.account_id)
        .group_by(Balance.account_id, Balance.posted)
        .having(posted != Balance.posted)
    )
    found = connection.scalars(wrong).all()
    if found:
        raise BackupError(
            f"In this backup, the ledger entries of {counted(len(found), 'account')}, such as "
            f"{found[0]}, do not match the balance. Nothing was changed."
        )


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a restore. `aside` is a copy of the previous database, if one was made."""

    manifest: Manifest
    revision: str
    settled: Settled
    aside: Path | None


def restore(
    settings: Settings, file: Path, *, replace: bool = False, revoke_keys: bool = False
) -> Restored:
    """Restore a backup into the configured database.

    :param replace: allow a database with data. The data is lost, except for a copy of SQLite's
        file.
    :param revoke_keys: revoke all API keys, so that the backup's pepper is not needed.
    :raises BackupError: without any change, for an incomplete backup, one of a newer version, a
        database with data or in use, or a missing pepper.
    """
    with ArchiveReader(file) as archive:
        _refuse_newer(archive.manifest)
        archive.check()
        pepper = "" if revoke_keys else pepper_to_install(archive, settings)
        with databases.replacing(settings) as connection:
            is_empty = content.is_empty(connection)
            _refuse_full(connection, is_empty=is_empty, replace=replace)
            aside = None if is_empty else _set_aside(settings)
            try:
                content.drop_all(connection)
                _fill(connection, archive)
                content.upgrade(connection, "head")
                settled = settle(connection, archive.manifest, revoke_keys=revoke_keys)
                databases.check_references(connection)
            except BaseException:
                if aside is not None:  # the original is unchanged
                    aside.unlink()
                raise
            with installed(pepper, settings):
                connection.commit()
    return Restored(
        manifest=archive.manifest, revision=revisions()[-1], settled=settled, aside=aside
    )


def _refuse_newer(manifest: Manifest) -> None:
    if manifest.revision not in revisions():
        raise BackupError(
            f"This backup has the unknown revision {manifest.revision} from codeintel "
            f"{manifest.product}. Upgrade codeintel. Nothing was changed."
        )


def _refuse_full(connection: Connection, *, is_empty: bool, replace: bool) -> None:
    revision = content.revision_of(connection)
    if revision is not None and revision not in revisions():
        raise BackupError(
            f"The database has the unknown revision {revision}, because a newer codeintel has used "
            "it. Restore into an empty database. Nothing was changed."
        )
    if not is_empty and not replace:
        raise BackupError(
            "The database is not empty. Restore into a new one, or replace its content with "
            "--replace. Nothing was changed."
        )


def _set_aside(settings: Settings) -> Path | None:
    file = settings.sqlite_file
    return databases.set_aside(file, f"before-restore-{now_ms()}") if file is not None else None


def _fill(connection: Connection, archive: ArchiveReader) -> None:
    """Create the tables of the backup's revision, and insert its rows."""
    content.upgrade(connection, archive.manifest.revision)
    parts = {part.name: part for part in archive.manifest.tables}
    tables = [each for each in content.tables_of(connection) if each.name != content.VERSION_TABLE]
    if set(parts) != {table.name for table in tables}:
        raise ForeignFileError("its tables do not match its revision")
    for table in tables:
        part = parts[table.name]
        store_lines(connection, table, part, archive.lines(part.path, part))
    content.restart_counters(connection)
