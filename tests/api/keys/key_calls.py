"""Requests for the tests of the API of keys."""

from __future__ import annotations

from typing import Any

PATH = "/api/account/api-keys"
WANTED: dict[str, Any] = {"name": "laptop", "scopes": ["analysis:write"]}
