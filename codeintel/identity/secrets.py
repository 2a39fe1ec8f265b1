"""The secrets of the identity package, and the tokens of browsers and links.

A secret that is not set is derived from the key pepper, which all processes share. So several
machines need one shared secret instead of three.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from codeintel.platform.config import Settings


def load_or_make(path: Path) -> str:
    """Return the secret in `path`. If the file does not exist, create it, readable by its owner
    only.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    if not path.exists():
        # Write the file under another name and then link it. A process that starts at the same time
        # sees either no file or a complete one, and only one of two drafts gets the name.
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
    """Derive 32 bytes for a purpose. They reveal neither the pepper nor other derived secrets."""
    return hmac.new(pepper, f"codeintel {purpose}".encode(), hashlib.sha256).digest()


def session_key(settings: Settings, pepper: bytes) -> bytes:
    """Return the key that signs forms and browser logins."""
    return settings.session_key.encode() or derived(pepper, "session key")


def make_token() -> str:
    """Return a token of 256 random bits, for addresses and cookies."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """Return the stored form of a token: SHA-256 in hexadecimal. Its randomness makes a pepper
    unnecessary.
    """
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def load_pepper(settings: Settings) -> bytes:
    """Return the pepper from the settings, or the instance folder's, which is created on first
    use.
    """
    return (settings.key_pepper or load_or_make(settings.instance / "key_pepper")).encode()
