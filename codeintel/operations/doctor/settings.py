"""Check the settings, alone and in combination."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from urllib.parse import urlsplit

from codeintel.operations.doctor.installation import Installation
from codeintel.operations.doctor.results import Finding, error, ok, or_ok, warning
from codeintel.platform.config import SETTINGS, SettingError
from codeintel.platform.config.load import OF_THE_CLIENT, PREFIX

VALUES, NAMES, SECRETS = "settings.values", "settings.names", "settings.secrets"
ADDRESSES, SHARING = "settings.addresses", "settings.sharing"
ELSEWHERE = frozenset({"CODEINTEL_REQUIRE_FRONTEND", "CODEINTEL_REQUIRE_SERVICES"})
"""Variables of the build and the tests."""
LIKE = 0.75
MIN_KINDS = 8
"""The minimum number of different characters in a secret. A random one of 32 has more."""
_CORRECT = "Correct the setting. `codeintel config` explains all settings."
OF_THE_UNITS = "SERVER_WORKERS"
"""The variable by which the systemd units in `deploy/` set --workers."""
_WORKERS = re.compile(r"(?:^|\s)(?:-w|--workers)[ =]?(\d+)")


def look_at_values(installation: Installation) -> Iterator[Finding]:
    """Check the values of the core's settings, then those of plugins."""
    yield from (error(VALUES, _told(each), _CORRECT) for each in installation.wrong)
    plugins = installation.plugins.get()
    yield from (error(VALUES, _told(each), _CORRECT) for each in plugins.wrong)
    if not installation.wrong and not plugins.wrong:
        known = len(SETTINGS) + len(plugins.manager.registry.settings)
        given = len(plugins.settings.origins)
        yield ok(VALUES, f"{known} settings, {given} of them set.")


def _told(wrong: SettingError) -> str:
    """Return the error's message. For an unreadable file, leave out the cause, which may quote a
    secret.
    """
    cause = wrong.__cause__
    if cause is None:
        return str(wrong)
    path = str(wrong).partition(" cannot be read: ")[0]
    place = f", line {cause.lineno}" if isinstance(cause, SyntaxError) else ""
    return f"{path} cannot be read: {type(cause).__name__}{place}."


def look_at_names(installation: Installation) -> Iterator[Finding]:
    """Report unknown names that look like settings."""
    plugins = installation.plugins.get()
    known = [info.name for info in SETTINGS] + [*plugins.manager.registry.settings, *OF_THE_CLIENT]
    unknown = [
        name for name in plugins.settings.unknown if name not in ELSEWHERE and name not in known
    ]
    found = (_unknown(name, plugins.settings.origins.get(name, ""), known) for name in unknown)
    yield from or_ok(found, NAMES, "All names are known.")


def _unknown(name: str, origin: str, known: list[str]) -> Finding:
    # Ignore the common prefix, which makes any two names similar.
    bare = {each.removeprefix(PREFIX): each for each in known}
    near = [
        bare[each] for each in get_close_matches(name.removeprefix(PREFIX), bare, n=1, cutoff=LIKE)
    ]
    where = f"{name} in {origin}" if origin else name
    if near:
        return warning(
            NAMES, f"{where} is an unknown setting without effect.", f"Did you mean {near[0]}?"
        )
    return warning(
        NAMES,
        f"{where} is not a setting of the core or of an active plugin.",
        "Remove it, or check with `codeintel plugins` whether its plugin is missing.",
    )


def look_at_secrets(installation: Installation) -> Iterator[Finding]:
    """Report secrets that are easy to guess, and invalid keys. Short ones are reported as invalid
    values.
    """
    yield from or_ok(_weak_secrets(installation), SECRETS, "No weak secrets found.")


def _weak_secrets(installation: Installation) -> Iterator[Finding]:
    from codeintel.identity.issuer import load_issuer_key

    settings = installation.settings
    for name, value in (
        ("CODEINTEL_KEY_PEPPER", settings.key_pepper),
        ("CODEINTEL_SESSION_KEY", settings.session_key),
    ):
        if len(value) >= 32 and len(set(value)) < MIN_KINDS:
            yield warning(
                SECRETS,
                f"{name} has few different characters, so it can be guessed.",
                "Create one with `python -c 'import secrets; print(secrets.token_urlsafe(32))'`. "
                "After a change of the pepper, all API keys must be replaced.",
            )
    try:
        load_issuer_key(settings, b"")
    except SettingError as wrong:
        yield error(SECRETS, str(wrong), _CORRECT)


def look_at_addresses(installation: Installation) -> Iterator[Finding]:
    """Check that public URL, trusted proxies and allowed hosts fit together."""
    yield from or_ok(
        [*_public_url(installation), *_proxies(installation), *_hosts(installation)],
        ADDRESSES,
        f"Clients reach the service at {installation.settings.public_url or 'any host name'}.",
    )


def _public_url(installation: Installation) -> Iterator[Finding]:
    settings = installation.settings
    parts = urlsplit(settings.public_url)
    if parts.scheme == "http" and not _is_here(parts.hostname or ""):
        yield warning(
            ADDRESSES,
            "CODEINTEL_PUBLIC_URL is plain HTTP, so others can read keys and logins on the "
            "network.",
            "Serve it through a proxy with TLS, and set its https:// address.",
        )
    if parts.scheme == "https" and not settings.trusted_proxies:
        yield warning(
            ADDRESSES,
            "CODEINTEL_PUBLIC_URL is https://, so the service is behind a proxy, but "
            "CODEINTEL_TRUSTED_PROXIES is empty. All clients without a key share the proxy's "
            "address and its limits.",
            "Set it to the proxy's network, such as `127.0.0.1/32`.",
        )
    if not settings.public_url and not settings.allowed_hosts and settings.trusted_proxies:
        yield warning(
            ADDRESSES,
            "A proxy is set, but neither CODEINTEL_PUBLIC_URL nor CODEINTEL_ALLOWED_HOSTS, so "
            "links use the host name of each request.",
            "Set CODEINTEL_PUBLIC_URL to the address that users open.",
        )


def _proxies(installation: Installation) -> Iterator[Finding]:
    for network in installation.settings.trusted_proxies:
        if network.prefixlen == 0:
            yield error(
                ADDRESSES,
                f"CODEINTEL_TRUSTED_PROXIES has {network}, so clients can fake their address and "
                "bypass the limits of addresses.",
                "Set only the networks of your proxies.",
            )


def _hosts(installation: Installation) -> Iterator[Finding]:
    for host in installation.settings.allowed_hosts:
        if "/" in host or "*" in host:
            yield error(
                ADDRESSES,
                f"CODEINTEL_ALLOWED_HOSTS has {host!r}, which no request matches.",
                "Write only host names, like `code.example.org`. `.example.org` allows subdomains.",
            )


def _is_here(host: str) -> bool:
    return host in {"localhost", "::1"} or host.startswith("127.") or host.endswith(".localhost")


def look_at_sharing(installation: Installation) -> Iterator[Finding]:
    """Check that several processes share what they need."""
    settings = installation.settings
    if settings.redis_url:
        yield ok(SHARING, "Processes share limits and runs' events through Redis.")
        return
    served = installation.environ.get(OF_THE_UNITS, "")
    name, workers = _workers_of_gunicorn(installation)
    if _number(served) > 1:
        yield error(
            SHARING,
            f"{OF_THE_UNITS} requests {served} workers, but REDIS_URL is not set. The service does "
            "not start, because workers share limits through Redis.",
            f"Set REDIS_URL, or {OF_THE_UNITS}=1.",
        )
    elif workers > 1 and not served:
        yield warning(
            SHARING,
            f"{name} requests {workers} workers, but REDIS_URL is not set, so `gunicorn` does not "
            f"start the service. `codeintel serve` ignores {name} and reads --workers.",
            "Set REDIS_URL, or run one worker with `gunicorn`.",
        )
    elif settings.database.startswith("postgresql"):
        yield warning(
            SHARING,
            "The database is PostgreSQL, but REDIS_URL is not set. With a second process, each "
            "counts limits separately, streams cannot resume at another process, and jobs start "
            "late.",
            "Set REDIS_URL, unless you run only one server process.",
        )
    else:
        yield ok(SHARING, "A single server process does not need Redis.")


def _workers_of_gunicorn(installation: Installation) -> tuple[str, int]:
    """Return the number of workers in gunicorn's environment variables, and the variable's name."""
    environ = installation.environ
    told = _WORKERS.search(environ.get("GUNICORN_CMD_ARGS", ""))
    if told:
        return "GUNICORN_CMD_ARGS", int(told[1])
    return "WEB_CONCURRENCY", _number(environ.get("WEB_CONCURRENCY", ""))


def _number(given: str) -> int:
    return int(given) if given.isdecimal() else 1
