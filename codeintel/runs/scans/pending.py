"""Results that a scan has found and not yet stored. A store that fails loses no result."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence

from codeintel.base.logging import describe
from codeintel.runs.scans.results import ResultKey, ResultStore

log = logging.getLogger(__name__)

STORED_AT_ONCE = 50
STORED_EVERY_SECONDS = 1.0
MAX_PENDING = 2_000
"""More results than these are not kept for another try. They are only computed again."""


class PendingResults:
    """Stores results in groups, one group at a time.

    A group that the store rejects is tried again with the next one.
    """

    def __init__(self, store: ResultStore) -> None:
        self._store = store
        self._waiting: dict[ResultKey, bytes] = {}
        self._sent: dict[ResultKey, bytes] = {}
        """The group that is being stored."""
        self._stored_at = time.monotonic()
        self._has_failed = False

    def get(self, keys: Sequence[ResultKey]) -> Mapping[ResultKey, bytes]:
        """Return the stored results, and those that are still to be stored.

        :raises Exception: what the store raises.
        """
        found = dict(self._store.get(list(dict.fromkeys(keys))))
        for pending in (self._sent, self._waiting):
            found.update((key, pending[key]) for key in keys if key in pending)
        return found

    def add(self, key: ResultKey, data: bytes) -> None:
        """Note a result, and store all of them if it is time."""
        self._waiting[key] = data
        is_full = len(self._waiting) >= STORED_AT_ONCE and not self._has_failed
        if is_full or time.monotonic() - self._stored_at >= STORED_EVERY_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Store what waits. A failure is logged.

        While another greenlet stores, this does nothing.
        """
        if self._sent or not self._waiting:
            return
        self._sent, self._waiting = self._waiting, {}
        is_stored = False
        try:
            self._store.put(self._sent)
            is_stored = True
        except Exception as error:  # noqa: BLE001 - they are only computed again
            log.error("results of a scan were not stored: %s", describe(error))
        finally:  # also if the scan is stopped meanwhile
            unstored = {} if is_stored else self._sent
            self._waiting = dict([*unstored.items(), *self._waiting.items()][:MAX_PENDING])
            self._sent = {}
            self._has_failed = not is_stored
            self._stored_at = time.monotonic()
