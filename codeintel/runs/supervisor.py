"""Background work for the runs of a process: leases, sweeping, cancellation."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping

import gevent

from codeintel.base.logging import describe
from codeintel.contracts.states import RunState
from codeintel.platform.config import Settings
from codeintel.runs.events.sharing import SharedLogs
from codeintel.runs.run import LOST, Run, RunOutcome
from codeintel.runs.store import RunRecords, RunStore

log = logging.getLogger(__name__)

WATCH_SECONDS = 0.1
ASK_SECONDS = 0.5
"""Interval in seconds of the database check for runs that other processes want to end, or
have ended.
"""
FORGET_SECONDS = 10.0
"""How long old runs are deleted before the leader is determined again."""
LEAD_SECONDS = 120.0
"""How long after its last round another process may take over the deletion."""
ABANDONED = RunOutcome(RunState.CANCELLED, "client_disconnected", "The client disconnected.")
CANCELLED = RunOutcome(RunState.CANCELLED, "cancel_requested", "The run was cancelled on request.")


class Supervisor:
    """Three greenlets: one renews leases and sweeps, one ends runs, and one deletes old runs.

    Deletion has a separate greenlet, because it may take long.

    :param active: the active runs of this process, by id.
    :param settle: settles a run whose work did not stop.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        store: RunStore,
        records: RunRecords,
        active: Mapping[str, Run],
        shared: SharedLogs | None,
        settle: Callable[[Run, RunOutcome], object],
    ) -> None:
        self._settings = settings
        self._store = store
        self._records = records
        self._active = active
        self._shared = shared
        self._settle = settle
        self._ask_at = 0.0
        self._untold: list[str] = []
        self._greenlets: list[gevent.Greenlet[..., None]] = []

    def start(self) -> None:
        """Start the greenlets that are not running."""
        if not self._greenlets or any(each.dead for each in self._greenlets):
            self.stop()
            self._greenlets = [
                gevent.spawn(each) for each in (self._keep, self._watch, self._clean)
            ]

    def stop(self) -> None:
        """End the greenlets."""
        gevent.killall(self._greenlets, block=False)
        self._greenlets = []

    def _keep(self) -> None:
        while True:
            gevent.sleep(self._settings().hold_ttl / 3)
            for step in (self._renew_and_sweep, self._tell_readers):
                try:  # independently: no error may end the renewal of the leases
                    step()
                except Exception as error:  # noqa: BLE001 - the next round may work again
                    log.error("run maintenance failed: %s: %s", step.__name__, describe(error))

    def _renew_and_sweep(self) -> None:
        """Renew the leases of this process's runs, then fail the runs whose lease ran out.

        After the renewal, only runs of lost processes have outdated leases.
        """
        self._store.renew(list(self._active))
        swept = self._store.sweep()
        if swept:
            log.warning("failed %d runs whose process is gone", len(swept))
        if self._shared is not None:
            self._untold += swept

    def _tell_readers(self) -> None:
        """Send the terminal events that lost processes could not send."""
        while self._shared is not None and self._untold:
            record = self._records.find(self._untold[0])  # if this fails, the next round repeats it
            del self._untold[0]
            if record is not None:
                self._shared.close(record)

    def _clean(self) -> None:
        while True:
            gevent.sleep(self._settings().hold_ttl / 3)
            try:
                self._forget()
            except Exception as error:  # noqa: BLE001 - the next round may work again
                log.error("old runs could not be deleted: %s", describe(error))

    def _forget(self) -> None:
        """Delete old runs, if this process does so for all."""
        while self._store.leads_retention(LEAD_SECONDS):
            if self._store.forget(self._settings().run_retention, FORGET_SECONDS):
                return

    def _watch(self) -> None:
        while True:
            gevent.sleep(WATCH_SECONDS)
            try:
                self._settle_left_behind()
                self._end_unread()
                self._end_by_rows()
            except Exception as error:  # noqa: BLE001 - the next round may work again
                log.error("runs could not be monitored: %s", describe(error))

    def _settle_left_behind(self) -> None:
        now = time.monotonic()
        for run in [each for each in self._active.values() if now >= each.must_end_by]:
            outcome = run.left_behind()
            if outcome is not None:
                self._settle(run, outcome)

    def _end_unread(self) -> None:
        """Cancel the runs that had no reader during the grace period, in any process.

        After an outage of Redis the grace period restarts, because readers at other processes must
        report again.
        """
        unread = [run for run in self._active.values() if not (run.log.readers or run.log.ended)]
        if not unread:
            return
        latest = time.monotonic() - self._settings().run_resume_grace
        for run in unread:
            events = run.log
            if events.readers or events.ended or events.unread_since > latest:
                continue
            if self._shared is not None and self._shared.is_read_elsewhere(run.plan.id):
                events.unread_since = time.monotonic()
            # The query to Redis lets other greenlets run, so a reader may have come to this
            # process.
            elif not events.readers and events.unread_since <= latest:
                run.stop(ABANDONED)

    def _end_by_rows(self) -> None:
        """Cancel the runs that another process was asked to cancel, and stop those that have ended.

        Runs may end with their account, which a command may delete, or as lost.
        """
        if not self._active or time.monotonic() < self._ask_at:
            return
        self._ask_at = time.monotonic() + ASK_SECONDS
        found = self._records.to_stop(list(self._active))
        for run_ids, outcome in ((found.requested, CANCELLED), (found.over, LOST)):
            for run_id in run_ids:
                run = self._active.get(run_id)
                if run is not None:
                    run.stop(outcome)
