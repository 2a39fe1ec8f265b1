"""Secrets that are made once and kept in the instance folder."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


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
