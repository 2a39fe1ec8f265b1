"""How a job's work ends other than with a result."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from codeintel.base.logging.setup import describe
from codeintel.platform.db.writer import is_unavailable


class JobFailure(Exception):  # noqa: N818 - says what happened
    """The work cannot be done. Unlike that of other exceptions its text is kept, for operators: it
    must hold no secret.

    :param final: whether trying again is of no use.
    """

    def __init__(self, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


class LostJob(Exception):  # noqa: N818 - says what happened
    """Another process has taken the job over, or it has ended: what was to be done was not."""


class JobStopped(Exception):  # noqa: N818 - says what happened
    """The job was told to stop, and has done so at a place from which it can go on."""


def explain(error: Exception) -> str:
    """An exception for the log: in one line if the database is out of reach, which comes again and
    again while it lasts."""
    if isinstance(error, DBAPIError) and is_unavailable(error):
        return f"the database does not answer ({type(error.orig).__name__})"
    return describe(error)
