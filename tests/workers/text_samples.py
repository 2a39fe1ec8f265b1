"""Text functions that behave and that do not, as a zygote imports them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator

from codeintel.platform.workers.text_functions import TextFunction

LONG = 600.0


def told(parts: Iterable[str]) -> Iterator[str]:
    """Do what each part says, and answer it."""
    for part in parts:
        if part == "hang":
            time.sleep(LONG)
        elif part == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        elif part == "fail":
            raise ValueError(part)
        elif part == "grow":
            bytearray(2 * 1024 * 1024 * 1024)
        elif part == "much":
            yield "x" * 100_000
        yield f"{part[:9]} {len(part)}"


TELL = TextFunction("tell", told, str, str, seconds=1.0, most_bytes=50_000)
SLOW = TextFunction("slow", told, str, str, seconds=LONG, most_seconds=1.0)
PLACES = ("text_samples:TELL", "text_samples:SLOW")
