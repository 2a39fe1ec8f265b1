"""Requests that start a run: counted, refused or repeated, before the first byte is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
from flask import g, request
from gevent.lock import BoundedSemaphore

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import RunKind
from codeintel.http.endpoint import services
from codeintel.http.operation import IDEMPOTENCY_KEY
from codeintel.identity.auth.caller import Caller
from codeintel.runs.events.log import RunLog
from codeintel.runs.idempotency import RequestKey, request_key

TRIES = 3
Start = Callable[[RequestKey | None], RunLog | None]
"""Starts a run and returns its log; None if there is one under the key."""


def once(
    caller: Caller, kind: RunKind, body: msgspec.Struct, start: Start, number: str = ""
) -> RunLog:
    """The log of the run that the request starts, or, for a request with an `Idempotency-Key` that
    was sent before, of the run that it has started then.

    What can refuse the request comes in the order in which it costs the caller; a repeat costs
    nothing.

    :param number: that of a form, which cannot send the header.
    :raises ServiceError: `rate_limit_exceeded`, `draining`, `overloaded`, `idempotency_conflict`,
        and whatever `start` raises.
    """
    sent = request.headers.get(IDEMPOTENCY_KEY.name, number or None)
    if sent is None:
        return _started(caller, kind, start, None)
    key = request_key(caller.account_id, request.path, sent, msgspec.json.encode(body))
    with _one_at_a_time(key):
        return _repeated(caller, key) or _started(caller, kind, start, key)


def _started(caller: Caller, kind: RunKind, start: Start, key: RequestKey | None) -> RunLog:
    for _ in range(TRIES):
        events = _start(caller, kind, start, key)
        if events is None and key is not None:
            # The same request came to another process at the same moment. If its run has failed
            # meanwhile, which frees the key, this one is the first.
            services().limits.give_back(caller.account_id, caller.tier, kind)
            events = _repeated(caller, key)
        if events is not None:
            return events
    raise ServiceError(
        ErrorCode.OVERLOADED, "Runs under this key fail again and again: wait.", retry_after=5
    )


def _start(caller: Caller, kind: RunKind, start: Start, key: RequestKey | None) -> RunLog | None:
    with services().runs.admission():
        state = g.limit = services().limits.hit_operation(caller.account_id, caller.tier, kind)
        if state.exceeded:
            raise state.refusal()
        return start(key)


def _repeated(caller: Caller, key: RequestKey) -> RunLog | None:
    """The log of the run under the key, if there is one."""
    reader = services().reader
    run_id = reader.under(key)
    if run_id is None:
        return None
    return reader.events(reader.find(caller, run_id), 0)


_waiting: dict[RequestKey, tuple[BoundedSemaphore, int]] = {}


@contextmanager
def _one_at_a_time(key: RequestKey) -> Iterator[None]:
    """Let equal requests to this process pass one by one: the second finds the run of the first."""
    lock, count = _waiting.get(key, (BoundedSemaphore(), 0))
    _waiting[key] = lock, count + 1
    try:
        with lock:
            yield
    finally:
        lock, count = _waiting[key]
        if count == 1:
            del _waiting[key]
        else:
            _waiting[key] = lock, count - 1
