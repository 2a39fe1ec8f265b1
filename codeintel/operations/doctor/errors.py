"""What a check lacks, and says so."""

from __future__ import annotations


class Unavailable(Exception):  # noqa: N818 - says what is the matter
    """What a check needs is not there; the text says why, and another check has reported it."""


class NoDatabase(Unavailable):
    """There is no database, or it cannot be connected to."""
