"""Connections to PostgreSQL that do not wait for ever."""

from __future__ import annotations

from typing import Any, TypeVar

import gevent
import psycopg
from psycopg.abc import PQGen
from sqlalchemy import Engine, event

ANSWER_SECONDS = 6.0
"""Longer than the server lets a statement take: without an answer by then it hangs."""
T = TypeVar("T")


class Connection(psycopg.Connection[Any]):
    """One that is given up when the server accepts what is sent and does not answer: then neither
    its own time limits work nor those of TCP."""

    def wait(self, gen: PQGen[T], *args: Any, **options: Any) -> T:
        """As psycopg's: all that is sent to the server passes here.

        :raises psycopg.OperationalError: also if no answer comes in time; the connection is closed.
        """
        late = psycopg.OperationalError("the server does not answer")
        try:
            with gevent.Timeout(ANSWER_SECONDS, late):
                return super().wait(gen, *args, **options)
        except psycopg.OperationalError as error:
            if error is late:
                self.close()
            raise


def bound_waiting(engine: Engine) -> None:
    """Have the engine open such connections."""

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: Any, _record: Any, arguments: Any, options: Any) -> Connection:
        return Connection.connect(*arguments, **options)
