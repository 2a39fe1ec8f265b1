"""Following a status, and sending what changes as server-sent events."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator

import gevent
import msgspec
from sqlalchemy.exc import SQLAlchemyError

from codeintel.contracts.workspaces.records import ProofStatus
from codeintel.platform.jobs.errors import explain
from codeintel.runs.events.log import CREDENTIAL_SECONDS, HEARTBEAT_SECONDS, PING, frame
from codeintel.workspaces.proof.running.sweeping import UNDER_WAY

log = logging.getLogger(__name__)

POLL_SECONDS = 0.5
EVENT = b"proof"
_encode = msgspec.json.Encoder().encode


def changes(
    read: Callable[[], ProofStatus | None], seconds: float = POLL_SECONDS
) -> Iterator[ProofStatus | None]:
    """The status now and whenever it has changed, else None, twice a second, until it is final or
    there is none any more. While the database is out of reach nothing changes."""
    last: ProofStatus | None = None
    while True:
        try:
            status = read()
        except SQLAlchemyError as error:
            log.warning("a report cannot be followed: %s", explain(error))
            yield None
        else:
            if status is None:
                return
            yield status if status != last else None
            last = status
            if status.status not in UNDER_WAY:
                return
        gevent.sleep(seconds)


def frames(
    statuses: Iterator[ProofStatus | None],
    is_gone: Callable[[], bool],
    may_read: Callable[[], bool],
) -> Iterator[bytes]:
    """Statuses as events, numbered from 1.

    Silence is broken by a heartbeat every 15 s. `is_gone` is asked each time, for a server notices
    that a client has gone only when it writes; `may_read` every 3 s: a stream ends when the
    credential that opened it does.
    """
    number = 0
    beat = time.monotonic() + HEARTBEAT_SECONDS
    check = time.monotonic() + CREDENTIAL_SECONDS
    for status in statuses:
        now = time.monotonic()
        if now >= check:
            if not may_read():
                return
            check = now + CREDENTIAL_SECONDS
        if status is not None:
            number += 1
            yield frame(number, EVENT, _encode(status))
            beat = now + HEARTBEAT_SECONDS
        elif is_gone():
            return
        elif now >= beat:
            yield PING
            beat = now + HEARTBEAT_SECONDS
