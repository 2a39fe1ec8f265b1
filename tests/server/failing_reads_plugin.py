"""A drop-in plugin whose database does not read the contents that `lost.txt` names by digest."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from codeintel import hookimpl

_state: dict[str, Path] = {}


@hookimpl
def register_settings(config: Any) -> None:
    """Learn the instance folder in each process that loads plugins."""
    folder = str(config.get("CODEINTEL_INSTANCE") or os.environ["CODEINTEL_INSTANCE"])
    _state["lost"] = Path(folder, "lost.txt")


@event.listens_for(Engine, "before_cursor_execute")
def _fail(*given: Any) -> None:
    statement, parameters = given[2], given[3]
    if "scan_contents.data" not in statement or not _state["lost"].exists():
        return
    if set(_state["lost"].read_text().split()).intersection(map(str, parameters)):
        raise OperationalError(statement, {}, sqlite3.OperationalError("disk I/O error"))
