"""What the readers of manifests share: dependencies as they are written, and safe parsers. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from codeintel.contracts.workspaces.local_paths import without_local_paths

RUNTIME, DEVELOPMENT, OPTIONAL = "runtime", "development", "optional"
"""The groups of dependencies; others have the names that a manifest gives them."""
MAX_TEXT = 200
"""Characters of a requirement, a group or a name that are shown."""
_MAX_DOTS = 16
_CREDENTIALS = re.compile(r"://[^\s/]*@")

# In the order in which they begin: what looks like a string in a comment is none. One that has no
# end goes to the end of the text: it would be looked for from each quotation mark anew.
_TOML_TEXT = re.compile(
    r"#[^\n]*|\"\"\"(?:[^\\]|\\.?)*?(?:\"{3,5}+|\Z)|'''.*?(?:'{3,5}+|\Z)"
    r"|\"(?:[^\"\\\n]|\\.)*+\"?|'[^'\n]*+'",
    re.DOTALL,
)


class Written(NamedTuple):
    """A dependency as a manifest has it. `private` says why its name is nobody else's; empty where
    nothing here says so."""

    name: str
    requirement: str = ""
    group: str = RUNTIME
    private: str = ""


class UnreadableError(Exception):
    """A manifest that cannot be read; the message says why, for people, without its text."""


def json_object(text: str) -> dict[str, Any]:
    """:raises UnreadableError: if it is none."""
    try:
        found = msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        raise UnreadableError("It is no valid JSON.") from None
    return table(found, "It is no JSON object.")


def toml_table(text: str) -> dict[str, Any]:
    """:raises UnreadableError: if it is no TOML, or has keys of so many parts that reading it would
    take memory without end."""
    bare = _TOML_TEXT.sub('""', text)
    if any(line.count(".") > _MAX_DOTS for line in bare.split("\n")):
        raise UnreadableError("It has keys of too many parts.")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        raise UnreadableError("It is no valid TOML.") from None


def table(value: object, problem: str) -> dict[str, Any]:
    """A mapping with texts for keys.

    :raises UnreadableError: with `problem`, if it is none.
    """
    if not isinstance(value, Mapping):
        raise UnreadableError(problem)
    return {key: each for key, each in value.items() if isinstance(key, str)}


def part(value: object, *keys: str) -> dict[str, Any]:
    """The mapping below some keys; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping):
        return {}
    return {key: each for key, each in value.items() if isinstance(key, str)}


def texts(value: object) -> list[str]:
    """The texts of a list; none where there is no list."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def shown(text: str) -> str:
    """A text of a manifest as a report shows it: on one line, short, without credentials and paths
    of a disk."""
    line = " ".join(text[: 4 * MAX_TEXT].split())
    line = without_local_paths(_CREDENTIALS.sub("://", line))
    return line if len(line) <= MAX_TEXT else f"{line[: MAX_TEXT - 1]}…"
