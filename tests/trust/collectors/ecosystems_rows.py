"""Rows of ecosyste.ms, and what is found in them."""

from __future__ import annotations

from typing import Any

from collector_bodies import CRATE, collected, document

from codeintel.contracts import Target
from codeintel.testing.conversations import Conversed

ROWS = document("ecosystems_lookup")


def looked_up(target: Target, rows: Any = ROWS) -> Conversed:
    return collected("ecosystems", target, rows)


def crate(**changes: Any) -> dict[str, Any]:
    """Return the facts about the crate with changes to its row."""
    return looked_up(CRATE, [{**ROWS[0], **changes}]).values
