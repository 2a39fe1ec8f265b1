"""A kind of registry that ships: its public instance, and those that an operator adds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from codeintel import hookimpl
from codeintel.contracts import SearchSource, Setting, Visibility
from codeintel.contracts.settings import SettingError, text

Config = Mapping[str, Any]
INSTANCES = "CODEINTEL_SOURCE_INSTANCES"

_PLAIN = re.compile(r"[!-\[\]-~]+")
"""Printable ASCII without spaces and the backslash, which some take for a slash."""


def url(value: Any) -> str:
    """The base of a registry's API."""
    found = text(value).rstrip("/")
    try:
        parts = urlsplit(found)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.hostname or not _PLAIN.fullmatch(found):
        raise ValueError("must be an HTTP URL like `https://registry.example.org`")
    if "@" in parts.netloc or set(found) & set("?#"):
        raise ValueError("must be a URL without user, query and fragment")
    return found


def token(value: Any) -> str:
    """A token as it can stand in a header."""
    found = text(value)
    if not found.isascii() or not found.isprintable():
        raise ValueError("must be a token of plain ASCII characters, on one line")
    return found


def visibility(value: Any) -> str:
    """`public`, `accounts`, or nothing."""
    found = text(value).lower()
    if found not in {"", *Visibility}:
        raise ValueError("must be `public` or `accounts`")
    return found


@dataclass(frozen=True)
class Shipped:
    """One kind with its public instance.

    :param source: makes a source of the kind.
    :param name: of the public instance.
    :param prefix: of its settings, such as `CODEINTEL_GITHUB`.
    :param url: of its API; a function where the environment may say another.
    :param url_setting: name of the setting for it, if not `<prefix>_URL`.
    :param has_token: whether the API knows tokens.
    :param is_default: whether it is on without being named in `CODEINTEL_SOURCES`.
    """

    source: type[SearchSource]
    name: str
    prefix: str
    url: str | Callable[[], str]
    url_setting: str = ""
    has_token: bool = False
    is_default: bool = False

    def hooks(self) -> tuple[Callable[..., None], Callable[..., None]]:
        """The module's implementations of `register_settings` and `register_search_sources`."""

        def register_settings(register: Callable[[Setting], None]) -> None:
            for setting in self._settings():
                register(setting)

        def register_search_sources(
            register: Callable[[SearchSource], None], config: Config
        ) -> None:
            for source in self._sources(config):
                register(source)

        return hookimpl(register_settings), hookimpl(register_search_sources)

    def _settings(self) -> Iterator[Setting]:
        """The settings of the public instance."""
        title = self.source.title
        yield Setting(self._url, self._default, f"API of {title}.", parse=url)
        if self.has_token:
            yield Setting(
                f"{self.prefix}_TOKEN", "", f"Token for {title}.", parse=token, secret=True
            )
            yield Setting(
                f"{self.prefix}_VISIBILITY",
                "",
                f"Who sees what {title} finds, `public` or `accounts`; empty: with a token those "
                "with an account, else everybody.",
                parse=visibility,
            )

    @property
    def _default(self) -> str:
        return self.url if isinstance(self.url, str) else self.url()

    @property
    def _url(self) -> str:
        return self.url_setting or f"{self.prefix}_URL"

    def _sources(self, config: Config) -> Iterator[SearchSource]:
        """The public instance, and those of the kind that the operator has added."""
        try:
            base_url = url(config.get(self._url, self._default))
        except ValueError as error:  # as the environment has it, of a registry's own tool
            raise SettingError(f"{self._url} {error}.") from None
        secret = config.get(f"{self.prefix}_TOKEN", "")
        yield self.source(
            self.name,
            base_url,
            token=secret,
            visibility=_seen_by(config.get(f"{self.prefix}_VISIBILITY", ""), secret),
            is_on=self.is_default or self.name in config.get("CODEINTEL_SOURCES", ()),
        )
        for entry in config.get(INSTANCES, ()):
            if entry["kind"] == self.source.kind:
                yield self._instance(entry)

    def _instance(self, entry: Mapping[str, str]) -> SearchSource:
        try:
            secret = token(entry.get("token", ""))
            return self.source(
                entry["name"],
                url(entry["base_url"]),
                token=secret,
                visibility=_seen_by(visibility(entry.get("visibility", "")), secret),
            )
        except ValueError as error:
            raise SettingError(f"{INSTANCES}: something in `{entry['name']}` {error}.") from None


def _seen_by(told: str, secret: str) -> Visibility:
    """What a token finds may be private."""
    if told:
        return Visibility(told)
    return Visibility.ACCOUNTS if secret else Visibility.PUBLIC
