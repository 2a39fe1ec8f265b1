"""Helpers of the shipped collectors: the upstream's URL, and validation of its answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NoReturn
from urllib.parse import urlsplit

from codeintel import hookimpl
from codeintel.contracts import Collector, Setting, SourceAnswer, SourceError, SourceProblem
from codeintel.contracts.settings import base_url

Config = Mapping[str, Any]
Register = Callable[[Collector], None]


@dataclass(frozen=True)
class Upstream:
    """A service without tokens, which several collectors may query.

    :param title: the displayed name.
    :param setting: the name of the setting with the URL of its API.
    :param url: the URL of its public instance.
    """

    title: str
    setting: str
    url: str

    def settings(self) -> Callable[..., None]:
        """`register_settings` of the one module that declares the setting."""

        def register_settings(register: Callable[[Setting], None]) -> None:
            parse = base_url("https://api.example.org")
            register(Setting(self.setting, self.url, f"URL of the {self.title} API.", parse=parse))

        return hookimpl(register_settings)

    def collector(self, make: type[Collector], name: str) -> Callable[..., None]:
        """`register_trust_scorers` of a module with one collector."""

        def register_trust_scorers(register: Register, config: Config) -> None:
            register(make(name, config.get(self.setting, self.url)))

        return hookimpl(register_trust_scorers)


MAX_LINE = 300
MAX_URL = 2_000
MAX_ROWS = 20_000
"""The number of rows that are read of one list."""
MAX_COUNT = 2**53 - 1
"""The largest integer that every JSON reader can represent exactly."""
_FIRST_YEAR = 1990
"""No registry is older: what is before is a zero, of Go (year 1) or of Unix (1970)."""
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
)
_PLAIN = re.compile(r"[!-~]{1,100}")
_JOINERS = frozenset("\u200c\u200d")
"""Not seen either, but words in Persian and many emoji need them."""
_NEVER_IN_URLS = frozenset(' "<>`\\')


def part(row: Any, key: str) -> Mapping[str, Any]:
    """Return an object within an object, or an empty one if missing."""
    found = row.get(key) if isinstance(row, dict) else None
    return found if isinstance(found, dict) else {}


def rows(found: Any) -> Iterator[Mapping[str, Any]]:
    """Return the objects in a list; none where there is no list."""
    listed = found if isinstance(found, list) else []
    return (row for row in islice(listed, MAX_ROWS) if isinstance(row, dict))


def line(value: Any, longest: int = MAX_LINE) -> str:
    """Return a text on one line, or an empty one if missing.

    Invisible characters are dropped: control characters, changes of direction, surrogates.
    """
    if not isinstance(value, str):
        return ""
    text = value[: 10 * longest]
    if not text.isprintable():
        text = "".join(
            " " if character.isspace() else character
            for character in text
            if character.isspace()
            or unicodedata.category(character) not in {"Cc", "Cf", "Cs"}
            or character in _JOINERS
        )
    return " ".join(text.split())[:longest].rstrip()


def plain(value: Any) -> str:
    """Return a name or version that can be in a URL: up to 100 ASCII characters without a space."""
    return value if isinstance(value, str) and _PLAIN.fullmatch(value) else ""


def lines(found: Any, most: int, longest: int = MAX_LINE) -> list[str]:
    """Return the different texts in a list, in its order."""
    listed = islice(found, MAX_ROWS) if isinstance(found, list) else ()
    return distinct((line(each, longest) for each in listed), most)


def distinct(texts: Iterable[str], most: int) -> list[str]:
    """Return the first `most` distinct texts that are not empty, in order."""
    return list(islice(dict.fromkeys(filter(None, texts)), most))


def web_url(value: Any) -> str:
    """Return the URL of a web page, without credentials; empty where it is none."""
    if not isinstance(value, str) or len(value) > MAX_URL or not value.isprintable():
        return ""
    try:
        parts = urlsplit(value)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return ""
    return value if is_web and "@" not in parts.netloc and not _NEVER_IN_URLS & set(value) else ""


def count(row: Mapping[str, Any], key: str) -> int | None:
    """Return a whole number from 0 to 2**53 - 1, or None if missing."""
    return whole(row.get(key), 0, MAX_COUNT)


def whole(found: Any, lowest: int, highest: int) -> int | None:
    """Return a whole number within bounds, both inclusive; None if it is none."""
    if isinstance(found, bool) or not isinstance(found, int):
        return None
    return found if lowest <= found <= highest else None


def real(row: Mapping[str, Any], key: str, highest: float) -> float | None:
    """Return a number from 0 to `highest`, or None if missing."""
    found = row.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return float(found) if 0 <= found <= highest else None


def flag(row: Mapping[str, Any], key: str) -> bool | None:
    """Return a truth value, or None if missing."""
    found = row.get(key)
    return found if isinstance(found, bool) else None


def time(value: Any) -> str | None:
    """Return a day or a time of ISO 8601 as UTC to the second, such as `2026-02-10T17:01:40Z`.

    A day is converted to its beginning. None if missing.
    """
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        return None
    try:
        found = datetime.fromisoformat(value)
        found = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return found.strftime("%Y-%m-%dT%H:%M:%SZ") if found.year >= _FIRST_YEAR else None


REDIRECTS = frozenset({301, 302, 303, 307, 308})


def checked(collector: Collector, answer: SourceAnswer) -> SourceAnswer:
    """Return the answer, if its status is 200.

    :raises SourceError: naming the upstream, otherwise. How long to wait is not in it: that
        takes a clock, see :meth:`codeintel.contracts.Collector.pause`.
    """
    if collector.is_limit(answer):
        raise SourceError(
            SourceProblem.RATE_LIMITED,
            f"{collector.title} has received too many requests from this service.",
        )
    if answer.status != 200:
        raise _refusal(collector.title, answer.status, has_token=bool(collector.token))
    return answer


def rows_of(collector: Collector, answer: SourceAnswer) -> list[Any]:
    """Return the list in an answer.

    :raises SourceError: if it is no answer, or no list.
    """
    found = checked(collector, answer).json()
    return found if isinstance(found, list) else malformed(collector)


def object_of(collector: Collector, answer: SourceAnswer, *needed: str) -> Mapping[str, Any]:
    """Return the object in an answer.

    :param needed: keys of objects or texts that are never missing.
    :raises SourceError: if it is no answer, or no such object.
    """
    found = checked(collector, answer).json()
    if not isinstance(found, dict):
        malformed(collector)
    if not all(found.get(key) and isinstance(found[key], dict | str) for key in needed):
        malformed(collector)
    return found


def malformed(collector: Collector) -> NoReturn:
    """
    :raises SourceError: always.
    """
    raise SourceError(SourceProblem.MALFORMED, f"{collector.title} sent an undocumented response.")


def _refusal(title: str, status: int, *, has_token: bool) -> SourceError:
    if status == 401 or (status == 403 and has_token):
        text = (
            "rejected the token of this service" if has_token else "needs a token, but none is set"
        )
        return SourceError(SourceProblem.UNAUTHORIZED, f"{title} {text}.")
    if status >= 500:
        return SourceError(SourceProblem.UNAVAILABLE, f"{title} failed (status {status}).")
    if status in REDIRECTS:
        return SourceError(
            SourceProblem.UNAVAILABLE, f"{title} has moved (status {status}). Set its new URL."
        )
    if status < 400:
        return SourceError(SourceProblem.MALFORMED, f"{title} sent no document (status {status}).")
    if status in {404, 405, 410}:
        return SourceError(
            SourceProblem.UNAVAILABLE,
            f"{title} returned status {status}. Check its URL.",
        )
    return SourceError(SourceProblem.REFUSED, f"{title} rejected the request (status {status}).")
