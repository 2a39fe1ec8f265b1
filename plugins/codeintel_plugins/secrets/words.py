"""Telling values that are secrets from those that only stand where a secret will be."""

from __future__ import annotations

import math
import re
from collections import Counter

_PLACEHOLDER_PART = re.compile(
    r"example|placeholder|dummy|change[_-]?me|change[_-]?this|xxxx|\*{3}|\.{3}|<|\$\{|\{\{|%\("
    r"|\b(?:required|nullable|sometimes|confirmed|string)\||\|(?:required|string|min:\d|max:\d|confirmed)"
    r"|your[_-]|insert[_-]|replace[_-]|redacted|fixme|\{[\w.]{0,40}\}"
)
_PLACEHOLDER = re.compile(
    r"%s|\$\w*|none|null|nil|true|false|undefined|unset|string|str|text|bool|int|required|optional"
    r"|hidden|test|todo|foo|bar|pass|(.)\1*"
)
_ENVIRONMENT_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_WORDS = re.compile(r"[A-Za-z]+(?:[_.:/-][A-Za-z]+)*")
_LONG_RUN = re.compile(r"[A-Za-z]{20}")
_SETTING = re.compile(r"[A-Za-z]+(?:[_.:/-][A-Za-z]+)+")
_ABOUT = re.compile(r"(?i)passw|pwd|secret|token|key|credential")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HASH = re.compile(
    r"(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{56}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128})"
)
_NO_SECRET = re.compile(r"https?://|[./~,)\]}:;]|[prs]k_test_|pk_live_")


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret that is put in elsewhere: `changeme`, `${TOKEN}`,
    `<key>`, `xxxx`, the name of an environment variable."""
    lower = value.lower()
    return (
        _PLACEHOLDER_PART.search(lower) is not None
        or _PLACEHOLDER.fullmatch(lower) is not None
        or _ENVIRONMENT_NAME.fullmatch(value) is not None
    )


def is_ordinary(value: str) -> bool:
    """Whether the value is text, a path, an address or a key made for tests."""
    return any(c.isspace() for c in value) or _NO_SECRET.match(value) is not None


def is_wordlike(value: str) -> bool:
    """Whether it has only letters and separators, like `access_token`, in runs no longer than words
    are."""
    return _WORDS.fullmatch(value) is not None and _LONG_RUN.search(value) is None


def is_setting(value: str) -> bool:
    """Whether it is the name of a setting about a secret, like `mail.password`."""
    return _SETTING.fullmatch(value) is not None and _ABOUT.search(value) is not None


def is_uuid(value: str) -> bool:
    """Whether it looks like a UUID, which names things and keeps nothing secret."""
    return _UUID.fullmatch(value) is not None


def is_hash(value: str) -> bool:
    """Whether it looks like a hash in hexadecimal: often a key, as often none."""
    return _HASH.fullmatch(value) is not None


def is_strong(value: str) -> bool:
    """Whether it looks generated: at least 8 characters of several kinds, 3 bits each."""
    kinds = sum(
        any(test(c) for c in value)
        for test in (str.islower, str.isupper, str.isdigit, lambda c: not c.isalnum())
    )
    return len(value) >= 8 and kinds >= 2 and entropy(value) >= 3.0


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts)
