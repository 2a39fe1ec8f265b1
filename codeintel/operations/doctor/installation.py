"""The subject of the checks: settings, plugins, and resources that are opened once."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import unquote, urlsplit

import msgspec

from codeintel.operations.doctor.results import NoDatabase, Unavailable
from codeintel.platform.config import LoadedSettings, SettingError, Settings, try_settings
from codeintel.platform.config.load import SECRET_NAME, USER_INFO

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from codeintel.platform.plugins.manager import PluginManager


MASK = "***"
MIN_CHARACTERS = 4
"""Shorter values are not secrets, and masking them would garble words."""
_URL_PASSWORD = re.compile(r"^[a-z][a-z0-9+.-]*://[^:/?#@]*:(?P<password>.*)@", re.IGNORECASE)
_QUERY_SECRET = re.compile(r"[?&][^=&]*(?:pass|pwd|secret|token|key)[^=&]*=(?P<secret>[^&]+)")


class Redactor:
    """Collects the secrets of an installation and masks them."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()

    def learn(self, loaded: LoadedSettings, *given: Mapping[str, Any]) -> None:
        """Collect the secrets of the settings, and the values of unknown names, which may be
        misspelt secrets. Replaces the secrets collected before plugins declared theirs.

        :param given: other sources of values by name, such as the environment.
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
        """Mask secrets in a text, and the user and password of any URL."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, MASK)
        return USER_INFO.sub(f"{MASK}@", text)


def shown_url(url: str) -> str:
    """Return scheme, host and port of a URL, without possible secrets."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return "an invalid URL"
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def _is_ours(name: str) -> bool:
    return name.startswith("CODEINTEL_") or name in {"DATABASE_URL", "REDIS_URL", "PGPASSWORD"}


def _secrets_in(value: Any, *, is_secret: bool) -> Iterator[str]:
    """Yield the secrets in a setting's value: the whole value, the password in a URL, or fields of
    JSON with telltale names.
    """
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


_NAME = re.compile(r"[A-Z][A-Z0-9_]+")


@dataclass(frozen=True)
class Loaded:
    """The plugins and their settings.

    :param wrong: the errors of plugins' settings, which have their defaults here.
    """

    settings: LoadedSettings
    manager: PluginManager
    wrong: tuple[SettingError, ...]


class Collision(Unavailable):
    """Two plugins claim the same name. The text names it."""


def load_plugins_of(
    loaded: LoadedSettings, environ: Mapping[str, str], redactor: Redactor
) -> Loaded:
    """Load the plugins like the service does. Drop each setting that they reject.

    :raises Unavailable: if they cannot be loaded without those settings either. No other check
        reports it.
    """
    from codeintel.platform.plugins.manager import load_plugins
    from codeintel.platform.plugins.registry import DuplicateNameError

    wrong: list[SettingError] = []
    given = loaded.values
    while True:
        try:
            with _leaving_nothing():
                settings, manager = load_plugins(loaded)
        except SettingError as error:
            wrong.append(error)
            loaded = _without_cause(loaded, error)
        except DuplicateNameError as error:
            raise Collision(f"Two plugins conflict: {error}.") from None
        else:
            redactor.learn(settings, environ, given)
            return Loaded(settings, manager, tuple(wrong))


def _without_cause(loaded: LoadedSettings, error: SettingError) -> LoadedSettings:
    """Return the settings without the one that an error names.

    :raises Unavailable: if the error names no setting, or one that was removed before.
    """
    name = _NAME.match(str(error))
    if name is None or name[0] not in loaded.values:
        raise Unavailable(str(error))
    values = {each: value for each, value in loaded.values.items() if each != name[0]}
    return replace(loaded, values=values)


@contextmanager
def _leaving_nothing() -> Iterator[None]:
    """Write neither bytecode of drop-in files nor a log. Broken plugins are reported."""
    from codeintel.platform.plugins.manager import log

    before, was_off = sys.dont_write_bytecode, log.disabled
    sys.dont_write_bytecode = log.disabled = True
    try:
        yield
    finally:
        sys.dont_write_bytecode, log.disabled = before, was_off


T = TypeVar("T")

SECONDS = 8.5
"""The time limit for all checks, so that the command takes less than 10 seconds."""


class Once(Generic[T]):
    """A value that the first thread creates and all others share. An :class:`Unavailable` is also
    stored.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: list[T] = []
        self._error: Unavailable | None = None

    def get(self) -> T:
        """:raises Unavailable: each time, if it could not be created."""
        with self._lock:
            if self._error is not None:
                raise self._error
            if not self._made:
                try:
                    self._made.append(self._make())
                except Unavailable as error:
                    self._error = error
                    raise
            return self._made[0]


@dataclass(frozen=True)
class Installation:
    """An installation. Invalid settings have their defaults here.

    :param environ: the environment, including the client's variables.
    :param wrong: the errors of the core's settings.
    :param offline: whether to skip other services.
    :param deadline: the end of all checks, on the monotonic clock.
    """

    loaded: LoadedSettings
    environ: Mapping[str, str]
    wrong: tuple[SettingError, ...]
    offline: bool
    deadline: float
    redactor: Redactor
    engine: Once[Engine]
    plugins: Once[Loaded]
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _refusals: list[NoDatabase] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        """The validated settings."""
        return self.loaded.settings

    @property
    def seconds_left(self) -> float:
        """The seconds until the deadline, never negative."""
        return max(0.0, self.deadline - time.monotonic())

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Open a read-only connection. Only one check at a time has one, because the database may
        be short of connections.

        :raises NoDatabase: if the connection fails, which is tried once.
        :raises Unavailable: if a statement fails.
        """
        from codeintel.operations.doctor.connecting import read_only

        if not self._turn.acquire(timeout=self.seconds_left):
            raise Unavailable("Another check is still waiting for the database.")
        try:
            if self._refusals:
                raise self._refusals[0]
            with read_only(self.engine.get(), self.deadline) as connection:
                yield connection
        except NoDatabase as refusal:
            self._refusals.append(refusal)
            raise
        finally:
            self._turn.release()


def look_at(
    environ: Mapping[str, str] | None = None, *, offline: bool = False, seconds: float = SECONDS
) -> Installation:
    """Return the installation of an environment, without opening anything."""
    from codeintel.operations.doctor.connecting import engine_of

    environ = dict(os.environ if environ is None else environ)
    loaded, wrong = try_settings(environ=environ)
    redactor = Redactor()
    redactor.learn(loaded, environ)
    return Installation(
        loaded=loaded,
        environ=environ,
        wrong=tuple(wrong),
        offline=offline,
        deadline=time.monotonic() + seconds,
        redactor=redactor,
        engine=Once(lambda: engine_of(loaded.settings)),
        plugins=Once(lambda: load_plugins_of(loaded, environ, redactor)),
    )
