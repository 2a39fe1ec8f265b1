"""The format of API keys: `ci_live_`, 30 random characters, 6 that check them.

The alphabet is base62. The check is the CRC32 of all that stands before it, so that a mistyped or
made-up key is refused without asking the database, and secret scanners can tell real ones."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import string
import zlib

PREFIX = "ci_live_"
RANDOM_CHARACTERS = 30
CHECK_CHARACTERS = 6
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_LENGTH = len(PREFIX) + RANDOM_CHARACTERS + CHECK_CHARACTERS


def make_token() -> str:
    """A new API key with about 178 bits of randomness."""
    head = PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_CHARACTERS))
    return head + _check(head)


def is_well_formed(token: str) -> bool:
    """Whether `token` has the format and its check is right."""
    if len(token) != _LENGTH or not token.startswith(PREFIX) or not token.isascii():
        return False
    head, check = token[:-CHECK_CHARACTERS], token[-CHECK_CHARACTERS:]
    return hmac.compare_digest(check, _check(head))


def preview(token: str) -> str:
    """What may be shown of a key: its prefix and last four characters."""
    return f"{PREFIX}…{token[-4:]}"


def digest(token: str, pepper: bytes) -> str:
    """HMAC-SHA256 of a key under the pepper, in hexadecimal: what is stored."""
    return hmac.new(pepper, token.encode(), hashlib.sha256).hexdigest()


def _check(head: str) -> str:
    number, characters = zlib.crc32(head.encode()), ""
    for _ in range(CHECK_CHARACTERS):
        number, index = divmod(number, len(ALPHABET))
        characters = ALPHABET[index] + characters
    return characters
