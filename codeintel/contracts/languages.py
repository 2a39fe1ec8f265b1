"""Canonical language names, with their aliases, file extensions and file names."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from codeintel.base.language_table import LANGUAGES as _LANGUAGES

NAME_PATTERN = r"[^\x00-/:-@\[-`{-\x7f]"
"""A letter or a digit, which every name of a language has. Beyond ASCII it may be any character,
because dialects of regular expressions define letters differently.
"""


def _index(column: str) -> dict[str, str]:
    """Return canonical names by the words of a column."""
    return {
        word: canonical
        for canonical, language in _LANGUAGES.items()
        for word in getattr(language, column).split()
    }


_DATA = frozenset(["csv", "ini", "json", "markdown", "properties", "rst", "text", "toml", "yaml"])

_BY_NAME = {**{name: name for name in _LANGUAGES}, **_index("aliases")}
_BY_EXTENSION = _index("extensions")
_BY_FILE = _index("files")


def is_a_name(text: str) -> bool:
    """Return whether the text can name a language. A dot or a dash alone cannot."""
    return re.search(NAME_PATTERN, text) is not None


def canonical_language(name: str) -> str:
    """Return the canonical name for a caller's text (`py`, `C++`, `.ts`, `Golang`). Unknown names
    are returned in lower case, so that analyzers for other languages can still match.
    """
    key = name.strip().lower()
    if key.startswith("."):
        return _BY_EXTENSION.get(key[1:], key[1:])
    return _BY_NAME.get(key) or _BY_EXTENSION.get(key, key)


def language_of_path(path: str | PurePath) -> str | None:
    """Return the language of a file by its extension or name, or None. An extension of several
    languages belongs to the most common one. `Dockerfile.dev` is a Dockerfile.
    """
    return _language_of_name(PurePath(path).name)


@lru_cache(maxsize=4_096)
def _language_of_name(name: str) -> str | None:
    suffix = PurePath(name).suffix.lstrip(".").lower()
    name = name.lower()
    return _BY_FILE.get(name) or _BY_EXTENSION.get(suffix) or _BY_FILE.get(name.partition(".")[0])


def is_data(language: str) -> bool:
    """Return whether a canonical language holds only data or prose, which nothing executes."""
    return language in _DATA


def language_title(language: str) -> str:
    """Return the usual spelling of a canonical language: `C++`, `JavaScript`."""
    return _LANGUAGES[language].title if language in _LANGUAGES else language


class Language(NamedTuple):
    """A language for listings: its canonical name, its title, its aliases, and its file extensions
    without dots.
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    extensions: tuple[str, ...]


def languages() -> tuple[Language, ...]:
    """Return all languages with a canonical name, in order of name."""
    return tuple(
        Language(name, known.title, tuple(known.aliases.split()), tuple(known.extensions.split()))
        for name, known in sorted(_LANGUAGES.items())
    )


def is_known(language: str) -> bool:
    """Return whether the text is a canonical name."""
    return language in _LANGUAGES
