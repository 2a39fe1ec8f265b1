"""The little Markdown that descriptions use: paragraphs, and backticks for code."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`]+)`")


def inline(text: str) -> Markup:
    """HTML of one line or paragraph: all of it escaped, what stands in backticks as `<code>`."""
    # Escaping first is what makes this safe: it leaves backticks alone and lets no tag through.
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text: what blank lines divide, each on one line."""
    blocks = re.split(r"\n\s*\n", text.strip())
    return tuple(" ".join(block.split()) for block in blocks if block)
