"""What can be wrong with a backup, or with the place that it is to go to."""

from __future__ import annotations


class BackupError(Exception):
    """A backup cannot be made or restored, and nothing was changed; the message says why and what
    to do."""


class ForeignFileError(BackupError):
    """The file is no backup, is cut off or was changed."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This is not a whole backup of codeintel: {reason}. Nothing was changed.")
