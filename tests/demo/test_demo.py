"""Load the demo and remove it, over each kind of database."""

from __future__ import annotations

import pytest
from demo_work import counts, failed_jobs, no_network, work_off
from support import User, make_user

from codeintel.app import Services
from codeintel.contracts import Ecosystem, Fact, Target
from codeintel.contracts.findings import Severity
from codeintel.contracts.states import RunSource, RunState
from codeintel.operations.demo import bundle
from codeintel.operations.demo.evidence import load as load_evidence
from codeintel.operations.demo.service import DemoState
from codeintel.runs.listing import list_runs
from codeintel.trust import scores
from codeintel.trust.network import NodeKind
from codeintel.trust.network.ranks import overview
from codeintel.trust.recorded import is_recorded
from codeintel.trust.scores import Inputs
from codeintel.trust.store import Stored, save
from codeintel.workspaces.records import DEMO_SOURCE, WorkspaceRecord
from codeintel.workspaces.requests import SyncBody

COLLECTED_MS = 1_900_000_000_000


@pytest.fixture
def services(database_services: Services) -> Services:
    return database_services


def load(services: Services, user: User) -> None:
    services.demo.load(user.account.id)
    work_off(services)
    assert failed_jobs(services) == []


def collect(services: Services, name: str) -> None:
    """Store a snapshot of a package of PyPI as a lookup does."""
    target = Target(Ecosystem.PYPI, name)
    fact = Fact("repository", f"github.com/example-org/{name}", "test", "", "2030-03-17T17:46:40Z")
    inputs = Inputs(target=target, as_of="2030-03-17T17:46:40Z", facts=(fact,))
    score = scores.score(inputs, services.trust.snapshots.scorers)
    stored = Stored(
        f"snap_{name}",
        target.key,
        COLLECTED_MS,
        score.scorer_version,
        score.inputs_hash,
        scores.encode_inputs(inputs).decode(),
        scores.encode_score(score).decode(),
    )
    writer = services.trust.store.writer
    writer.run(lambda connection: save(connection, target, inputs, stored))


def check_network(services: Services) -> None:
    """Check the ranks, and the forecasts, which are of the day on which the history ends."""
    with services.engine.connect() as connection:
        network = overview(connection)
    assert network.ranking is not None and network.ranking.scored == 50
    stars, _ = services.trust.forecasts.of("github:grafana/k6")
    assert [each.metric for each in stars] == ["stars"]
    example, _ = services.trust.forecasts.of(services.demo.forecast_example())
    assert example
    releases, _ = services.trust.forecasts.of("pypi:zope-interface")
    assert {each.metric for each in releases} == {"releaseCadence", "dormancyRisk"}


def record(services: Services) -> bool:
    """Store the recorded evidence alone."""
    trust = services.trust
    return load_evidence(trust.store, trust.snapshots.scorers, bundle.recorded_packages())


def push(services: Services, user: User, files: dict[str, str]) -> WorkspaceRecord:
    """Push files with the labels of the demo."""
    body = SyncBody(files=files, name=bundle.NAME, source=DEMO_SOURCE)
    return services.workspaces.sync(user.account.id, user.account.tier, body).session


def test_the_demo_is_analyzed_offline_and_removed_without_a_trace(
    services: Services, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = counts(services)
    account = user.account
    if services.engine.dialect.name == "sqlite":  # the other database is behind a socket itself
        with no_network(monkeypatch) as asked:
            load(services, user)
        assert asked == []
    else:
        load(services, user)
    assert services.demo.state(account.id) is DemoState.LOADED

    session = services.demo.session(account.id)
    assert session is not None and session.revision == 2
    second, first = services.proof.reports(session)
    assert 15 <= sum(first.counts.values()) <= 30
    assert sum(number > 0 for number in first.counts.values()) >= 3
    assert first.counts[Severity.CRITICAL] > second.counts[Severity.CRITICAL] > 0
    assert second.new and second.fixed and second.fixed > second.new
    flows = [each for each in services.proof.report(session).findings if each.finding.flow]
    assert flows, "no finding has a path from source to sink"

    runs = list_runs(services.engine, account.id, limit=50).runs
    assert len(runs) == 7
    assert {each.state for each in runs} == {RunState.COMPLETED}
    assert {each.source for each in runs} == {RunSource.DEMO}

    balance = services.ledger.balance(account.id)
    assert (balance.posted, balance.held) == (100, 0)
    loaded = counts(services)
    assert loaded["ledger_entries"] == before["ledger_entries"]
    assert (first.credits_charged, second.credits_charged) == (0, 0)
    assert loaded["trust_packages"] == 50
    check_network(services)

    services.demo.load(account.id)
    work_off(services)
    assert counts(services) == loaded, "loading twice must change nothing"

    services.demo.remove(account.id)
    assert counts(services) == before
    assert services.workspaces.stored_bytes(account.id) == 0
    assert services.demo.state(account.id) is DemoState.ABSENT
    services.demo.remove(account.id)
    assert counts(services) == before


def test_a_removal_while_it_is_loaded_leaves_nothing(services: Services, user: User) -> None:
    before = counts(services)
    services.demo.load(user.account.id)
    (job,) = services.jobs.list()
    services.jobs._work.do(job.id)
    assert services.demo.state(user.account.id) is DemoState.LOADING
    services.demo.remove(user.account.id)
    work_off(services)
    assert counts(services) == before


def test_only_the_unchanged_sample_program_is_free(services: Services, user: User) -> None:
    session = push(services, user, {"/a.py": "eval(input())\n"})
    work_off(services)
    assert services.proof.report(session, 1).summary.credits_charged > 0
    session = push(services, user, bundle.revisions()[0])
    services.proof.request(session)
    work_off(services)
    assert services.proof.report(session, 2).summary.credits_charged == 0
    changes = {"/web/tracking.js": "eval(location.hash);\n"}
    services.workspaces.edit(user.account.id, user.account.tier, session.id, 2, changes, "browser")
    services.proof.request(session)
    work_off(services)
    assert services.proof.report(session, 3).summary.credits_charged > 0


def test_the_label_of_other_workspaces_makes_nothing_free(services: Services, user: User) -> None:
    body = SyncBody(files=bundle.revisions()[0], name=bundle.NAME, source="cli")
    session = services.workspaces.sync(user.account.id, user.account.tier, body).session
    assert not session.is_demo
    work_off(services)
    assert services.proof.report(session).summary.credits_charged > 0


def test_a_network_with_packages_is_left_alone(services: Services, user: User) -> None:
    collect(services, "flask")
    before = counts(services)
    assert not record(services)
    assert counts(services) == before
    services.demo.remove(user.account.id)
    assert counts(services) == before


def test_a_lookup_replaces_the_recorded_evidence(services: Services, user: User) -> None:
    assert record(services)
    collect(services, "zope-interface")
    newest = services.trust.store.newest("pypi:zope-interface")
    assert newest is not None and not is_recorded(newest.id)
    assert services.trust.store.observations("pypi:zope-interface") == {}
    services.demo.remove(user.account.id)
    assert services.trust.store.packages() == ["pypi:zope-interface"]
    assert services.demo.recorded_on() is None
    with services.engine.connect() as connection:
        network = overview(connection)
    assert (network.nodes[NodeKind.PACKAGE], network.nodes[NodeKind.REPOSITORY]) == (1, 1)


def test_the_evidence_stays_while_another_account_has_the_demo(
    services: Services, user: User
) -> None:
    other = make_user(services, "other@example.org")
    for each in (user, other):
        push(services, each, {"/a.py": "x = 1\n"})
    record(services)
    services.demo.remove(user.account.id)
    assert services.demo.recorded_on() is not None
    services.demo.remove(other.account.id)
    assert services.demo.recorded_on() is None


def test_recorded_evidence_is_never_fresh(services: Services) -> None:
    record(services)
    kept = services.trust.snapshots.stored(Target(Ecosystem.PYPI, "flask"))
    assert kept is not None and kept.is_recorded
    assert not services.trust.snapshots._is_fresh(kept)
    missing = [each for each in kept.score.signals if each.status == "missing"]
    assert missing and all("without a lookup" in each.note for each in missing)


def test_the_demo_of_an_unknown_account_is_not_loaded(services: Services) -> None:
    before = counts(services)
    services.demo.load("acc_nobody")
    (job,) = services.jobs.list()
    services.jobs._work.do(job.id)
    after = counts(services)
    assert {name for name in after if after[name] != before[name]} == {"jobs"}
