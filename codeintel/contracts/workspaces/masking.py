"""Texts without the secrets that keep them from being stored, for an analysis of the rest. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeintel.contracts.workspaces.secret_tokens import token_spans
from codeintel.contracts.workspaces.secrets import private_key_spans, secret_rule

_HIDDEN = re.compile(r"[A-Za-z0-9+/=_.-]")
MASK = "*"


class Masked(NamedTuple):
    """A text of the same length and lines without its secrets. `line` is the first one's, or 0
    where none can be told by its looks. `is_clean` tells whether no rule finds a secret in it any
    more, not by its name either."""

    text: str
    line: int
    is_clean: bool


def masked(path: str, text: str) -> Masked:
    """The text with each secret that can be told by its looks replaced, character by character."""
    spans = sorted(_spans(text))
    pieces, end = [], 0
    for start, stop in spans:
        start = max(start, end)
        pieces += [text[end:start], _HIDDEN.sub(MASK, text[start:stop])]
        end = max(end, stop)
    made = "".join([*pieces, text[end:]])
    line = len(re.findall(r"\r\n|\n|\r", text[: spans[0][0]])) + 1 if spans else 0
    return Masked(made, line, secret_rule(path, made) is None)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    yield from token_spans(text)
    yield from private_key_spans(text)
