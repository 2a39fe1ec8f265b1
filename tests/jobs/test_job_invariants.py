"""After any sequence of events, each job has one holder and each step is done once."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from job_moves import Moves
from sqlalchemy import Engine


def test_a_job_has_one_holder_and_each_step_is_done_once(database: Engine, tmp_path: Path) -> None:
    class OnThisDatabase(Moves):
        engine = database
        folder = tmp_path

    run_state_machine_as_test(
        OnThisDatabase,
        settings=settings(
            max_examples=15,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
