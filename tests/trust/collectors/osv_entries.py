"""Parts of OSV's entries."""

from __future__ import annotations

from typing import Any


def entry(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, **more}


def of(name: str = "kit", ecosystem: str = "npm", **more: Any) -> dict[str, Any]:
    return {"package": {"name": name, "ecosystem": ecosystem}, **more}
