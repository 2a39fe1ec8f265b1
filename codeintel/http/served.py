"""Remember the address of the last start, for command output and for the doctor."""

from __future__ import annotations

from pathlib import Path

_FILE = "served_at"
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nobody listens by this
"""The addresses at which a server that listens on all addresses is reached."""


def listening_url(host: str, port: int) -> str:
    """Return the URL at which this machine reaches a socket's address."""
    host = _ANY.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def remember_address(instance: Path, url: str, listening: str) -> None:
    """Note the addresses in the instance folder, if that is writable.

    :param url: the address for clients, which may be a proxy's.
    :param listening: the address on which the server listens.
    """
    try:
        (instance / _FILE).write_text(f"{url}\n{listening}\n")
    except OSError:
        return


def last_address(instance: Path) -> str:
    """Return the address for clients of the last noted start, or an empty text."""
    return _noted(instance)[0]


def last_listening(instance: Path) -> str:
    """Return the address on which the last noted start listened, or an empty text."""
    return _noted(instance)[-1]


def _noted(instance: Path) -> list[str]:
    try:
        return (instance / _FILE).read_text().splitlines() or [""]
    except OSError:
        return [""]
