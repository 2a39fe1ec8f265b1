"""The secret under which API keys are stored."""

from __future__ import annotations

from codeintel.base.secret_files import load_or_make
from codeintel.platform.config import Settings


def load_pepper(settings: Settings) -> bytes:
    """The pepper from the settings, else the instance folder's own, made at first use."""
    return (settings.key_pepper or load_or_make(settings.instance / "key_pepper")).encode()
