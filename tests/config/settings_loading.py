"""A short helper that loads settings from a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from codeintel.platform.config import LoadedSettings, load_settings

PEPPER = "p" * 32
INSTANCE = {"name": "work-1", "kind": "gitlab", "base_url": "https://git.example.org"}
POSTGRES = {"DATABASE_URL": "postgresql://u@h/d", "CODEINTEL_KEY_PEPPER": PEPPER}


def load(instance: Path, overrides: Any = None, environ: Any = None) -> LoadedSettings:
    return load_settings({"CODEINTEL_INSTANCE": instance, **(overrides or {})}, environ or {})


def configure(instance: Path, text: str) -> str:
    """Write `codeintel.cfg`."""
    path = instance / "codeintel.cfg"
    path.write_text(text)
    return str(path)
