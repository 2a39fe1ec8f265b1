"""Parse setting values from the configuration file, the environment or code.

Each parser returns the typed value, or raises ValueError with what would be right.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import limits
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from codeintel.base.confinement.state import MODES
from codeintel.base.entitlements import Tier, TierLimits
from codeintel.base.logging import FORMATS, JSON, TEXT
from codeintel.base.setting_values import json_list, seconds, text, whole

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def tier(value: Any) -> Tier:
    try:
        return Tier(str(value).strip().upper())
    except ValueError:
        raise ValueError(f"must be one of {', '.join(Tier)}") from None


def tier_limits(value: Any) -> TierLimits:
    """Parse `analysis,transform,scan` per hour, like `30,20,20`.

    Without the last number, there are as many scans as transformations.
    """
    parts = value if isinstance(value, tuple | list) else str(value).split(",")
    try:
        analysis, transform, *rest = (whole(0)(part) for part in parts)
        (scan,) = rest or (transform,)
    except ValueError:
        raise ValueError(
            "must be whole numbers per hour, `analysis,transform` or `analysis,transform,scan`"
        ) from None
    return TierLimits(analysis, transform, scan)


def rate(value: Any) -> limits.RateLimitItem:
    try:
        return limits.parse(str(value))
    except ValueError:
        raise ValueError("must be a rate like `6000/minute`") from None


def database_url(value: Any) -> str:
    url = text(value)
    if not url:
        return ""
    try:
        backend = make_url(url).get_backend_name()
    except (
        ArgumentError,
        ValueError,
    ):  # the latter for an invalid port; its text may be part of a password
        raise ValueError("must be a database URL like `postgresql://user@host/name`") from None
    if backend == "postgres":
        raise ValueError("must start with `postgresql://`, not `postgres://`")
    if backend not in {"postgresql", "sqlite"}:
        raise ValueError(f"must be a PostgreSQL or SQLite URL, not {backend}")
    return url


def _split(url: str) -> SplitResult:
    """Return the parts of a URL, all of them empty if it cannot be parsed."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # the port is checked only when it is read
    except ValueError:
        return urlsplit("")
    return parts


def redis_url(value: Any) -> str:
    url = text(value)
    if url and _split(url).scheme not in {"redis", "rediss", "unix"}:
        raise ValueError("must be a Redis URL like `redis://host:6379/0`")
    return url


def origin(value: Any) -> str:
    """Parse `https://host[:port]`, without path, query or credentials."""
    url = text(value).rstrip("/")
    if not url:
        return ""
    parts = _split(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
        # The value is not repeated, because it may hold a password.
        raise ValueError("must be an origin like `https://code.example.org`")
    if parts.path or parts.query or parts.fragment:
        raise ValueError("must be an origin without a path, like `https://code.example.org`")
    return url


def _items(value: Any) -> Iterable[str]:
    parts = value.split(",") if isinstance(value, str) else value
    if isinstance(parts, bytes) or not isinstance(parts, Iterable):
        raise ValueError("must be a comma-separated list")
    return (str(part).strip() for part in parts if str(part).strip())


def origins(value: Any) -> tuple[str, ...]:
    return tuple(origin(item) for item in _items(value))


def hosts(value: Any) -> tuple[str, ...]:
    return tuple(_items(value))


def names(value: Any) -> tuple[str, ...]:
    """Parse names, or patterns of names."""
    return tuple(_items(value))


def networks(value: Any) -> tuple[Network, ...]:
    items = _items(value)
    try:
        return tuple(ipaddress.ip_network(item) for item in items)
    except ValueError as error:
        raise ValueError(f"must be a comma-separated list of networks (CIDR): {error}") from None


OFF, BUBBLEWRAP = "off", "bubblewrap"
SHORTEST_RETENTION = 60
"""In seconds. A smaller value would be a typing error, and deleted data cannot be recovered."""


def execution(value: Any) -> str:
    """Parse how code is executed."""
    found = text(value).lower()
    if found not in (OFF, BUBBLEWRAP):
        raise ValueError(f"must be `{OFF}` or `{BUBBLEWRAP}`")
    return found


def confinement(value: Any) -> str:
    """Parse how worker processes are confined."""
    found = text(value).lower()
    if found not in MODES:
        raise ValueError(f"must be one of {', '.join(MODES)}")
    return found


def paths(value: Any) -> tuple[str, ...]:
    """Parse absolute paths."""
    found = tuple(_items(value))
    for path in found:
        if not Path(path).is_absolute():
            raise ValueError(
                f"must be a comma-separated list of absolute paths, but `{path}` is not absolute"
            )
    return found


def log_format(value: Any) -> str:
    """Parse the format of log entries."""
    found = text(value).lower()
    if found not in FORMATS:
        raise ValueError(f"must be `{TEXT}` or `{JSON}`")
    return found


_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


def host(value: Any) -> str:
    """Parse an address or host name of this machine."""
    found = text(value)
    try:
        return str(ipaddress.ip_address(found))
    except ValueError:
        if _HOST.fullmatch(found) and not found.replace(".", "").isdigit():
            return found
    raise ValueError("must be an address to listen on, like `127.0.0.1` or `0.0.0.0`")


_SOURCE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_INSTANCE_FIELDS = {"name": True, "kind": True, "base_url": True, "token": False}
_INSTANCE_FIELDS |= {"visibility": False}
"""Fields of a registry instance, and whether they are required."""


def sources(value: Any) -> tuple[str, ...]:
    """Parse comma-separated names, like `gitlab,crates`. A `-` before a name turns it off."""
    parts = value if isinstance(value, tuple | list) else text(value).split(",")
    found = tuple(dict.fromkeys(str(part).strip() for part in parts if str(part).strip()))
    if not all(_SOURCE_NAME.fullmatch(name.removeprefix("-")) for name in found):
        raise ValueError("must be comma-separated names, like `gitlab,crates,-docker`")
    return found


_instances = json_list(
    '[{"name": "work", "kind": "gitlab", "base_url": "https://gitlab.example.org"}]'
)


def source_instances(value: Any) -> tuple[dict[str, str], ...]:
    """Parse a JSON list of registries."""
    return tuple(_source_instance(entry) for entry in _instances(value))


def _source_instance(entry: dict[str, Any]) -> dict[str, str]:
    if entry.keys() - _INSTANCE_FIELDS.keys():
        # The name of the field is not repeated, because it may be a misplaced token.
        raise ValueError(f"must have no other fields than {', '.join(_INSTANCE_FIELDS)}")
    for name, required in _INSTANCE_FIELDS.items():
        if not isinstance(entry.get(name, ""), str):
            raise ValueError(f"must have a text as `{name}`")
        if required and not entry.get(name):
            raise ValueError(f"must have `{name}` in every entry")
    if not _SOURCE_NAME.fullmatch(entry["name"]):
        raise ValueError("must have names of lower-case letters, digits and `-`")
    return entry


def contact(value: Any) -> str:
    """Parse a contact address that is safe in a header's comment."""
    found = text(value)
    if not found.isascii() or not found.isprintable() or set(found) & set("()\\"):
        raise ValueError("must be an email address or a URL")
    return found


def retention(value: Any) -> float:
    """Parse a retention time in seconds. 0 or nothing means forever."""
    if value == "":
        return 0.0
    try:
        found = seconds(0)(value)
    except ValueError:
        found = -1.0
    if found != 0 and found < SHORTEST_RETENTION:
        raise ValueError(f"must be 0 or at least {SHORTEST_RETENTION} seconds")
    return found
