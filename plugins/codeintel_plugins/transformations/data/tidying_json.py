"""JSON in its usual layout: only the space between parts changes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_STEP = "  "


def laid_out(code: str) -> str:
    """Each value on a line of its own, indented by two spaces; numbers and texts as written."""
    return "".join(_pieces(_TOKEN.findall(code)))


def _pieces(parts: list[str]) -> Iterator[str]:
    depth = 0
    for position, part in enumerate(parts):
        following = parts[position + 1] if position + 1 < len(parts) else ""
        if part in "{[":
            yield part
            if following not in ("}", "]"):
                depth += 1
                yield "\n" + _STEP * depth
        elif part in "}]":
            if position and parts[position - 1] not in ("{", "["):
                depth -= 1
                yield "\n" + _STEP * depth
            yield part
        elif part == ",":
            yield ",\n" + _STEP * depth
        else:
            yield ": " if part == ":" else part
