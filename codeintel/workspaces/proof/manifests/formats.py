"""What the readers of manifests share: dependencies as they are written, safe parsers, and which
registries anybody can read from. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from codeintel.contracts.workspaces.paths import without_local_paths

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
"""The last two labels of their hosts: who has them has all below."""


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


class _Reader:
    """Takes one line after the other."""

    def __init__(self) -> None:
        self.sections: dict[str, dict[str, list[str]]] = {DEFAULT: {}}
        self._section: dict[str, list[str]] | None = None
        self._value: list[str] | None = None
        """The lines of the option that may go on."""
        self._indent = 0

    def take(self, line: str) -> None:
        """:raises UnreadableError: for a line that is neither a section nor an option."""
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
    """The options of a file of sections, as `setup.cfg` is one, read in linear time: by section,
    names of options in small letters. Those of `DEFAULT` are in all sections.

    They mean what `configparser.RawConfigParser(strict=False)` makes of them. That takes the square
    of the length of a line of blanks, and of the number of lines that it cannot read: texts of
    strangers must not be given to it. Parsers from elsewhere (ConfigObj, iniparse) read another
    language.

    :raises UnreadableError: if it is no such file.
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
    """Where the first `=` or `:` is."""
    found = [at for at in (text.find("="), text.find(":")) if at >= 0]
    if not found or not text[: min(found)].strip():
        raise _unreadable()
    return min(found)


def _name(text: str) -> str:
    return text[: _delimiter(text)].rstrip().lower()


def _rest(text: str) -> str:
    return text[_delimiter(text) + 1 :].strip()


def _unreadable() -> UnreadableError:
    return UnreadableError("It is no valid file of sections.")


def is_public_registry(ecosystem: str, url: str) -> bool:
    """Whether it is an address of a registry of the ecosystem for everybody; not where it carries
    credentials, as what is told to somebody alone may be a secret."""
    try:
        found = urlsplit(url.strip().strip("\"'"))
        host, user = found.hostname or "", found.username
    except ValueError:
        return False
    labels = tuple(host.split(".")[-2:])
    is_url = found.scheme in {"http", "https"} and user is None
    return is_url and labels in _DOMAINS.get(ecosystem, frozenset())
