"""Which of the files that were left out hold secrets. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from codeintel.workspace.records import SkippedFile
from codeintel.workspace.secrets import RULES


def secret_files(skipped: Iterable[SkippedFile]) -> tuple[SkippedFile, ...]:
    """Those whose reason is a rule for secrets, by path. Clients that look for secrets themselves
    name the same rules."""
    found = (each for each in skipped if each.reason in RULES)
    return tuple(sorted(found, key=lambda each: each.path))
