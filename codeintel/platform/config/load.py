"""Read settings: defaults, `codeintel.cfg`, the environment, then the caller's own."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from flask import Config

from codeintel.base.extras import POSTGRES
from codeintel.base.setting_values import SettingError
from codeintel.platform.config.settings import SETTINGS, Settings

PREFIX = "CODEINTEL_"
DEFAULT = "default"
OF_THE_CLIENT = {"CODEINTEL_URL", "CODEINTEL_API_KEY"}
"""Settings of `codeintel analyze`. The service does not need them, and one is a key."""


SECRET_NAME = re.compile(r"key|token|secret|passw|pwd|pepper|credential", re.IGNORECASE)
"""Matches the names of settings that hold secrets."""
_MAX_DEPTH = 6
USER_INFO = re.compile(r"(?<=://)[^/\s@]*:\S*@")
"""Matches user and password in a URL."""


def _holds_secret(value: Any, name: str = "", depth: int = 0) -> bool:
    """Return whether a value has a password in a URL, or a text under a secret's name."""
    if isinstance(value, bytes | bytearray):
        value = value.decode("latin-1")
    if isinstance(value, str):
        return USER_INFO.search(value) is not None or SECRET_NAME.search(name) is not None
    if depth > _MAX_DEPTH:
        return True
    if isinstance(value, Mapping):
        return any(_holds_secret(each, str(key), depth + 1) for key, each in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return any(_holds_secret(each, name, depth + 1) for each in value)
    return False


@dataclass(frozen=True)
class LoadedSettings:
    """Settings with their origins, and the values of names that only plugins know."""

    settings: Settings
    origins: Mapping[str, str]
    values: Mapping[str, Any]
    """Every value by upper-case name, typed where the core knows it. Plugins receive these."""
    unknown: tuple[str, ...] = field(default=())
    """Names in `codeintel.cfg` or from the caller that the core does not know."""
    secrets: frozenset[str] = frozenset(info.name for info in SETTINGS if info.secret)
    """Names of the settings whose values must not be shown."""
    declared: frozenset[str] = frozenset(info.name for info in SETTINGS)
    """Names of the settings that the core or a plugin has declared."""

    def without_secrets(self) -> dict[str, Any]:
        """Return the values that processes working on hostile input may know."""
        return {
            name: value for name, value in self.values.items() if not self._is_secret(name, value)
        }

    def _is_secret(self, name: str, value: Any) -> bool:
        """Return whether a setting is secret. Undeclared ones are judged by name and value."""
        if name in self.declared:
            return name in self.secrets
        is_named = name in self.secrets or SECRET_NAME.search(name) is not None
        return is_named or _holds_secret(value)

    def with_plugins(
        self, values: Mapping[str, Any], known: Collection[str], secrets: Collection[str]
    ) -> LoadedSettings:
        """Return the same settings after plugins have declared theirs.

        :param values: every value by name, those of plugins typed.
        :param known: names of plugins' settings.
        :param secrets: names of those settings whose values must not be shown.
        """
        return replace(
            self,
            values=values,
            unknown=tuple(name for name in self.unknown if name not in known),
            secrets=self.secrets | frozenset(secrets),
            declared=self.declared | frozenset(known),
        )


def load_settings(
    overrides: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None
) -> LoadedSettings:
    """Load and check all settings.

    :param overrides: values by setting name (`CODEINTEL_RUN_TIMEOUT`, `DATABASE_URL`); they win.
    :raises SettingError: for the first invalid value.
    """
    loaded, errors = try_settings(overrides, environ)
    if errors:
        raise errors[0] from errors[0].__cause__
    return loaded


def try_settings(
    overrides: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None
) -> tuple[LoadedSettings, list[SettingError]]:
    """Return the settings and all errors, with the default instead of each invalid value.

    This is for callers that continue despite errors.
    """
    environ = os.environ if environ is None else environ
    overrides = overrides or {}
    errors: list[SettingError] = []
    instance, instance_origin = _instance(overrides, environ)
    file: Mapping[str, Any] = {}
    try:
        file = _read_file(instance / "codeintel.cfg")
    except SettingError as error:
        errors.append(error)
    raw: dict[str, tuple[Any, str]] = {}
    for origin, source in (
        (str(instance / "codeintel.cfg"), file),
        ("the environment", environ),
        ("create_app()", overrides),
    ):
        for name, value in source.items():
            if _is_setting(name):
                raw[name] = (value, origin)
    raw["CODEINTEL_INSTANCE"] = (instance, instance_origin)
    parsed: dict[str, Any] = {}
    for info in SETTINGS:
        if info.name not in raw:
            continue
        value, origin = raw[info.name]
        try:
            parsed[info.attribute] = info.parse(value)
        except (TypeError, ValueError) as error:
            errors.append(SettingError(f"{info.name} (set in {origin}) {error}."))
    settings = Settings(**parsed)
    errors.extend(_wrong_together(settings))
    names = {info.name: info.attribute for info in SETTINGS}
    extra = {name: value for name, (value, _) in raw.items() if name not in names}
    loaded = LoadedSettings(
        settings=settings,
        origins={name: origin for name, (_, origin) in raw.items() if origin != DEFAULT},
        values={
            **extra,
            **{name: getattr(settings, attribute) for name, attribute in names.items()},
        },
        unknown=tuple(sorted(extra)),
    )
    return loaded, errors


def _instance(overrides: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[Path, str]:
    """Return the instance folder and its origin. The file in it cannot set this one."""
    for source, origin in ((overrides, "create_app()"), (environ, "the environment")):
        if value := source.get("CODEINTEL_INSTANCE"):
            return Path(value).resolve(), origin
    return Path("instance").resolve(), DEFAULT


def _is_setting(name: str) -> bool:
    ours = name.startswith(PREFIX) or name in {"DATABASE_URL", "REDIS_URL"}
    return ours and name not in OF_THE_CLIENT


def _read_file(path: Path) -> Mapping[str, Any]:
    """Return the upper-case names that `codeintel.cfg`, a Python file as Flask reads them,
    assigns.
    """
    config = Config(path.parent)
    try:
        config.from_pyfile(str(path), silent=True)
    except Exception as error:
        raise SettingError(f"{path} cannot be read: {error}") from error
    return config


def _holds_secrets(path: Path, settings: Settings) -> bool:
    """Return whether a path leads to the service's own secrets.

    These are the database, and the files directly in the instance folder.
    """
    instance = settings.instance.resolve()
    kept = [instance] if settings.sqlite_file is None else [instance, settings.sqlite_file]
    is_own = path.parent == instance and not path.is_dir()
    return is_own or any(each.is_relative_to(path) for each in kept)


def _wrong_together(settings: Settings) -> Iterator[SettingError]:
    """Yield an error for each combination of settings that cannot work."""
    shared = settings.database.startswith("postgresql")
    if shared and not settings.key_pepper:
        yield SettingError(
            "CODEINTEL_KEY_PEPPER must be set when DATABASE_URL names a PostgreSQL database, "
            "because all processes that share it need the same pepper. Create one with `python -c "
            "'import secrets; print(secrets.token_urlsafe(32))'`."
        )
    if shared and POSTGRES.is_missing:
        yield SettingError(f"DATABASE_URL names a PostgreSQL database. {POSTGRES.refusal}.")
    for path in settings.confinement_read:
        if _holds_secrets(Path(os.path.realpath(path)), settings):
            yield SettingError(
                f"CODEINTEL_CONFINEMENT_READ must not name {path}, because it contains the "
                "service's secrets. Name only the files or folders that plugins need."
            )
    secrets = {"KEY_PEPPER": settings.key_pepper, "SESSION_KEY": settings.session_key}
    for name, value in secrets.items():
        if value and len(value) < 32:
            yield SettingError(f"CODEINTEL_{name} must have at least 32 characters.")
