"""Connections to PostgreSQL that do not wait for ever."""

from __future__ import annotations

import time
from typing import Any, TypeVar

import gevent
import psycopg
from psycopg.abc import PQGen
from sqlalchemy import Connection as SqlConnection, Engine, event

from codeintel.platform.db.statements import is_patient

ANSWER_SECONDS = 2.0
"""For a statement of a request: who waits for it gets an answer within 3 s."""
PATIENT_SECONDS = 6.0
"""For a statement of background work: longer than the server lets a statement take."""
SILENT_SECONDS = 2.0
"""How long nobody asks a server again that has stopped answering."""
T = TypeVar("T")


class Server:
    """What is known of one PostgreSQL: whether it has stopped to answer at all.

    A server can accept connections and answer nothing (stopped, swapping, out of disk). Then all
    who have a connection wait for it, and those behind them for their connections. So after one
    has waited in vain, and nobody else got an answer meanwhile, all others are refused for a
    moment instead of waiting in turn.
    """

    def __init__(self) -> None:
        self._answered = 0.0
        self._silent_until = 0.0

    def answered(self) -> None:
        """Note that an answer came just now."""
        self._answered = time.monotonic()
        self._silent_until = 0.0

    def gave_no_answer(self) -> None:
        """Note that a statement has waited in vain."""
        now = time.monotonic()
        # An answer to another one in the meantime means that the server is slow for this one and
        # well otherwise. The last answers before it stopped may have come after this wait began.
        if now - self._answered > ANSWER_SECONDS / 2:
            self._silent_until = now + SILENT_SECONDS

    @property
    def is_silent(self) -> bool:
        """Whether it should be left alone now."""
        return time.monotonic() < self._silent_until


class Connection(psycopg.Connection[Any]):
    """One that is given up when the server accepts what is sent and does not answer: then neither
    its own time limits work nor those of TCP."""

    server: Server | None = None
    seconds: float | None = ANSWER_SECONDS
    """How long an answer may take; None for ever."""

    def wait(self, gen: PQGen[T], *args: Any, **options: Any) -> T:
        """As psycopg's: all that is sent to the server passes here.

        :raises psycopg.OperationalError: also if no answer comes in time; the connection is closed.
        """
        if self.server is not None and self.server.is_silent:
            self.close()
            raise _silent()
        late = _silent()
        try:
            with gevent.Timeout(self.seconds, late):
                answer = super().wait(gen, *args, **options)
        except psycopg.OperationalError as error:
            if error is late:
                self.close()
                if self.server is not None:
                    self.server.gave_no_answer()
            raise
        if self.server is not None:
            self.server.answered()
        return answer


def wait_for_ever(connection: SqlConnection) -> None:
    """Let statements of a connection take as long as they take, until it goes back to its pool:
    for migrations, which have a process to themselves."""
    driver: Any = connection.connection.driver_connection
    driver.seconds = None


def _silent() -> psycopg.OperationalError:
    return psycopg.OperationalError("the server does not answer")


def bound_waiting(engine: Engine) -> None:
    """Have the engine open such connections, and hand them out to background work as patient."""
    server = Server()

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: Any, _record: Any, arguments: Any, options: Any) -> Connection:
        if server.is_silent:
            raise _silent()
        began = time.monotonic()
        try:
            made = Connection.connect(*arguments, **options)
        except psycopg.OperationalError:
            if time.monotonic() - began >= 1.0:  # it was not refused, but waited for in vain
                server.gave_no_answer()
            raise
        made.server = server
        return made

    @event.listens_for(engine, "checkout")
    def check_out(connection: Any, _record: Any, _proxy: Any) -> None:
        connection.seconds = PATIENT_SECONDS if is_patient() else ANSWER_SECONDS

    @event.listens_for(engine, "checkin")
    def check_in(connection: Any, _record: Any) -> None:
        if connection is not None:  # else it is broken
            connection.seconds = ANSWER_SECONDS  # which the next one's test of it goes by
