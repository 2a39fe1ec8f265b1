"""Taking secrets out of what is shown, whoever put them there: a driver, a plugin, a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from codeintel.platform.config import LoadedSettings
from codeintel.platform.config.load import SECRET_NAME, USER_INFO

MASK = "***"
MIN_CHARACTERS = 4
"""Shorter secrets would take words apart, and are no secrets."""
_URL_PASSWORD = re.compile(r"^[a-z][a-z0-9+.-]*://[^:/?#@]*:(?P<password>.*)@", re.IGNORECASE)
_QUERY_SECRET = re.compile(r"[?&][^=&]*(?:pass|pwd|secret|token|key)[^=&]*=(?P<secret>[^&]+)")


class Redactor:
    """Knows the secrets of an installation, and replaces them."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()

    def learn(self, loaded: LoadedSettings, *given: Mapping[str, Any]) -> None:
        """Take note of the secrets in settings, and of the values of names that nobody knows: they
        may be a secret's, misspelt. Replaces what was learnt before plugins had declared theirs.

        :param given: where wrong values stand too, by name: the environment, for one.
        """
        found: set[str] = set()
        for name, value in chain(*(each.items() for each in (loaded.values, *given))):
            if not _is_ours(name):
                continue
            is_known = name in loaded.values and name not in loaded.unknown
            is_secret = name in loaded.secrets or not is_known
            found.update(_secrets_in(value, is_secret=is_secret))
        forms = {form for each in found for form in (each, unquote(each), each.strip())}
        self._secrets = {each for each in forms if len(each) >= MIN_CHARACTERS}

    def clean(self, text: str) -> str:
        """The text without secrets, and without user and password in any URL."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, MASK)
        return USER_INFO.sub(f"{MASK}@", text)


def shown_url(url: str) -> str:
    """A URL without all that could be a secret: scheme, host and port."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return "a URL that cannot be read"
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def _is_ours(name: str) -> bool:
    return name.startswith("CODEINTEL_") or name in {"DATABASE_URL", "REDIS_URL", "PGPASSWORD"}


def _secrets_in(value: Any, *, is_secret: bool) -> Iterator[str]:
    """The secrets in a setting's value: all of it, the password in a URL, fields of JSON that
    are called so."""
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    if isinstance(value, str):
        if "://" in value:
            for pattern in (_URL_PASSWORD, _QUERY_SECRET):
                yield from (match.group(1) for match in pattern.finditer(value))
        elif is_secret:
            yield value
    elif isinstance(value, msgspec.Struct):
        yield from _secrets_in(msgspec.structs.asdict(value), is_secret=False)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _secrets_in(each, is_secret=bool(SECRET_NAME.search(str(name))))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _secrets_in(each, is_secret=False)
