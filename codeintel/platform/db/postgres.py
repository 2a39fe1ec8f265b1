"""PostgreSQL connections that do not wait forever."""

from __future__ import annotations

import time
from typing import Any, TypeVar

import gevent
import psycopg
from psycopg.abc import PQGen
from sqlalchemy import Connection as SqlConnection, Engine, event

from codeintel.platform.db.statements import is_patient

ANSWER_SECONDS = 2.0
"""Time limit for a statement of a request, so that its client gets an answer within 3 s."""
PATIENT_SECONDS = 6.0
"""Time limit for a statement of background work, longer than the server's own limit."""
SILENT_SECONDS = 2.0
"""How long nothing is sent to a server that has stopped answering."""
T = TypeVar("T")


class Server:
    """State of a PostgreSQL server: whether it has stopped answering.

    A server can accept connections and answer nothing (stopped, swapping, disk full). Then every
    request with a connection waits for the server, and others wait for connections. So if one
    statement has waited in vain and no other got an answer meanwhile, all statements fail for a
    moment instead of waiting in turn.
    """

    def __init__(self) -> None:
        self._answered = 0.0
        self._silent_until = 0.0

    def answered(self) -> None:
        """Note that an answer has just arrived."""
        self._answered = time.monotonic()
        self._silent_until = 0.0

    def gave_no_answer(self) -> None:
        """Note that a statement has waited in vain."""
        now = time.monotonic()
        # If another statement got an answer meanwhile, the server is only slow for this one. The
        # last answers before the server stopped may have come after this wait started.
        if now - self._answered > ANSWER_SECONDS / 2:
            self._silent_until = now + SILENT_SECONDS

    @property
    def is_silent(self) -> bool:
        """Whether the server is in its retry pause."""
        return time.monotonic() < self._silent_until


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when the server accepts data and does not answer.

    In that case neither the server's time limits nor those of TCP work.
    """

    server: Server | None = None
    seconds: float | None = ANSWER_SECONDS
    """Time limit for an answer, in seconds. None waits forever."""

    def wait(self, gen: PQGen[T], *args: Any, **options: Any) -> T:
        """Wait as psycopg does. Everything that is sent to the server passes here.

        :raises psycopg.OperationalError: also if no answer comes in time. The connection is closed.
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
    """Lift the time limit of a connection until it returns to its pool.

    This is for migrations, which have a process to themselves.
    """
    driver: Any = connection.connection.driver_connection
    driver.seconds = None


def _silent() -> psycopg.OperationalError:
    return psycopg.OperationalError("the server does not answer")


def bound_waiting(engine: Engine) -> None:
    """Make the engine open such connections, with more patience for background work."""
    server = Server()

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: Any, _record: Any, arguments: Any, options: Any) -> Connection:
        if server.is_silent:
            raise _silent()
        began = time.monotonic()
        try:
            made = Connection.connect(*arguments, **options)
        except psycopg.OperationalError:
            if time.monotonic() - began >= 1.0:  # the server did not refuse, it stayed silent
                server.gave_no_answer()
            raise
        made.server = server
        return made

    @event.listens_for(engine, "checkout")
    def check_out(connection: Any, _record: Any, _proxy: Any) -> None:
        connection.seconds = PATIENT_SECONDS if is_patient() else ANSWER_SECONDS

    @event.listens_for(engine, "checkin")
    def check_in(connection: Any, _record: Any) -> None:
        if connection is not None:  # otherwise it is broken
            connection.seconds = ANSWER_SECONDS  # the limit of the next user's connection test
