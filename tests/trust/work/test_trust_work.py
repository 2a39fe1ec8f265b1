"""The background jobs: refreshing packages, and what follows a new snapshot."""

from __future__ import annotations

from collections import Counter

import pytest
from refreshes import refresh, snapshots
from sqlalchemy import text
from trust_upstreams import FakeUpstreams

from codeintel.app import Services
from codeintel.base.errors import ServiceError
from codeintel.contracts.states import JobState
from codeintel.platform.jobs.kinds import JobContext
from codeintel.trust import forecasting, work
from codeintel.trust.forecasts import NoForecast, Task, process as child
from codeintel.trust.targets import parse_target
from codeintel.trust.work import FORECAST, MANY, NETWORK, RANK, REFRESH, refresh_key


def test_a_refresh(quiet: Services, upstreams: FakeUpstreams) -> None:
    """Asks again, also for what is fresh."""
    quiet.trust.snapshots.snapshot(parse_target("kit"))
    job = refresh(quiet, "npm:kit", "npm:kit0", "pypi:kit1")
    assert job.state is JobState.DONE
    assert job.result == {"packages": 3, "failed": 0}
    assert job.cursor == {"done": 3, "failed": 0}
    assert (job.progress_done, job.progress_total, job.progress_note) == (3, 3, "pypi:kit1")
    assert snapshots(quiet) == {"npm:kit": 2, "npm:kit0": 1, "pypi:kit1": 1}
    assert upstreams.asked["ecosystems"] == 4


def test_what_is_not_found_costs_itself(quiet: Services) -> None:
    job = refresh(quiet, "npm:kit", "npm:unheard-of", "npm:../x", "npm:kit0")
    assert job.result == {"packages": 4, "failed": 2}
    assert snapshots(quiet) == {"npm:kit": 1, "npm:kit0": 1}
    assert job.cursor == {"done": 4, "failed": 2}


def test_one_that_is_not_found(quiet: Services) -> None:
    job = refresh(quiet, "npm:unheard-of")
    assert (job.state, job.result) == (JobState.DONE, {"packages": 1, "failed": 1})
    assert job.progress_note == "npm:unheard-of: not_found"


def test_one_whose_upstreams_are_away(quiet: Services, upstreams: FakeUpstreams) -> None:
    """Check that the job fails immediately with the reason, because its caller waits."""
    upstreams.down.update({"depsdev", "ecosystems"})
    job = refresh(quiet, "npm:kit")
    assert job.state is JobState.FAILED and job.result is None
    assert job.error is not None and "No registry that knows `npm:kit`" in job.error
    assert not snapshots(quiet)


def test_many_are_ranked_at_once(quiet: Services) -> None:
    packages = [f"npm:kit{number}" for number in range(MANY)]
    few = refresh(quiet, *packages[:-1])
    count = text("SELECT count(*) FROM trust_rankings")
    with quiet.trust.store.engine.connect() as connection:
        assert few.result is not None and connection.scalar(count) == 0
    refresh(quiet, *packages)
    with quiet.trust.store.engine.connect() as connection:
        assert connection.scalar(count) == 1


def test_what_follows_a_snapshot(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that snapshots within some seconds share one job for forecasts, and all share one
    ranking, both delayed."""
    monkeypatch.setattr(work.time, "time", lambda: 4_000_000_001.0)
    for name in ("kit", "kit", "kit0"):
        services.trust.snapshots.snapshot(parse_target(name))
    found = Counter((job.kind, job.key) for job in services.jobs.list())
    assert found == {(FORECAST, "pending 800000000"): 1, (RANK, NETWORK): 1}
    (rank,) = services.jobs.list(kind=RANK)
    assert rank.run_after_ms == 4_000_000_001_000 + work.RANK_PAUSE_SECONDS * 1_000
    (forecast,) = services.jobs.list(kind=FORECAST)
    # Snapshots that are stored while it runs use another key.
    assert forecast.run_after_ms == 4_000_000_006_000
    monkeypatch.setattr(work.time, "time", lambda: 4_000_000_005.0)
    services.trust.snapshots.snapshot(parse_target("kit1"))
    assert {job.key for job in services.jobs.list(kind=FORECAST)} == {
        "pending 800000000",
        "pending 800000001",
    }


class Children:
    """Replaces the forecasting processes, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.given: list[int] = []
        monkeypatch.setattr(child, "run_tasks", self.run)

    def run(self, tasks: list[Task], _seconds: float) -> list[NoForecast]:
        self.given.append(len(tasks))
        return [NoForecast(each.metric, None, "none here") for each in tasks]


def test_forecasts_of_what_is_pending(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that many packages share a process, and that versions of a package count once."""
    children, forecasts = Children(monkeypatch), services.trust.reports.forecasts
    names = [f"kit{number}" for number in range(7)]
    for name in (*names, "pkg:npm/kit0@1.2.6"):
        services.trust.snapshots.snapshot(parse_target(name))
    assert forecasts.pending(0, 100) == [f"npm:{name}" for name in names]
    assert len(forecasts.pending(0, 3)) == 3
    assert forecasts.pending(2**50, 100) == []
    job = services.jobs.list(kind=FORECAST)[0]
    context = JobContext(job, None, lambda: False)  # type: ignore[arg-type]
    monkeypatch.setattr(work, "AT_A_TIME", 4)
    assert services.trust.work._forecast(context) == 7
    assert children.given == [4 * 5, 3 * 5]
    assert forecasts.pending(0, 100) == []
    _, of_version = forecasts.of("npm:kit0@1.2.6")
    assert {each.reason for each in of_version} == {"none here"}
    assert {each.target for each in of_version} == {"npm:kit0@1.2.6"}
    # A new snapshot with the same observations asks no process, and is pending no more.
    services.trust.snapshots._fresh = 0
    services.trust.snapshots.snapshot(parse_target("kit0"))
    assert forecasts.pending(0, 100) == ["npm:kit0"]
    assert services.trust.work._forecast(context) == 0
    assert forecasts.pending(0, 100) == [] and len(children.given) == 2


def test_forecasts_that_cannot_be_confirmed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job ends though a package stays pending, as one whose snapshots follow each other does."""
    Children(monkeypatch)
    services.trust.snapshots.snapshot(parse_target("kit"))
    monkeypatch.setattr(forecasting, "now_ms", lambda: 1)
    job = services.jobs.list(kind=FORECAST)[0]
    context = JobContext(job, None, lambda: False)  # type: ignore[arg-type]
    assert services.trust.work._forecast(context) == 1


@pytest.mark.parametrize(
    ("packages", "key"),
    [
        (["npm:kit"], "npm:kit"),
        (["a", "b"], "2 packages, "),
    ],
)
def test_keys_of_refreshes(packages: list[str], key: str) -> None:
    assert refresh_key(packages).startswith(key)
    assert len(refresh_key(packages)) <= 255
    assert refresh_key(packages) == refresh_key(packages[::-1])
    assert refresh_key(packages) != refresh_key([*packages, "c"])


def test_forecasts_follow_a_refresh_together(services: Services) -> None:
    """Check that the last package brings the rest, and that a snapshot of one brings its own."""
    packages = [f"npm:kit{number}" for number in range(5)]
    job = refresh(services, *packages)
    found = {each.key: each.arguments for each in services.jobs.list(kind=FORECAST)}
    assert found == {f"{job.id} 5": {"packages": packages}}


def test_keys_of_the_longest_names(services: Services, upstreams: FakeUpstreams) -> None:
    """Check that every valid target can be refreshed and forecast."""
    longest = "n" * 214
    upstreams.add(longest)
    for text_ in (longest, f"pkg:composer/{'n' * 106}/{'n' * 107}@{'1' * 30}"):
        key = parse_target(text_).key
        assert services.jobs.enqueue(REFRESH, refresh_key([key]), {"packages": [key]})
    services.trust.snapshots.snapshot(parse_target(longest))
    with pytest.raises(ServiceError, match="255"):
        parse_target(f"pkg:npm/{longest}@{'1' * 100}")
