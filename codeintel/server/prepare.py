"""What happens once before the first worker starts."""

from __future__ import annotations

import errno
import fcntl
import ipaddress
import logging
import os
import socket
import time

from flask import Flask

from codeintel.base.entitlements import Tier
from codeintel.platform.config import LoadedSettings, SettingError
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema

log = logging.getLogger(__name__)

LOCK_SECONDS = 5.0
PREPARED = "_CODEINTEL_PREPARED"
"""Environment variable with the id of the process that has prepared."""
SIGN_IN = "_CODEINTEL_SIGN_IN"
"""Environment variable that hands the token of a sign-in link on to the process that knows the
address, which takes it out before there are workers."""
FIRST_ACCOUNT = "operator@localhost"


def prepare(app: Flask, workers: int, *, migrate: bool) -> int:
    """Check the settings, lock and migrate the database, end what a crash left behind.

    Returns how many runs were ended.

    :raises SettingError: for settings that cannot work.
    :raises SchemaError: for a database that this version cannot use.
    """
    services = app.extensions["codeintel"]
    refuse_unshared_workers(services.loaded, workers)
    lock_sqlite(services.loaded)
    ensure_schema(app, migrate=migrate)
    ended = len(services.runs.store.fail_orphans()) if is_only_user(services.loaded) else 0
    with app.app_context():
        db.engine.dispose()
    return ended


def is_at_hand(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def sign_in_token(app: Flask) -> str:
    """A token that signs in once to the account that was made first; made, unlimited, where there
    is none yet. For who sits at the terminal, and can do everything anyway."""
    services = app.extensions["codeintel"]
    account = services.accounts.first() or services.accounts.create(
        FIRST_ACCOUNT, Tier.TEAM, 0, unlimited=True
    )
    token: str = services.links.make(account.id)
    with app.app_context():
        db.engine.dispose()
    return token


def refuse_unshared_workers(loaded: LoadedSettings, workers: int) -> None:
    """Limits counted in each process apart would let through as many times too much.

    :raises SettingError: if there is more than one worker and no Redis.
    """
    if workers > 1 and not loaded.settings.redis_url:
        raise SettingError(
            f"REDIS_URL must be set to run {workers} workers: they share their limits through it. "
            "Set it, or run one worker."
        )


def refuse_taken_address(host: str, port: int) -> None:
    """Say at once and in one line what gunicorn would try five times.

    :raises SettingError: if nobody can listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise SettingError(
            f"Cannot listen on {host}, port {port}: {os.strerror(error.errno or 0)}. "
            "Another service has it, or this one, which may still be ending its runs: wait, or "
            "choose another address with --host and --port."
        ) from None


def lock_sqlite(loaded: LoadedSettings) -> None:
    """Keep a second `serve` off the same SQLite file, for as long as this process or a worker of it
    lives.

    :raises SettingError: if another one has it.
    """
    path = loaded.settings.sqlite_file
    if path is None:
        return
    try:
        descriptor = os.open(f"{path}.serve-lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SettingError(
            f"The instance folder {path.parent} cannot be used: {os.strerror(error.errno or 0)}. "
            "Make it writable, or set CODEINTEL_INSTANCE to another."
        ) from None
    deadline = time.monotonic() + LOCK_SECONDS
    while True:  # the workers of one that was killed go within seconds
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in {errno.EWOULDBLOCK, errno.EAGAIN}:
                raise
            if time.monotonic() >= deadline:
                raise SettingError(
                    f"Another `codeintel serve` is running on {path}: stop it, or give this one "
                    "a folder of its own with CODEINTEL_INSTANCE."
                ) from None
            time.sleep(0.1)
        else:
            os.set_inheritable(descriptor, True)
            return


def is_only_user(loaded: LoadedSettings) -> bool:
    """Whether nobody else can be working on runs of this database, given the lock."""
    return loaded.settings.sqlite_file is not None
