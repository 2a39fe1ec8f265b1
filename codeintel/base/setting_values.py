"""Parsers of plain setting values, for the core and for plugins. Each takes a value from a file,
the environment or code. It returns the typed value, or raises ValueError with the expected format.

The module needs no other package, because the build of the rules imports it indirectly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

_PLAIN = re.compile(r"[!-\[\]-~]+")
"""Printable ASCII without spaces and the backslash, which some programs treat as a slash."""


class SettingError(Exception):
    """A setting is invalid. The message names the setting, its source and the expected format."""


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value.strip()


def flag(value: Any) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True}
    words |= {"false": False, "no": False, "off": False, "0": False}
    found = words.get(str(value).strip().lower())
    if found is None:
        raise ValueError("must be `true` or `false`")
    return found


def number(minimum: float, maximum: float) -> Callable[[Any], float]:
    """Return a parser of numbers within inclusive bounds."""

    def parse(value: Any) -> float:
        try:
            found = float(value)
        except (TypeError, ValueError):
            found = float("nan")
        if isinstance(value, bool) or not minimum <= found <= maximum:
            raise ValueError(f"must be a number from {minimum:g} to {maximum:g}")
        return found

    return parse


def whole(minimum: int, maximum: int | None = None) -> Callable[[Any], int]:
    """Return a parser of whole numbers within inclusive bounds."""
    bounds = f"from {minimum} to {maximum}" if maximum is not None else f"of at least {minimum}"

    def parse(value: Any) -> int:
        try:
            number = int(value) if isinstance(value, str) else value
        except ValueError:
            number = None
        if not isinstance(number, int) or isinstance(number, bool):
            raise ValueError(f"must be a whole number {bounds}")
        if number < minimum or (maximum is not None and number > maximum):
            raise ValueError(f"must be a whole number {bounds}")
        return number

    return parse


def seconds(minimum: float) -> Callable[[Any], float]:
    """Return a parser of durations in seconds."""

    def parse(value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if isinstance(value, bool) or not minimum <= number < float("inf"):
            raise ValueError(f"must be a number of seconds of at least {minimum:g}")
        return number

    return parse


def base_url(example: str) -> Callable[[Any], str]:
    """Return a parser of base URLs of APIs. The result has no trailing slash."""

    def parse(value: Any) -> str:
        found = text(value).rstrip("/")
        try:
            parts = urlsplit(found)
            is_web = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_web = False
        if not is_web or not _PLAIN.fullmatch(found):
            raise ValueError(f"must be an HTTP URL like `{example}`")
        if "@" in parts.netloc or set(found) & set("?#"):
            raise ValueError("must be a URL without user, query and fragment")
        return found

    return parse


def json_list(example: str) -> Callable[[Any], tuple[dict[str, Any], ...]]:
    """Return a parser of JSON lists of objects. An empty value is an empty list. The caller checks
    the objects.

    Errors quote no part of a wrong value, because it may be a misplaced secret.
    """

    def parse(value: Any) -> tuple[dict[str, Any], ...]:
        if value in ("", None):
            return ()
        try:
            found = json.loads(value) if isinstance(value, str) else value
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, list | tuple) or not all(isinstance(each, dict) for each in found):
            raise ValueError(f"must be a JSON list like `{example}`")
        return tuple(found)

    return parse


def token(value: Any) -> str:
    """Parse a secret that is sent in a header. The HTTP libraries would quote an invalid one in
    their errors.
    """
    found = text(value)
    if not found.isascii() or not found.isprintable():
        raise ValueError("must be plain ASCII characters, on one line")
    return found
