"""The page of a rule, as an HTML fragment for a page of the site."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from html import escape

_CODE = re.compile(r"`([^`]+)`")
_INVISIBLE = frozenset({"Cc", "Cf"})
"""Categories of characters that control the text and are not shown."""


def fragment(title: str, text: str, remedy: str, bad: Iterable[str], good: Iterable[str]) -> str:
    """Return the fragment: what the rule reports, how to fix it, and examples of both kinds. Words
    in backticks become code."""
    lines = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{_prose(text)}</p>",
        f"<h2>How to fix it</h2>\n<p>{_prose(remedy)}</p>",
        *_examples("Bad: the rule reports this code", bad),
        *_examples("Good: the rule accepts this code", good),
    ]
    return "\n".join(lines) + "\n"


def _prose(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _examples(title: str, examples: Iterable[str]) -> Iterator[str]:
    yield f"<h2>{title}</h2>"
    for code in examples:
        yield f'<pre tabindex="0"><code>{escape(_visible(code))}</code></pre>'


def _visible(code: str) -> str:
    """Replace invisible characters by their numbers, such as `<U+202E>`."""
    return "".join(_shown(character) for character in code)


def _shown(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in _INVISIBLE:
        return character
    return f"<U+{ord(character):04X}>"
