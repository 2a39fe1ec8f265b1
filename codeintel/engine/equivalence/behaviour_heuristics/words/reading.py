"""The constants and names of a piece of code, in whatever language it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

Template = tuple[str, ...]
"""A text as its words and signs, in order, without what is put into it."""
_TOKENS = re.compile(r"\w+|[^\w\s]|\s+")
_PERCENT = re.compile(r"%(?:\(\w+\))?([#0 +-]*(?:\*|\d+)?(?:\.(?:\*|\d+))?)[hlLqjzt]*([a-zA-Z%])")
_BRACES = re.compile(r"\{\{|\}\}|\{[\w.\[\]]*(?:![rsa])?(?::([^{}]*))?\}")
# Two ways to write how a file is opened.
_MODES: dict[Template, Template] = {("rt",): ("r",), ("wt",): ("w",), ("at",): ("a",)}
_BREAK = "\0"


@dataclass(slots=True)
class Vocabulary:
    """What was found, and on which line first.

    :param parts: the numbers of which one is made, for those that are sums or products.
    :param words: how often there is each identifier; a text that is one may become one, as
        `x["a"]` may `x.a`.
    :param names: identifiers and dotted names that code uses.
    :param defined: names that it gives a meaning itself.
    :param functions: functions and classes that all of the code can see.
    :param reached: what is used of modules, by their own names: `os.path.join`; `os` for a module
        that is used as a whole.
    :param imports: the modules that it imports; for a shell, the commands that it calls.
    """

    numbers: Counter[str] = field(default_factory=Counter)
    parts: dict[str, frozenset[str]] = field(default_factory=dict)
    texts: dict[Template, int] = field(default_factory=dict)
    words: Counter[str] = field(default_factory=Counter)
    names: dict[str, int] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    reached: dict[str, int] = field(default_factory=dict)
    imports: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def add_number(self, number: str, line: int, parts: Iterable[str] = ()) -> None:
        """Count a number, and note the several ones of which it is made."""
        self.numbers[number] += 1
        several = [*parts]
        if len(several) > 1:
            self.parts.setdefault(number, frozenset(several))
        self.lines.setdefault(number, line)

    def add_text(self, pieces: list[str], line: int) -> None:
        """Add a text by the pieces between which values are put."""
        template = tuple(token for piece in pieces for token in tokens(piece))
        template = _MODES.get(template, template)
        if any(not token.isspace() for token in template):
            self.texts.setdefault(template, line)

    def add_name(self, name: str, line: int) -> None:
        """Add an identifier, or a dotted name."""
        self.names.setdefault(name, line)
        if "." not in name:
            self.words[name] += 1


def listed(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


def tokens(piece: str) -> list[str]:
    """The words and signs of a text, and the space between them."""
    if piece.startswith(_BREAK):
        return [piece]
    return _TOKENS.findall(piece)


def percent_pieces(text: str) -> list[str]:
    """The pieces of a text that `%` fills."""
    pieces, position = [], 0
    for match in _PERCENT.finditer(text):
        pieces.append(text[position : match.start()])
        pieces += ["%"] if match[2] == "%" else format_pieces(match[1].replace("-", "") + match[2])
        position = match.end()
    return [*pieces, text[position:]]


def brace_pieces(text: str) -> list[str]:
    """The pieces of a text that `format` fills."""
    pieces, position = [], 0
    for match in _BRACES.finditer(text):
        pieces.append(text[position : match.start()])
        double = match[0] in ("{{", "}}")
        pieces += [match[0][0]] if double else format_pieces(match[1] or "")
        position = match.end()
    return [*pieces, text[position:]]


def format_pieces(how: str) -> list[str]:
    """How a value is put into a text, such as `.2f`: that is a constant, too."""
    plain = how.strip().lstrip("<>").rstrip("sdrivu")
    return [_BREAK + plain] if plain else []
