"""Check the settings, the address and the database once, before the first worker starts."""

from __future__ import annotations

import errno
import fcntl
import ipaddress
import os
import socket
import time

from flask import Flask

from codeintel.platform.config import LoadedSettings, SettingError
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema

LOCK_SECONDS = 5.0
PREPARED = "_CODEINTEL_PREPARED"
"""The environment variable with the id of the process that has run the preparation."""
SIGN_IN = "_CODEINTEL_SIGN_IN"
"""The environment variable that passes the account and the token of a sign-in link to the process
that knows the server's address. That process removes the variable before it starts workers."""


def prepare(app: Flask, workers: int, *, migrate: bool) -> int:
    """Check the settings, lock and migrate the database, and end the runs that a crash left open.

    Return the number of ended runs.

    :raises SettingError: if the settings are invalid.
    :raises SchemaError: if this version cannot use the database.
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
    """Return whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def operator_sign_in(app: Flask) -> str:
    """Return the operator's e-mail address and a one-time sign-in token, separated by a space.

    Only print the token on the operator's own terminal, where the operator controls the database
    anyway.
    """
    services = app.extensions["codeintel"]
    account = services.accounts.operator()
    token: str = services.links.make(account.id)
    with app.app_context():
        db.engine.dispose()
    return f"{account.email} {token}"


def refuse_unshared_workers(loaded: LoadedSettings, workers: int) -> None:
    """Reject more than one worker without Redis, because each worker would count limits alone.

    :raises SettingError: if there is more than one worker and no Redis.
    """
    if workers > 1 and not loaded.settings.redis_url:
        raise SettingError(
            f"Cannot run {workers} workers without Redis, which they need to share limits. Set "
            "REDIS_URL, or run one worker."
        )


def refuse_taken_address(host: str, port: int) -> None:
    """Reject an address that is in use. gunicorn would retry five times.

    :raises SettingError: if the server cannot listen on the address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise SettingError(
            f"Cannot listen on {host}, port {port}: {os.strerror(error.errno or 0)}. If codeintel "
            "is still shutting down there, wait. Otherwise choose another address with --host and "
            "--port."
        ) from None


def lock_sqlite(loaded: LoadedSettings) -> None:
    """Lock the SQLite file against a second `serve` until this process and its workers end.

    :raises SettingError: if another process holds the lock.
    """
    path = loaded.settings.sqlite_file
    if path is None:
        return
    try:
        descriptor = os.open(f"{path}.serve-lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SettingError(
            f"Cannot use the instance folder {path.parent}: {os.strerror(error.errno or 0)}. "
            "Make it writable, or set CODEINTEL_INSTANCE to another folder."
        ) from None
    deadline = time.monotonic() + LOCK_SECONDS
    while True:  # the workers of a killed server end within seconds
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in {errno.EWOULDBLOCK, errno.EAGAIN}:
                raise
            if time.monotonic() >= deadline:
                raise SettingError(
                    f"Another `codeintel serve` already uses {path}. Stop it, or set "
                    "CODEINTEL_INSTANCE to a separate folder for this one."
                ) from None
            time.sleep(0.1)
        else:
            os.set_inheritable(descriptor, True)
            return


def is_only_user(loaded: LoadedSettings) -> bool:
    """Return whether the lock keeps all other processes away from the runs of this database."""
    return loaded.settings.sqlite_file is not None
