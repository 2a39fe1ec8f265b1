"""What went wrong in a plugin, in words for its author."""

from __future__ import annotations

import traceback


def in_one_line(error: BaseException, location: str) -> str:
    """What went wrong in a plugin, and the line in its file, where it has one."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == location]
    if isinstance(error, SyntaxError) and error.filename == location:
        lines, text = [error.lineno], error.msg
    else:
        text = " ".join(str(error).split())
    place = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {text}{place}" if text else f"{type(error).__name__}{place}"
