"""What is done for the runs of a process beside their work: leases, sweeping, cancelling."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping

import gevent

from codeintel.config import Settings
from codeintel.logs import describe
from codeintel.runs.records import RunRecords
from codeintel.runs.run import Outcome, Run
from codeintel.runs.sharing import SharedLogs
from codeintel.runs.states import RunState
from codeintel.runs.store import RunStore

log = logging.getLogger(__name__)

WATCH_SECONDS = 0.1
ASK_SECONDS = 0.5
"""How often the database is asked for requests to cancel that came to other processes."""
ABANDONED = Outcome(RunState.CANCELLED, "client_disconnected", "Nobody was reading any more.")
CANCELLED = Outcome(RunState.CANCELLED, "cancel_requested", "Somebody asked for its end.")


class Keeper:
    """Two greenlets: one renews leases and sweeps, one watches for runs that should end.

    :param active: the runs under way here, by id.
    :param settle: has a run settled whose work did not stop.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        store: RunStore,
        records: RunRecords,
        active: Mapping[str, Run],
        shared: SharedLogs | None,
        settle: Callable[[Run, Outcome], object],
    ) -> None:
        self._settings = settings
        self._store = store
        self._records = records
        self._active = active
        self._shared = shared
        self._settle = settle
        self._ask_at = 0.0
        self._greenlets: list[gevent.Greenlet[..., None]] = []

    def start(self) -> None:
        """Start what does not run."""
        if not self._greenlets or any(each.dead for each in self._greenlets):
            self.stop()
            self._greenlets = [gevent.spawn(self._keep), gevent.spawn(self._watch)]

    def stop(self) -> None:
        """End both."""
        gevent.killall(self._greenlets, block=False)
        self._greenlets = []

    def _keep(self) -> None:
        while True:
            gevent.sleep(self._settings().hold_ttl / 3)
            try:
                self._store.renew(list(self._active))
                swept = self._store.sweep()
                self._store.forget(self._settings().run_retention)
            except Exception as error:  # noqa: BLE001 - the next round may work again
                log.error("leases were not renewed: %s", describe(error))
            else:
                if swept:
                    log.warning("failed %d runs whose process is gone", len(swept))
                    self._tell_readers(swept)

    def _tell_readers(self, run_ids: list[str]) -> None:
        """Send the terminal events that the lost processes could not."""
        for run_id in run_ids if self._shared is not None else ():
            record = self._records.find(run_id)
            if record is not None and self._shared is not None:
                self._shared.close(record)

    def _watch(self) -> None:
        while True:
            gevent.sleep(WATCH_SECONDS)
            try:
                self._settle_left_behind()
                self._end_unread()
                self._end_requested()
            except Exception as error:  # noqa: BLE001 - the next round may work again
                log.error("runs were not watched: %s", describe(error))

    def _settle_left_behind(self) -> None:
        for run in list(self._active.values()):
            outcome = run.left_behind()
            if outcome is not None:
                self._settle(run, outcome)

    def _end_unread(self) -> None:
        """Cancel the runs that nobody has read for the grace, here or elsewhere. After a time in
        which that could not be asked the grace begins anew: readers elsewhere have to tell again.
        """
        latest = time.monotonic() - self._settings().run_resume_grace
        for run in list(self._active.values()):
            events = run.log
            if events.readers or events.ended or events.unread_since > latest:
                continue
            if self._shared is not None and self._shared.is_read_elsewhere(run.facts.id):
                events.unread_since = time.monotonic()
            else:
                run.stop(ABANDONED)

    def _end_requested(self) -> None:
        """Cancel the runs for which another process was asked to."""
        if self._shared is None or not self._active or time.monotonic() < self._ask_at:
            return
        self._ask_at = time.monotonic() + ASK_SECONDS
        for run_id in self._records.requested_ends(list(self._active)):
            run = self._active.get(run_id)
            if run is not None:
                run.stop(CANCELLED)
