"""Texts in pages: the little Markdown of descriptions, and what others wrote, shown as it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby

from markupsafe import Markup, escape

from codeintel.web.blueprint import blueprint

_CODE = re.compile(r"`([^`]+)`")
_HIDDEN = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # control characters
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # nothing to see, or marks of order
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # no width, line ends, and the order of text
    "\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\ud800-\udfff"  # half of a character, which UTF-8 cannot hold
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"  # invisible letters of another alphabet
    "]"
)
_KEPT = "\t\n"


def inline(text: str) -> Markup:
    """Return a line or paragraph as HTML: escaped, with text in backticks as `<code>`."""
    # Escaping first is what makes this safe: it leaves backticks alone and lets no tag through.
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text: what blank lines divide, each on one line."""
    blocks = re.split(r"\n\s*\n", text.strip())
    return tuple(" ".join(block.split()) for block in blocks if block)


def prose(text: str) -> Markup:
    """Return a text as HTML: paragraphs that blank lines divide, and lists of the lines that begin
    with a hyphen. Text in backticks is code, and nothing is hidden."""
    blocks = (block for block in re.split(r"\n\s*\n", text) if block.strip())
    return Markup("").join(part for block in blocks for part in _parts(block))


def _parts(block: str) -> Iterator[Markup]:
    for is_list, lines in groupby(block.strip().splitlines(), lambda line: line.startswith("- ")):
        if is_list:
            rows = Markup("").join(
                Markup("<li>{}</li>").format(told(line[2:].strip())) for line in lines
            )
            yield Markup("<ul>{}</ul>").format(rows)
        else:
            yield Markup("<p>{}</p>").format(Markup("<br>").join(told(line) for line in lines))


def visible(text: str, *, code: bool = False) -> Markup:
    """Return a text as escaped HTML.

    Each character that is invisible or changes the order of others is shown as its number, with its
    name as title.

    :param code: whether tabs and line ends are allowed, as in a file.
    """
    kept = _KEPT if code else ""

    def spelt(match: re.Match[str]) -> str:
        return match[0] if match[0] in kept else _spelt(match[0])

    # Escaping first is safe: no character that it adds is in the hidden ones.
    return Markup(_HIDDEN.sub(spelt, str(escape(text))))  # noqa: S704


def told(text: str) -> Markup:
    """Return the HTML of a line that others wrote: code in backticks, and nothing hidden."""
    return inline(visible_plain(text))


def visible_plain(text: str) -> str:
    """Return the text with visible control characters, but without markup, for attributes and
    titles."""
    return _HIDDEN.sub(lambda match: f"[{_number(match[0])}]", text)


@cache
def _spelt(character: str) -> str:
    title = unicodedata.name(character, "control character").capitalize()
    return f'<span class="hidden-character" title="{escape(title)}">[{_number(character)}]</span>'


def _number(character: str) -> str:
    return f"U+{ord(character):04X}"


blueprint.add_app_template_global(prose)
blueprint.add_app_template_global(told)
blueprint.add_app_template_global(visible)
blueprint.add_app_template_global(visible_plain)
