"""Addresses of what accounts have, made from the application's own rules."""

from __future__ import annotations

import re

OWNED = {"key_id", "run_id", "session_id", "workspace_id"}
"""What an account has, by the names in addresses."""
VALUES = {"revision": "1", "form": "json", "path": "main.py"}


def address(rule: str, ids: dict[str, str]) -> str:
    return re.sub(
        r"<(?:[^<>:]*(?:\([^()]*\))?:)?(\w+)>", lambda found: ({**VALUES, **ids})[found[1]], rule
    )
