"""The format of API keys: `ci_live_`, 30 random characters and 6 check characters.

The alphabet is base62. The check is the CRC32 of the preceding characters. It lets the service
reject a mistyped or invented key without the database, and lets secret scanners recognize real
keys.
"""

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
    """Return a new API key with about 178 bits of randomness."""
    head = PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_CHARACTERS))
    return head + _check(head)


def is_well_formed(token: str) -> bool:
    """Return whether `token` has the format and a correct check."""
    if len(token) != _LENGTH or not token.startswith(PREFIX) or not token.isascii():
        return False
    head, check = token[:-CHECK_CHARACTERS], token[-CHECK_CHARACTERS:]
    return hmac.compare_digest(check, _check(head))


def preview(token: str) -> str:
    """Return the part of a key that may be displayed: its prefix and last four characters."""
    return f"{PREFIX}…{token[-4:]}"


def digest(token: str, pepper: bytes) -> str:
    """Return the stored form of a key: its HMAC-SHA256 with the pepper, in hexadecimal."""
    return hmac.new(pepper, token.encode(), hashlib.sha256).hexdigest()


def _check(head: str) -> str:
    number, characters = zlib.crc32(head.encode()), ""
    for _ in range(CHECK_CHARACTERS):
        number, index = divmod(number, len(ALPHABET))
        characters = ALPHABET[index] + characters
    return characters
