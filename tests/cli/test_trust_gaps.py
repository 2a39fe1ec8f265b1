"""The missed packages and upstreams in the output of a refresh."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from codeintel.cli.trust.gaps import failing, failure_lines, gap_lines
from codeintel.cli.trust.refresh import _interrupted, _tell
from codeintel.contracts import SourceError, SourceProblem
from codeintel.contracts.states import JobState
from codeintel.platform.upstreams.upstream import SourceState
from codeintel.trust.scores import Failure

BEGAN = 1_000
LIMITED, UNREACHABLE = SourceProblem.RATE_LIMITED, SourceProblem.UNREACHABLE


def trust_of(found: Mapping[str, tuple[int, tuple[Failure, ...]]], token: str = "") -> Any:
    """Return a network with snapshots by package: when each was begun, and what failed."""

    def newest(package: str) -> Any:
        if package not in found:
            return None
        collected_ms, failures = found[package]
        inputs = SimpleNamespace(failures=failures)
        return SimpleNamespace(collected_ms=collected_ms, read_inputs=lambda: inputs)

    collectors = [
        SimpleNamespace(name="gh-a", title="GitHub", token=token),
        SimpleNamespace(name="gh-b", title="GitHub", token=token),
        SimpleNamespace(name="osv", title="OSV", token=""),
    ]
    collecting = SimpleNamespace(collectors=collectors, upstreams={})
    return SimpleNamespace(store=SimpleNamespace(newest=newest), collecting=collecting)


def job_of(packages: list[str], **more: Any) -> Any:
    values = {"started_ms": BEGAN, "created_ms": 1, "result": {}, **more}
    return SimpleNamespace(arguments={"packages": packages}, **values)


def lines(trust: Any, job: Any, **seen: str) -> list[str]:
    return list(gap_lines(trust, job, {f"npm:{name}": code for name, code in seen.items()}))


@pytest.mark.parametrize("token", ["", "secret"])
def test_upstreams_that_were_missed(token: str) -> None:
    """Check that a package counts once for each upstream, and that permanent failures do not
    count."""
    none = (Failure("gh-a", LIMITED, "Used up."), Failure("gh-b", LIMITED, "Used up."))
    gone = (Failure("gh-a", SourceProblem.REFUSED, "Renamed."),)
    away = (Failure("osv", UNREACHABLE, "OSV cannot be reached."),)
    found = {"a": (BEGAN, none), "b": (BEGAN, (*none, *away)), "c": (BEGAN, gone)}
    told = lines(trust_of(found, token), job_of(["a", "b", "c"]))
    assert told[:2] == [
        "2 of 3 without GitHub: Used up.",
        "1 of 3 without OSV: OSV cannot be reached.",
    ]
    assert [each for each in told[2:] if "Set CODEINTEL_GITHUB_TOKEN" in each] == told[2:]
    assert len(told[2:]) == (0 if token else 1)
    assert token == "" or not any(token in each for each in told)


def test_no_hint_where_a_token_changes_nothing() -> None:
    found = {"a": (BEGAN, (Failure("gh-a", UNREACHABLE, "GitHub cannot be reached."),))}
    told = lines(trust_of(found), job_of(["a"]))
    assert told == ["1 of 1 without GitHub: GitHub cannot be reached."]


def test_a_cause_is_told_once() -> None:
    away, at_osv = "GitHub cannot be reached.", "OSV was not queried: GitHub cannot be reached."
    failures = (
        Failure("osv", UNREACHABLE, at_osv),
        Failure("gh-a", UNREACHABLE, away),
        Failure("far", UNREACHABLE, f"Far was not queried: {at_osv}"),
        Failure("npm", UNREACHABLE, "npm cannot be reached."),
    )
    assert list(failure_lines(failures)) == [
        f"gh-a: unreachable: {away} For this reason, 2 more sources gave no evidence.",
        "npm: unreachable: npm cannot be reached.",
    ]
    told = lines(trust_of({"a": (BEGAN, failures[:2])}), job_of(["a"]))
    assert told == [f"1 of 1 without GitHub, OSV: {away}"]


def test_packages_that_were_missed() -> None:
    """Check the counts by reason. Earlier snapshots do not count."""
    trust = trust_of({"npm:old": (BEGAN - 1, ()), "npm:new": (BEGAN, ())})
    trust.collecting.upstreams = {"x": SimpleNamespace(state=SourceState())}
    packages = ["npm:new", "npm:old", "npm:none", "npm:odd", "npm:mute"]
    codes = {"old": "upstreams_unavailable", "none": "not_found", "odd": "not_found"}
    assert lines(trust, job_of(packages), **codes) == [
        "Not refreshed: npm:old: Its registries cannot be reached.",
        "Not refreshed: npm:none, npm:odd: No registry has this package.",
        "Not refreshed: npm:mute: Run `codeintel trust explain` to see why.",
    ]
    many = [f"npm:k{number}" for number in range(12)]
    [told] = lines(trust, job_of(many))
    assert "npm:k9 and 2 more: " in told and "npm:k10" not in told


def test_reasons_of_the_result_come_first() -> None:
    failures = [{"package": "npm:a", "reason": "`npm:a` is away."}]
    job = job_of(["npm:a"], result={"failures": failures})
    assert lines(trust_of({}), job, a="not_found") == ["Not refreshed: npm:a: it is away."]


def test_upstreams_that_fail_now() -> None:
    """Check that upstreams that have answered since then are not reported."""
    states = [SourceState() for _ in range(3)]
    for number, state in enumerate(states[:2]):
        state.failed(SourceError(UNREACHABLE, f"No {number}."))
    states[0].answered()
    upstreams = {str(n): SimpleNamespace(state=state) for n, state in enumerate(states)}
    assert list(failing(SimpleNamespace(upstreams=upstreams))) == ["No 1."]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (JobState.QUEUED, "The job job_1 is queued at 1/3."),
        (JobState.RUNNING, "The job job_1 continues in another process, host:7:x. "),
        (JobState.DONE, "The job job_1 has already ended (done)."),
    ],
)
def test_what_becomes_of_an_interrupted_job(state: JobState, told: str) -> None:
    ended = 5 if state is JobState.DONE else None
    more = {"progress_done": 1, "progress_total": 3, "owner": "host:7:x"}
    job: Any = SimpleNamespace(state=state, finished_ms=ended, **more)
    assert told in _interrupted(job, "job_1")
    assert "has already ended (deleted)" in _interrupted(None, "job_1")


@pytest.mark.parametrize(
    ("state", "error", "told"),
    [
        (JobState.CANCELLED, "An earlier one.", "trust.refresh cancelled: by another process\n"),
        (JobState.FAILED, "It broke.", "trust.refresh failed: It broke.\n"),
        (JobState.DONE, None, "trust.refresh done: no result\n"),
    ],
)
def test_jobs_without_a_result(
    state: JobState, error: str | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    services: Any = SimpleNamespace(trust=SimpleNamespace(snapshots=trust_of({})))
    job = job_of(["npm:a"], kind="trust.refresh", state=state, error=error)
    job.result = None
    with pytest.raises(SystemExit) as ended:
        _tell(services, job, {})
    assert ended.value.code == 1
    assert capsys.readouterr().err == told
