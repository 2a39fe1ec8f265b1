"""Shared by the readers of manifests: dependencies, safe parsers, and public registries.

Pure functions.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from codeintel.contracts.workspaces.paths import without_local_paths

RUNTIME, DEVELOPMENT, OPTIONAL = "runtime", "development", "optional"
"""The groups of dependencies. Other groups have the names that a manifest gives them."""
MAX_TEXT = 200
"""Maximum number of shown characters of a requirement, a group or a name."""
_MAX_DOTS = 16
_CREDENTIALS = re.compile(r"://[^\s/]*@")

# In the order in which they start, because a string in a comment is not a string. An unclosed one
# extends to the end of the text; otherwise each quotation mark would start a new search.
_TOML_TEXT = re.compile(
    r"#[^\n]*|\"\"\"(?:[^\\]|\\.?)*?(?:\"{3,5}+|\Z)|'''.*?(?:'{3,5}+|\Z)"
    r"|\"(?:[^\"\\\n]|\\.)*+\"?|'[^'\n]*+'",
    re.DOTALL,
)
Sections = dict[str, dict[str, str]]
DEFAULT = "DEFAULT"
_DOMAINS: Mapping[str, frozenset[tuple[str, str]]] = {
    "npm": frozenset({("npmjs", "org"), ("npmjs", "com"), ("yarnpkg", "com")}),
    "pypi": frozenset({("pypi", "org"), ("pythonhosted", "org")}),
    "cargo": frozenset({("crates", "io")}),
    "maven": frozenset({("apache", "org"), ("sonatype", "org"), ("sonatype", "com")}),
    "nuget": frozenset({("nuget", "org")}),
    "gem": frozenset({("rubygems", "org")}),
    "composer": frozenset({("packagist", "org")}),
    "docker": frozenset({("docker", "io")}),
}
"""The last two labels of the registries' hosts. The owner of a domain owns all its subdomains."""


class Written(NamedTuple):
    """A dependency as a manifest has it. `private` says why its name is private, or is empty."""

    name: str
    requirement: str = ""
    group: str = RUNTIME
    private: str = ""


class UnreadableError(Exception):
    """Raised for an unreadable manifest. The message says why, without its text."""


def json_object(text: str) -> dict[str, Any]:
    """Parse a JSON object.

    :raises UnreadableError: if the text is not one.
    """
    try:
        found = msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        raise UnreadableError("It is not valid JSON.") from None
    return table(found, "It is not a JSON object.")


def toml_table(text: str) -> dict[str, Any]:
    """Parse a TOML document.

    :raises UnreadableError: if it is not TOML, or has keys of so many parts that parsing would use
        up the memory.
    """
    bare = _TOML_TEXT.sub('""', text)
    if any(line.count(".") > _MAX_DOTS for line in bare.split("\n")):
        raise UnreadableError("It has keys with too many parts.")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        raise UnreadableError("It is not valid TOML.") from None


def table(value: object, problem: str) -> dict[str, Any]:
    """Return a mapping with texts for keys.

    :raises UnreadableError: with `problem`, if the value is not a mapping.
    """
    if not isinstance(value, Mapping):
        raise UnreadableError(problem)
    return {key: each for key, each in value.items() if isinstance(key, str)}


def part(value: object, *keys: str) -> dict[str, Any]:
    """Return the mapping below some keys, or an empty one."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping):
        return {}
    return {key: each for key, each in value.items() if isinstance(key, str)}


def texts(value: object) -> list[str]:
    """Return the texts of a list, or an empty list."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def shown(text: str) -> str:
    """Return a text of a manifest for a report: on one line, short, without credentials and
    file paths.
    """
    line = " ".join(text[: 4 * MAX_TEXT].split())
    line = without_local_paths(_CREDENTIALS.sub("://", line))
    return line if len(line) <= MAX_TEXT else f"{line[: MAX_TEXT - 1]}…"


class _Reader:
    """A reader that takes one line at a time."""

    def __init__(self) -> None:
        self.sections: dict[str, dict[str, list[str]]] = {DEFAULT: {}}
        self._section: dict[str, list[str]] | None = None
        self._value: list[str] | None = None
        """The lines of the option that may continue."""
        self._indent = 0

    def take(self, line: str) -> None:
        """Read a line.

        :raises UnreadableError: for a line that is neither a section nor an option.
        """
        text = line.strip()
        if text.startswith(("#", ";")):
            return
        if not text:
            if self._value is not None:
                self._value.append("")
            return
        indent = len(line) - len(line.lstrip())
        if self._value is not None and indent > self._indent:
            self._value.append(text)
            return
        self._indent = indent
        if text.startswith("[") and (end := text.rfind("]")) > 1:
            self._section = self.sections.setdefault(text[1:end], {})
            self._value = None
        elif self._section is None:
            raise _unreadable()
        else:
            self._value = self._section[_name(text)] = [_rest(text)]


def read_sections(text: str) -> Sections:
    """Return the options of a file with sections, such as `setup.cfg`, in linear time.

    Options are by section, with lower-case names. Those of `DEFAULT` are in all sections. The
    result is that of `configparser.RawConfigParser(strict=False)`. That parser takes quadratic time
    for a line of blanks and for unreadable lines, so it must not get untrusted texts. Other parsers
    (ConfigObj, iniparse) read a different format.

    :raises UnreadableError: if the text is not such a file.
    """
    reader = _Reader()
    for line in text.split("\n"):
        reader.take(line)
    made = {name: dict(_joined(options)) for name, options in reader.sections.items()}
    default = made.pop(DEFAULT)
    return {name: {**default, **options} for name, options in made.items()}


def _joined(options: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    for name, lines in options.items():
        yield name, "\n".join(lines).rstrip()


def _delimiter(text: str) -> int:
    """Return the position of the first `=` or `:`."""
    found = [at for at in (text.find("="), text.find(":")) if at >= 0]
    if not found or not text[: min(found)].strip():
        raise _unreadable()
    return min(found)


def _name(text: str) -> str:
    return text[: _delimiter(text)].rstrip().lower()


def _rest(text: str) -> str:
    return text[_delimiter(text) + 1 :].strip()


def _unreadable() -> UnreadableError:
    return UnreadableError("It is not a valid INI file.")


def is_public_registry(ecosystem: str, url: str) -> bool:
    """Return whether a URL is a public registry of the ecosystem.

    A URL with credentials is not, because it may be secret.
    """
    try:
        found = urlsplit(url.strip().strip("\"'"))
        host, user = found.hostname or "", found.username
    except ValueError:
        return False
    labels = tuple(host.split(".")[-2:])
    is_url = found.scheme in {"http", "https"} and user is None
    return is_url and labels in _DOMAINS.get(ecosystem, frozenset())
