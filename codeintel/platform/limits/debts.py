"""What the shared counters are owed: what was counted here while they were out of reach."""

from __future__ import annotations

import time
from math import ceil

from limits import RateLimitItem
from limits.storage import Storage

WINDOW_SLACK_SECONDS = 1.0
ROUNDS = 5
"""How often one request pays what others came to owe while it was paying."""

_Who = tuple[str, str]
"""A policy, and an account or address."""


class Debts:
    """Hits to add to the shared storage. It lets other requests run while it is asked, so a debt is
    paid by one request, and what comes meanwhile is to be counted here, too."""

    def __init__(self, shared: Storage, local: Storage) -> None:
        self._shared = shared
        self._local = local
        self._owed: dict[_Who, int] = {}
        self._paying: set[_Who] = set()

    def add(self, policy: str, who: str, hits: int) -> None:
        """Owe some more."""
        self._owed[policy, who] = self._owed.get((policy, who), 0) + hits

    def forgive(self, policy: str, who: str) -> bool:
        """Owe one less; False if nothing is owed."""
        owed = self._owed.get((policy, who), 0)
        if owed > 0:
            self._owed[policy, who] = owed - 1
        return owed > 0

    def is_paying(self, policy: str, who: str) -> bool:
        """Whether the shared counter does not know yet of all that it will."""
        return (policy, who) in self._paying

    def pay(self, policy: str, item: RateLimitItem, who: str) -> None:
        """Pay what is owed. After an error, which is passed on, it still is."""
        self._paying.add((policy, who))
        try:
            for _ in range(ROUNDS):
                owed = self._owed.pop((policy, who), 0)
                if not owed:
                    return
                try:
                    self._pay(item.key_for(policy, who), owed)
                except BaseException:
                    self.add(policy, who, owed)
                    raise
        finally:
            self._paying.discard((policy, who))

    def _pay(self, key: str, owed: int) -> None:
        """Pay, unless the window of that time is over: the local one may end a second late."""
        left, known = self._local.get_expiry(key) - time.time(), self._local.get(key)
        if left > WINDOW_SLACK_SECONDS:
            # A storage that lost its memory is owed what was known of it, too.
            self._shared.incr(key, ceil(left), amount=max(owed, known - self._shared.get(key)))
