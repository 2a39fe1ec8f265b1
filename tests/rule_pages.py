"""Reads the rules that ship once in a process, and not for each application that it makes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from codeintel_plugins.patterns import catalogue

_version = catalogue.version
_digest = catalogue._digest
_known = cache(_digest)


def _remembered(folder: Path) -> bytes:
    """Return the digest of a folder of rules. The shipped one does not change in tests."""
    is_ours = folder == catalogue.FOLDER and catalogue.version is _version
    return _known(folder) if is_ours else _digest(folder)


def remember_rules() -> None:
    """Read the thousand rule files once to decide whether compiled data is still valid."""
    catalogue._digest = _remembered
