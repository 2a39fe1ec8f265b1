"""Read untrusted texts in worker processes with a deadline."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import gevent
import msgspec

from codeintel.base.greenlets import FairSlots, Pace
from codeintel.base.logging import describe, spawn
from codeintel.platform.metrics import table
from codeintel.platform.workers.fork_server import Nursery, NurseryError
from codeintel.platform.workers.protocol import (
    MAX_ANSWERS,
    Answer,
    Budget,
    Done,
    TextJob,
    decode_message,
    encode,
    receive_frame,
    send_bytes,
    send_frame,
)
from codeintel.platform.workers.text_functions import (
    SMALL_CHARACTERS,
    TextFunction,
    TextTimeoutError,
    TextWorkError,
)

log = logging.getLogger(__name__)

P = TypeVar("P")
A = TypeVar("A")


class TextPool:
    """Runs text functions in children of the same zygote as analyses, in separate slots.

    So neither kind of work waits for the other. Accounts take turns.

    :param slots: maximum number of concurrent processes.
    """

    def __init__(self, nursery: Nursery, slots: int) -> None:
        self.slots = FairSlots(slots)
        self._nursery = nursery

    def run(
        self,
        account_id: str,
        function: TextFunction[P, A],
        parts: Iterable[P],
        size: int | None = None,
    ) -> Iterator[A]:
        """Yield the answers to some parts, as they arrive. Closing the iterator ends the child.

        :param size: characters of all parts, for functions of linear time. Small texts are read in
            this process.
        :raises TextTimeoutError: if an answer, or all of them, took too long.
        :raises TextWorkError: if the child died or failed, or answered too much.
        :raises Exception: what `parts` raised.
        """
        if size is not None and size <= SMALL_CHARACTERS:
            yield from function.run(iter(parts))
            return
        with self.slots.taken(account_id):
            try:  # outside the deadline, which is the function's own
                job, connection = self._nursery.fork()
            except (NurseryError, OSError) as error:
                log.error("text function %r cannot be run: %s", function.name, describe(error))
                raise TextWorkError("no worker process") from None
            yield from self._converse(function, parts, job, connection)

    def _converse(
        self, function: TextFunction[P, A], parts: Iterable[P], job: int, connection: Any
    ) -> Iterator[A]:
        decode = msgspec.msgpack.Decoder(function.answer).decode
        sender = spawn(_send, connection, function.name, parts)
        outcome = "killed"
        ends = time.monotonic() + function.most_seconds
        budget = Budget(MAX_ANSWERS, function.most_bytes)
        pace = Pace()
        try:
            while True:
                message, size = _next(connection, min(function.seconds, ends - time.monotonic()))
                if isinstance(message, Done) and message.error is None and not message.truncated:
                    outcome = "done"
                    return
                if not isinstance(message, Answer) or not budget.admits(message):
                    outcome = "failed"
                    raise TextWorkError(getattr(message, "error", None) or "it answered too much")
                budget.spend(size)
                yield decode(message.data)
                pace.pause()
        except (OSError, ValueError) as error:
            outcome = "died"
            if sender.ready() and isinstance(sender.value, Exception):
                raise sender.value from None
            raise TextWorkError(type(error).__name__) from None
        except TextWorkError as error:
            log.warning(
                "text function %r was ended: %s", function.name, error or "it took too long"
            )
            raise
        finally:
            sender.kill(block=False)
            connection.close()
            self._nursery.kill(job)
            table.POOL_JOBS.add("text", function.name, outcome)


def _send(connection: Any, name: str, parts: Iterable[Any]) -> Exception | None:
    """Send the parts. An error in them ends the stream and is returned."""
    try:
        send_frame(connection, TextJob(name))
        for part in parts:
            send_bytes(connection, encode(part))
        send_bytes(connection, b"")
    except OSError:
        return None  # the child has ended, and its reader reports why
    except Exception as error:  # noqa: BLE001 - raised where the answers are awaited
        connection.shutdown(gevent.socket.SHUT_RDWR)
        return error
    return None


def _next(connection: Any, seconds: float) -> tuple[Any, int]:
    """Return the next message and its size.

    :raises TextTimeoutError: if it does not arrive in time.
    :raises ConnectionResetError: if the child ended without a last message.
    """
    with gevent.Timeout(max(seconds, 0.0), TextTimeoutError()):
        received = receive_frame(connection, decode_message)
    if received is None:
        raise ConnectionResetError
    return received
