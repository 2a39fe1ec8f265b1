"""Files of sections, as `setup.cfg` is one, read in linear time. Pure.

They mean what `configparser.RawConfigParser(strict=False)` makes of them. That takes the square of
the length of a line of blanks, and of the number of lines that it cannot read: texts of strangers
must not be given to it. Parsers from elsewhere (ConfigObj, iniparse) read another language.
"""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.workspaces.proof.formats.parts import UnreadableError

Sections = dict[str, dict[str, str]]
DEFAULT = "DEFAULT"


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
    """The options by section, names of options in small letters. Those of `DEFAULT` are in all
    sections.

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
