"""PHP inside pages: everything that is not PHP made blank, so that the rest parses as one program.

Each character keeps its place. `<?= x ?>` becomes a call of :data:`ECHO`, a name of two letters
that no program has, and so does Blade's `{!! x !!}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

ECHO = "¤¤"

_NOT_BLANK = re.compile(r"[^\r\n]")
_OPEN = re.compile(r"<\?(?!xml\b)(?:php\b|=)?|\{!!", re.IGNORECASE)
# What may contain the closing tag without ending PHP, the closing tag, and comments that it ends.
_PART = re.compile(
    r"""
    (?P<comment>(?://|\#(?!\[))[^\r\n]*?(?=\?>|[\r\n]|\Z))
    | /\*.*?(?:\*/|\Z)
    | '(?:[^'\\]|\\.)*(?:'|\Z)
    | "(?:[^"\\]|\\.)*(?:"|\Z)
    | <<<[ \t]*["']?(?P<label>[A-Za-z_]\w*)["']?[\r\n].*?[\r\n][ \t]*(?P=label)\b
    | (?P<close>\?>)
    """,
    re.DOTALL | re.VERBOSE,
)


def is_page(text: str) -> bool:
    """Whether a text has PHP between other things, and is not only PHP after one opening tag."""
    if "<?" not in text:
        return "{!!" in text
    return "?>" in text or "<?=" in text or not text.lstrip("\ufeff \t\r\n").startswith("<?")


def program_of(text: str) -> str:
    """The PHP of a page, as long as the page."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    place = 0
    while (opening := _OPEN.search(text, place)) is not None:
        yield _blank(text[place : opening.start()])
        tag = opening[0].lower()
        if tag in ("<?=", "{!!"):
            end, after = _end_of_echo(text, opening.end(), tag)
            inner = text[opening.end() : end]
            code = inner.rstrip().removesuffix(";")
            close = ");"[: after - end].ljust(after - end)  # nothing if the text ends first
            yield f"{ECHO}({code}{_blank(inner[len(code) :])}{close}"
            place = after
        else:
            yield " " * len(tag)
            yield from (made := _php(text, opening.end()))[0]
            place = made[1]
    yield _blank(text[place:])


def _end_of_echo(text: str, start: int, tag: str) -> tuple[int, int]:
    if tag == "{!!":
        end = text.find("!!}", start)
        return (end, end + 3) if end >= 0 else (len(text), len(text))
    for part in _PART.finditer(text, start):
        if part["close"]:
            return part.start(), part.end()
    return len(text), len(text)


def _php(text: str, start: int) -> tuple[list[str], int]:
    """What stands up to the closing tag, which ends a statement, and where the page goes on."""
    made: list[str] = []
    place = start
    for part in _PART.finditer(text, start):
        if part["comment"] is not None and text.startswith("?>", part.end()):
            made += [text[place : part.start()], _blank(part[0])]
            place = part.end()
        elif part["close"]:
            made.append(text[place : part.start()])
            before = "".join(made).rstrip()
            made.append("  " if not before or before[-1] in "{}:;" else "; ")
            return made, part.end()
    return [*made, text[place:]], len(text)


def _blank(text: str) -> str:
    return _NOT_BLANK.sub(" ", text)
