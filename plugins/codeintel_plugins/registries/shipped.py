"""Helpers of the shipped registries: requests, and validation of rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET, UnsetType

from codeintel import hookimpl
from codeintel.contracts import SearchSource, Setting, Visibility
from codeintel.contracts.settings import SettingError, base_url, text, token

Config = Mapping[str, Any]
INSTANCES = "CODEINTEL_SOURCE_INSTANCES"

url = base_url("https://registry.example.org")
"""Parses the base of a registry's API."""


def visibility(value: Any) -> str:
    """`public`, `accounts`, or nothing."""
    found = text(value).lower()
    if found not in {"", *Visibility}:
        raise ValueError("must be `public` or `accounts`")
    return found


@dataclass(frozen=True)
class Shipped:
    """A kind of registry with its public instance.

    :param source: makes a source of the kind.
    :param name: the name of the public instance.
    :param prefix: the prefix of its settings, such as `CODEINTEL_GITHUB`.
    :param url: the URL of its API; a function if the environment may have another.
    :param url_setting: name of the setting for the URL, if not `<prefix>_URL`.
    :param has_token: whether the API supports tokens.
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
        """Return the module's implementations of `register_settings` and
        `register_search_sources`."""

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
        """Yield the settings of the public instance."""
        title = self.source.title
        yield Setting(self._url, self._default, f"URL of the {title} API.", parse=url)
        if self.has_token:
            yield Setting(
                f"{self.prefix}_TOKEN", "", f"Token for {title}.", parse=token, secret=True
            )
            yield Setting(
                f"{self.prefix}_VISIBILITY",
                "",
                f"Who sees results of {title}: `public` or `accounts`. Empty: accounts if a token "
                "is set, otherwise everyone.",
                parse=visibility,
            )

    @property
    def _default(self) -> str:
        return self.url if isinstance(self.url, str) else self.url()

    @property
    def _url(self) -> str:
        return self.url_setting or f"{self.prefix}_URL"

    def _sources(self, config: Config) -> Iterator[SearchSource]:
        """Yield the public instance, and those of the kind that the operator has added."""
        try:
            base_url = url(config.get(self._url, self._default))
        except ValueError as error:  # as the environment has it, of a registry's own tool
            raise SettingError(f"{self._url} {error}.") from None
        secret = config.get(f"{self.prefix}_TOKEN", "")
        yield self.source(
            self.name,
            base_url,
            token=secret,
            visibility=config.get(f"{self.prefix}_VISIBILITY") or None,
            is_on=self.is_default or self.name in config.get("CODEINTEL_SOURCES", ()),
        )
        for entry in config.get(INSTANCES, ()):
            if entry["kind"] == self.source.kind:
                yield self._instance(entry)

    def _instance(self, entry: Mapping[str, str]) -> SearchSource:
        if entry["name"] == self.name:
            raise SettingError(f"{INSTANCES}: the name `{self.name}` is taken. Choose another one.")
        if entry.get("token") and not self.has_token:
            raise SettingError(
                f"{INSTANCES}: `{entry['name']}` has a token, but {self.source.title} does not "
                "support tokens. Remove it."
            )
        return self.source(
            entry["name"],
            _parsed(entry, "base_url", url),
            token=_parsed(entry, "token", token),
            visibility=_parsed(entry, "visibility", visibility) or None,
            label=entry["name"],
        )


def _parsed(entry: Mapping[str, str], field: str, parse: Callable[[Any], str]) -> str:
    try:
        return parse(entry.get(field, ""))
    except ValueError as error:
        name = entry["name"]
        raise SettingError(f"{INSTANCES}: `{field}` of `{name}` {error}.") from None


_COUNT = re.compile(r"[0-9]{1,16}")
_UNIX_TIME = re.compile(r"[0-9]{1,12}")


def rows(document: Any, *path: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in the list at a path.

    :raises ValueError: if there is no list.
    """
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    if not isinstance(document, list):
        raise ValueError("the document has no list of results")
    yield from (row for row in document if isinstance(row, dict))


def part(row: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return an object within an object, or an empty one if missing."""
    found = row.get(key)
    return found if isinstance(found, dict) else {}


def words(row: Mapping[str, Any], key: str) -> str:
    """Return a text, or an empty one if missing.

    Surrogates, which JSON can contain and no URL can, are replaced.
    """
    found = row.get(key)
    return found.encode(errors="replace").decode().strip() if isinstance(found, str) else ""


def count(row: Mapping[str, Any], key: str) -> int | UnsetType:
    """Return a whole number, also if written as text, or UNSET if missing."""
    found = row.get(key)
    if isinstance(found, str) and _COUNT.fullmatch(found):
        found = int(found)
    if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
        return found
    return UNSET


def number(row: Mapping[str, Any], key: str) -> str:
    """Return a whole number that is an identifier, as text, or an empty text if missing."""
    found = count(row, key)
    return "" if found is UNSET else str(found)


def until(text: str, now: float) -> float | None:
    """Return seconds from `now` to a Unix time in a header, None if it is none."""
    return max(0.0, int(text) - now) if _UNIX_TIME.fullmatch(text) else None
