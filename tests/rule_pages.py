"""Reads the rules that ship once in a process, and not for each application that it makes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from codeintel_plugins.patterns import catalogue

_version = catalogue.version
_digest = catalogue._digest
_known = cache(_digest)


def _remembered(folder: Path) -> bytes:
    """The digest of a folder of rules: that of ours changes in no test."""
    is_ours = folder == catalogue.FOLDER and catalogue.version is _version
    return _known(folder) if is_ours else _digest(folder)


def remember_rules() -> None:
    """Tell from one reading of their thousand files whether what was made of them still holds."""
    catalogue._digest = _remembered
