"""Addresses whose beginning is written out: what follows it cannot choose another host."""

from __future__ import annotations

import re

# In source text: a literal with a scheme, a host and what ends it, or with a path of the site.
_FIXED = r"(?:redirect:|forward:)?(?:[a-z]{2,5}://[^/?#\"'`{}$%\\\s]+[/?#]|/(?![/\\\"'`{$%]))"
_LITERAL = re.compile(rf"[A-Za-z$@]{{0,3}}[\"'`]{{1,3}}{_FIXED}")
_INTERPOLATED_FIRST = re.compile(r"[A-Za-z$@]{0,3}[\"'`]{1,3}[$#]?\{")
_TEXT = re.compile(_FIXED)
_NAME = re.compile(
    r"(?i)(?:\A|_)(?:\w{0,20}base|\w{0,20}url|\w{0,20}uri|\w{0,20}host|\w{0,20}endpoint|\w{0,20}prefix"
    r"|\w{0,20}origin|\w{0,20}server|\w{0,20}domain|\w{0,20}api)(?:_?(?:url|uri|base|path|root))?\Z"
)


def begins_fixed(source: str) -> bool:
    """Whether source text begins with a literal that settles the host."""
    return _LITERAL.match(source) is not None


def is_fixed(text: str) -> bool:
    """Whether a literal's text, such as `https://host/%s`, settles the host."""
    return _TEXT.match(text) is not None


def begins_interpolated(source: str) -> bool:
    """Whether source text begins with text whose first part is an expression."""
    return _INTERPOLATED_FIRST.match(source) is not None


def names_address(name: str) -> bool:
    """Whether a variable is by its name the beginning of addresses."""
    return _NAME.search(name) is not None
