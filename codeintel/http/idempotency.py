"""Idempotent requests that start a run: they are counted, rejected or repeated before a byte is
sent.
"""

from __future__ import annotations

from collections.abc import Iterator
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


class RunRequest:
    """A request that starts a run, or that repeats an earlier one.

    :ivar key: the key of the request. None without an `Idempotency-Key`.
    :ivar log: the log of the run. None until it has started.
    """

    def __init__(self, caller: Caller, kind: RunKind, key: RequestKey | None) -> None:
        self._caller = caller
        self._kind = kind
        self._tries = 0
        self.key = key
        self.log = _repeated(caller, key) if key is not None else None

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Reserve a slot for the run and count one operation against the account's limit. Start the
        run within the block. If another process started the same request first, the operation is
        refunded and :attr:`log` is the other run's.

        :raises ServiceError: `draining`, `overloaded` or `rate_limit_exceeded`.
        """
        if self._tries == TRIES:
            raise ServiceError(
                ErrorCode.OVERLOADED,
                "Runs with this key fail repeatedly. Wait before you try again.",
                retry_after=5,
            )
        self._tries += 1
        limits, caller = services().limits, self._caller
        with services().runs.admission():
            state = g.limit = limits.hit_operation(caller.account_id, caller.tier, self._kind)
            if state.exceeded:
                raise state.refusal()
            yield
        if self.log is None and self.key is not None:
            limits.give_back(caller.account_id, caller.tier, self._kind)
            # If that run has failed and freed the key, the next attempt is the first one.
            self.log = _repeated(caller, self.key)


@contextmanager
def idempotent(
    caller: Caller, kind: RunKind, body: msgspec.Struct, number: str = ""
) -> Iterator[RunRequest]:
    """Yield the request by its `Idempotency-Key`. A repeated request has a log from the start and
    costs nothing. Checks of a first request run in order of their cost to the caller. Equal
    requests to this process run one at a time.

    :param number: the number of a form, which cannot send the header.
    :raises ServiceError: `idempotency_conflict`.
    """
    sent = request.headers.get(IDEMPOTENCY_KEY.name, number or None)
    if sent is None:
        yield RunRequest(caller, kind, None)
        return
    key = request_key(caller.account_id, request.path, sent, msgspec.json.encode(body))
    with _one_at_a_time(key):
        yield RunRequest(caller, kind, key)


def _repeated(caller: Caller, key: RequestKey) -> RunLog | None:
    """Return the log of the run under the key, or None."""
    reader = services().reader
    run_id = reader.under(key)
    if run_id is None:
        return None
    return reader.events(reader.find(caller, run_id), 0)


_waiting: dict[RequestKey, tuple[BoundedSemaphore, int]] = {}


@contextmanager
def _one_at_a_time(key: RequestKey) -> Iterator[None]:
    """Let equal requests to this process run one at a time, so that the second finds the run of the
    first.
    """
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


def ignored_fields() -> tuple[str, ...]:
    """Return the unknown fields of the body, which the run's first event names."""
    ignored: tuple[str, ...] = g.get("ignored_fields", ())
    return ignored
