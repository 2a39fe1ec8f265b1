"""Who may wait for a slow statement: background work, and no request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gevent

_PATIENT = "codeintel_patient"


@contextmanager
def patient() -> Iterator[None]:
    """Within the block this greenlet's statements may take as long as the server lets them."""
    greenlet, before = gevent.getcurrent(), is_patient()
    setattr(greenlet, _PATIENT, True)
    try:
        yield
    finally:
        setattr(greenlet, _PATIENT, before)


def is_patient() -> bool:
    """Whether this greenlet works in the background."""
    return bool(getattr(gevent.getcurrent(), _PATIENT, False))
