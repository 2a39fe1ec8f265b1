"""Work that one process of an installation does for all: a lease in a row of the database.

Not an advisory lock: one of a session is lost behind a pool of connections such as pgbouncer, and
one of a transaction lasts no longer than that.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, or_, select, update

from codeintel.platform.db.clock import database_now_ms
from codeintel.platform.db.inserting import insert_into
from codeintel.platform.db.models import LeaderLease
from codeintel.platform.db.writer import Writer


class Leadership:
    """What this process leads.

    :param owner: the process's name.
    :param is_gone: whether another process is known to be dead: then nobody waits for its lease.
    """

    def __init__(
        self, writer: Writer, owner: str, is_gone: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._writer = writer
        self._owner = owner
        self._is_gone = is_gone

    def leads(self, work: str, seconds: float) -> bool:
        """Whether this process is the one to do a kind of work now. If so it stays the one for so
        many seconds by the database's clock, and for longer if it asks again within them. Two may
        do the work at once where it takes longer than that, so it must stand it."""
        ttl_ms = int(seconds * 1000)

        def take(connection: Connection) -> bool:
            values = {"owner": self._owner, "expires_ms": database_now_ms() + ttl_ms}
            mine_or_free = or_(
                LeaderLease.owner == self._owner, LeaderLease.expires_ms < database_now_ms()
            )
            renew = update(LeaderLease).where(LeaderLease.work == work, mine_or_free).values(values)
            if connection.execute(renew).rowcount:
                return True
            first = insert_into(connection, LeaderLease).values(work=work, **values)
            added = first.on_conflict_do_nothing().returning(LeaderLease.work)
            if connection.scalar(added) is not None:
                return True
            leader = connection.scalar(select(LeaderLease.owner).where(LeaderLease.work == work))
            if leader is None or not self._is_gone(leader):
                return False
            inherit = (
                update(LeaderLease)
                .where(LeaderLease.work == work, LeaderLease.owner == leader)
                .values(values)
            )
            return connection.execute(inherit).rowcount == 1

        return self._writer.run(take)
