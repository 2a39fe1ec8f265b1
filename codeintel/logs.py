"""What may go into the log."""

from __future__ import annotations

import logging
import traceback


def configure(level: int = logging.INFO) -> None:
    """Write the log to standard error, a line an entry."""
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for name in ("alembic", "huey"):
        logging.getLogger(name).setLevel(logging.WARNING)


def describe(error: BaseException) -> str:
    """An exception for the log: its type and where it came from, not its text, which may quote what
    a caller sent."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{frames}"
