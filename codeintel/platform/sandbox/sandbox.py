"""The sandbox as the rest of the service sees it: proved shut before its first use."""

from __future__ import annotations

from typing import Any

from gevent.lock import RLock

from codeintel.base.concurrency.fair import FairSlots
from codeintel.engine.sandbox.host import Ended, SandboxUnavailableError
from codeintel.platform.sandbox import probes
from codeintel.platform.sandbox.starting import start


class Sandbox:
    """Runs jobs of :mod:`inside`, so many at a time, in turns between accounts.

    Whether it can be trusted is found out before the first job, once.
    """

    def __init__(self, slots: int) -> None:
        self._slots = FairSlots(slots)
        self._lock = RLock()
        self._reason: str | None = None
        self._is_proved = False

    def prove(self) -> None:
        """See whether it holds.

        :raises SandboxUnavailableError: if it does not, or there is none.
        """
        with self._lock:
            if not self._is_proved:
                self._reason = probes.weakness()
                self._is_proved = True
        if self._reason is not None:
            raise SandboxUnavailableError(self._reason)

    def run(
        self, account_id: str, job: dict[str, Any], seconds: float, *, hash_seed: int = 0
    ) -> Ended:
        """Do a job in a sandbox of its own, when it is the account's turn.

        :param seconds: after which it is killed.
        :raises SandboxUnavailableError: as :meth:`prove`.
        """
        self.prove()
        with self._slots.taken(account_id):
            return start(job, seconds, hash_seed)
