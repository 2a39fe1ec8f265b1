"""Texts as SARIF messages."""

from __future__ import annotations


def message(text: str) -> dict[str, str]:
    """A message that is shown as the text stands: braces and links have a meaning in SARIF."""
    plain = text.replace("{", "{{").replace("}", "}}").replace("](", "] (")
    return {"text": plain or "-"}
