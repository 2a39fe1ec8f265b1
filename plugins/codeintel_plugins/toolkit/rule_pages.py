"""The page of a rule, as an HTML fragment for a page of the site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape


def fragment(title: str, text: str, remedy: str, bad: Iterable[str], good: Iterable[str]) -> str:
    """Return the fragment: what the rule reports, how to fix it, and examples of both kinds."""
    lines = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(text)}</p>",
        f"<h2>How to fix it</h2>\n<p>{escape(remedy)}</p>",
        *_examples("Bad: the rule reports this code", bad),
        *_examples("Good: the rule accepts this code", good),
    ]
    return "\n".join(lines) + "\n"


def _examples(title: str, examples: Iterable[str]) -> Iterator[str]:
    yield f"<h2>{title}</h2>"
    for code in examples:
        yield f'<pre tabindex="0"><code>{escape(code)}</code></pre>'
