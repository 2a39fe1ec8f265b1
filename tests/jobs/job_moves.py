"""Jobs in the database, compared with a model in memory: the moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule
from job_helpers import Party, effects, empty, note
from sqlalchemy import Engine

from codeintel.contracts.states import OPEN, JobState
from codeintel.platform.db.models import now_ms
from codeintel.platform.jobs.holding import Hold
from codeintel.platform.jobs.kinds import MAX_DEATHS, JobKind, LostJob
from codeintel.platform.jobs.store import Job

MOST = 3
KIND = JobKind("work", lambda _: None, max_attempts=MOST, backoff_seconds=0)
ENDS = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@dataclass
class Model:
    """The expected state of a job."""

    key: str
    state: JobState = JobState.QUEUED
    attempts: int = 0
    deaths: int = 0
    """Processes that were lost since the last step."""
    steps: int = 0
    cancelled: bool = False
    holds: list[Job] = field(default_factory=list)
    """As it was taken, each time."""

    @property
    def held(self) -> Job | None:
        """What its present holder has."""
        return self.holds[-1] if self.state is JobState.RUNNING else None


class Moves(RuleBasedStateMachine):
    """The possible moves in any order, with any claims of holders."""

    engine: Engine
    folder: Path

    jobs = Bundle("jobs")

    def __init__(self) -> None:
        super().__init__()
        empty(self.engine)
        self.party = Party(self.engine, self.folder, [KIND])
        self.holder = self.party.holder
        self.models: dict[str, Model] = {}

    @rule(target=jobs, key=st.sampled_from("ab"))
    def enqueue(self, key: str) -> Any:
        """Check that a job is added only if none of the key is open."""
        present = [
            job_id
            for job_id, model in self.models.items()
            if model.key == key and model.state in OPEN
        ]
        job_id, is_new = self.party.store.add("work", key, None, now_ms())
        if present:
            assert (present, is_new) == ([job_id], False)
            return multiple()
        assert is_new
        self.models[job_id] = Model(key)
        return job_id

    @rule(job_id=jobs)
    def take(self, job_id: str) -> None:
        """Work on the queued jobs only."""
        model = self.models[job_id]
        taken = self.holder.take(job_id)
        assert (taken is not None) is (model.state is JobState.QUEUED)
        if taken is not None:
            assert all(taken.epoch > former.epoch for former in model.holds)
            assert (taken.cursor or 0) == model.steps
            model.holds.append(taken)
            model.state = JobState.RUNNING
            model.attempts += 1

    def hold_of(self, job_id: str, data: st.DataObject) -> tuple[Model, Job | None, bool]:
        """Return one of a job's former holders, and whether it still holds the job."""
        model = self.models[job_id]
        if not model.holds:
            return model, None, False
        held = data.draw(st.sampled_from(model.holds))
        return model, held, held is model.held

    @rule(job_id=jobs, data=st.data())
    def advance(self, job_id: str, data: st.DataObject) -> None:
        """Check that only the present holder can add a step."""
        model, held, is_ours = self.hold_of(job_id, data)
        if held is None:
            return
        step = model.steps
        if is_ours:
            self.holder.advance(held, note(job_id, step), step + 1, None, None, None)
            model.steps += 1
            model.attempts, model.deaths = 1, 0
        else:
            with pytest.raises(LostJob):
                self.holder.advance(held, note(job_id, step), step + 1, None, None, None)

    @rule(job_id=jobs, end=st.sampled_from(ENDS), data=st.data())
    def end(self, job_id: str, end: JobState, data: st.DataObject) -> None:
        model, held, is_ours = self.hold_of(job_id, data)
        if held is not None:
            assert self.holder.end(held, end) is is_ours
            if is_ours:
                model.state = end

    @rule(job_id=jobs, is_failure=st.booleans(), data=st.data())
    def queue_again(self, job_id: str, is_failure: bool, data: st.DataObject) -> None:
        """Requeue after a failure, or on shutdown, unless the job was cancelled."""
        model, held, is_ours = self.hold_of(job_id, data)
        if held is None:
            return
        state = self.holder.retry(held, "no") if is_failure else self.holder.give_back(held)
        if not is_ours:
            assert state is None
            return
        if is_failure and model.attempts >= MOST:
            model.state = JobState.FAILED
        else:
            model.state = JobState.CANCELLED if model.cancelled else JobState.QUEUED
        assert state is model.state
        if not is_failure and not model.cancelled:
            model.attempts -= 1

    @rule(job_id=jobs, data=st.data())
    def renew(self, job_id: str, data: st.DataObject) -> None:
        model, held, is_ours = self.hold_of(job_id, data)
        if held is not None:
            ours = Hold.CANCELLED if model.cancelled else Hold.OURS
            assert self.holder.renew(held) is (ours if is_ours else Hold.LOST)

    @rule(job_id=jobs)
    def cancel(self, job_id: str) -> None:
        model = self.models[job_id]
        assert self.party.jobs.cancel(job_id) is (model.state in OPEN)
        if model.state in OPEN:
            model.cancelled = True
        if model.state is JobState.QUEUED:
            model.state = JobState.CANCELLED

    @rule(job_id=jobs)
    def lose_the_process(self, job_id: str) -> None:
        """Expire the lease. Two losses at the same step end the job, even with attempts left."""
        model = self.models[job_id]
        if model.state is JobState.RUNNING:
            self.party.change(job_id, lease_ms=now_ms() - 1)
            if model.cancelled:
                model.state = JobState.CANCELLED
            else:
                model.deaths += 1
                is_last = model.deaths >= MAX_DEATHS or model.attempts >= MOST
                model.state = JobState.FAILED if is_last else JobState.QUEUED
        self.party.jobs.reconciler.release_expired()

    @invariant()
    def the_rows_are_as_the_model(self) -> None:
        rows = {job.id: job for job in self.party.jobs.list(limit=1000)}
        assert rows.keys() == self.models.keys()
        for job_id, model in self.models.items():
            row = rows[job_id]
            assert (row.state, row.attempts) == (model.state, model.attempts)
            assert (row.finished_ms is None) is (model.state in OPEN)
            assert effects(self.engine, job_id) == list(range(row.cursor or 0))
            assert (row.cursor or 0) == model.steps
