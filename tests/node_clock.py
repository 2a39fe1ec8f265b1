"""A node's clock that is wrong, while the database's is right."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from codeintel.platform.db import models

AHEAD_MS = 120_000


class NodeClock:
    """The clock of :func:`codeintel.platform.db.models.now_ms`. `ahead_ms` is its error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead_ms = 0
        monkeypatch.setattr(models, "time", SimpleNamespace(time_ns=self._time_ns))

    def _time_ns(self) -> int:
        return time.time_ns() + self.ahead_ms * 1_000_000
