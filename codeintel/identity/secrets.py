"""Secrets of identity, and how tokens of browsers and links are made and stored.

Where no secret of its own is set, one is made from the key pepper, which all processes have in
common already: several machines need one secret, not three."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from codeintel.platform.config import Settings


def load_or_make(path: Path) -> str:
    """The secret in `path`; made, readable by its owner alone, if the file does not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    if not path.exists():
        # Written whole under another name and then linked: a process that starts at the same time
        # sees either no file or all of it, and only one of the two drafts gets the name.
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(descriptor, secrets.token_urlsafe(32).encode())
            os.fsync(descriptor)
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            os.close(descriptor)
            draft.unlink()
    return path.read_text().strip()


TOKEN_BYTES = 32


def derived(pepper: bytes, purpose: str) -> bytes:
    """32 bytes for one purpose, from which neither the pepper nor those of others can be told."""
    return hmac.new(pepper, f"codeintel {purpose}".encode(), hashlib.sha256).digest()


def session_key(settings: Settings, pepper: bytes) -> bytes:
    """What forms and logins in browsers are signed with."""
    return settings.session_key.encode() or derived(pepper, "session key")


def make_token() -> str:
    """A token of 256 random bits, for addresses and cookies."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """What is stored of a token: SHA-256 in hexadecimal. So much randomness needs no pepper."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def load_pepper(settings: Settings) -> bytes:
    """The pepper from the settings, else the instance folder's own, made at first use."""
    return (settings.key_pepper or load_or_make(settings.instance / "key_pepper")).encode()
