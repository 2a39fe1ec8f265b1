"""The names that are sent to the trust network, and the results about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import gevent
import pytest
from msgspec import UNSET
from support import MakeApp
from trust_cases import Fixed, Told
from trust_upstreams import FakeUpstreams, fake_upstreams

from codeintel.app import Services
from codeintel.contracts import Conversation, Evidence, SourceError, SourceProblem, Target
from codeintel.trust.collection import Collecting
from codeintel.trust.service import Trust
from codeintel.workspaces.proof.manifests.dependencies import (
    AT_ONCE,
    FAILED,
    LIMIT,
    NO_NAME,
    NO_TIME,
    PRIVATE,
    TOO_MANY,
    with_trust,
)
from codeintel.workspaces.proof.manifests.reader import manifests
from codeintel.workspaces.proof.shapes import Dependency, DependencyTrust, Manifest


class Recording(Told):
    """A registry that records the requested packages."""

    wait: gevent.event.Event | None = None

    def __init__(self) -> None:
        super().__init__("registry", is_registry=True, version="1.0.0")
        self.names: list[str] = []
        self.at_once = self.most = 0

    def say(self, target: Target, evidence: Evidence) -> Conversation:
        self.names.append(target.key)
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            gevent.sleep(0)
            if self.wait is not None:
                self.wait.wait()
        finally:
            self.at_once -= 1
        if "gone" in target.name:
            evidence.unknown()
            return
        if "away" in target.name:
            raise SourceError(SourceProblem.UNAVAILABLE, "The registry is away.", 5.0)
        yield from super().say(target, evidence)


@pytest.fixture
def registry() -> Recording:
    return Recording()


@pytest.fixture
def trust(services: Services, registry: Recording) -> Trust:
    """Return a trust network that gives good scores."""
    return Trust(services.trust.store, Collecting([registry]), (Fixed("good", 10, 1.0),), 21_600)


def manifest(*names: str, ecosystem: str = "npm", **more: Any) -> Manifest:
    dependencies = (
        Dependency(name=name, requirement="1", group="runtime", **more) for name in names
    )
    return Manifest(path="/m", ecosystem=ecosystem, dependencies=tuple(dependencies))


def verdicts(found: list[Manifest]) -> dict[str, DependencyTrust]:
    return {
        each.name: each.trust
        for manifest in found
        for each in manifest.dependencies
        if each.trust is not UNSET
    }


def test_nothing_is_asked_unless_it_is_allowed(trust: Trust, registry: Recording) -> None:
    given = [manifest("left")]
    assert with_trust(given, trust, False) == (given, False)
    assert registry.names == []


def test_each_public_name_is_asked_for_once(trust: Trust, registry: Recording) -> None:
    given = [
        manifest("left", "right"),
        manifest("left", "@a/b"),
        manifest("Left_pad", "left.pad", ecosystem="pypi"),
        manifest("ours", private="It is ours."),
    ]
    found, asked = with_trust(given, trust, True)
    assert asked
    assert sorted(registry.names) == ["npm:@a/b", "npm:left", "npm:right", "pypi:left-pad"]
    known = verdicts(found)
    assert known.keys() == {"left", "right", "@a/b", "Left_pad", "left.pad"}
    assert all(each == DependencyTrust(score=100, low=100, high=100) for each in known.values())
    assert [each.path for each in found] == [each.path for each in given]
    assert found[3] == given[3]
    with_trust(given, trust, True)
    assert len(registry.names) == 4, "what is fresh is not asked for again"


def test_a_name_that_is_private_anywhere_is_asked_for_nowhere(
    trust: Trust, registry: Recording
) -> None:
    found, asked = with_trust([manifest("ours"), manifest("ours", private="x")], trust, True)
    assert not asked
    assert registry.names == []
    assert verdicts(found) == {"ours": DependencyTrust(unknown=PRIVATE)}


def test_names_that_no_registry_has(trust: Trust, registry: Recording) -> None:
    names = ["a b", "../etc", "pkg:npm/left", "pypi:left", "left@1.0.0", "ä", "", "a" * 300, "@a"]
    found, asked = with_trust([manifest(*names), manifest("x", ecosystem="hex")], trust, True)
    assert not asked
    assert registry.names == []
    assert set(verdicts(found).values()) == {DependencyTrust(unknown=NO_NAME)}


def test_at_most_so_many_and_those_that_run_first(trust: Trust, registry: Recording) -> None:
    development = manifest(*(f"dev{i}" for i in range(150)), ecosystem="npm")
    development = Manifest(
        path="/a",
        ecosystem="npm",
        dependencies=tuple(
            Dependency(name=each.name, requirement="", group="development")
            for each in development.dependencies
        ),
    )
    runtime = manifest(*(f"run{i}" for i in range(100)))
    found, _ = with_trust([development, runtime], trust, True)
    assert len(registry.names) == LIMIT
    assert len([name for name in registry.names if "run" in name]) == 100
    unknown = [each for each in verdicts(found).values() if each.unknown == TOO_MANY]
    assert len(unknown) == 50
    assert registry.most <= AT_ONCE


def test_why_nothing_is_known(trust: Trust) -> None:
    found, asked = with_trust([manifest("gone", "away", "left")], trust, True)
    assert asked
    known = verdicts(found)
    assert known["left"].score == 100
    assert known["gone"].unknown == "No registry has this package."
    assert "can be reached" in str(known["away"].unknown)
    assert known["away"].score is UNSET


def test_a_fault_costs_one_package(trust: Trust, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = trust.patient_snapshot

    def faulty(target: Target) -> Any:
        if target.name == "left":
            raise RuntimeError("a fault")
        return ask(target)

    monkeypatch.setattr(trust, "patient_snapshot", faulty)
    known = verdicts(with_trust([manifest("left", "right")], trust, True)[0])
    assert known["left"] == DependencyTrust(unknown=FAILED)
    assert known["right"].score == 100


def test_the_time_ends(trust: Trust, registry: Recording) -> None:
    registry.wait = gevent.event.Event()
    found, asked = with_trust([manifest(*"abcdefgh")], trust, True, seconds=0.2)
    assert asked
    assert set(verdicts(found).values()) == {DependencyTrust(unknown=NO_TIME)}
    gevent.sleep(0)
    assert len(registry.names) == AT_ONCE, "and nobody is asked after it"
    registry.wait = None
    assert with_trust([manifest("a")], trust, True, seconds=0)[0][0].dependencies[0].trust != UNSET


def test_it_can_be_stopped(trust: Trust, registry: Recording) -> None:
    registry.wait = gevent.event.Event()

    def stop() -> None:
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        with_trust([manifest("left")], trust, True, checkpoint=stop)
    assert registry.names == ["npm:left"]


def test_concerns(services: Services, registry: Recording) -> None:
    scorers = [
        Fixed("fine", 50, 1.0),
        Fixed("bad", 5, 0.0),
        Fixed("worse", 20, 0.1),
        Fixed("unknown", 5, None),
    ]
    for scorer, title in zip(scorers, ("Fine", "Bad", "Worse", "Unknown"), strict=True):
        scorer.title = title  # type: ignore[misc]
    trust = Trust(services.trust.store, Collecting([registry]), tuple(scorers), 21_600)
    (found,) = verdicts(with_trust([manifest("left")], trust, True)[0]).values()
    assert found.concerns == ("Worse", "Bad")
    assert found.low < found.high


def test_what_is_stored_stands_in_while_upstreams_are_away(
    services: Services, registry: Recording
) -> None:
    trust = Trust(services.trust.store, Collecting([registry]), (Fixed("good", 10, 1.0),), 0)
    assert trust.patient_snapshot(Target("npm", "left")).outage == ()  # type: ignore[arg-type]

    def away(_target: Target, _evidence: Evidence) -> Conversation:
        raise SourceError(SourceProblem.UNAVAILABLE, "The registry is away.", 5.0)
        yield

    registry.say = away  # type: ignore[method-assign]
    (found,) = verdicts(with_trust([manifest("left")], trust, True)[0]).values()
    assert found.score == 100


@pytest.fixture
def upstreams() -> Iterator[FakeUpstreams]:
    with fake_upstreams() as fake:
        yield fake


def test_over_loopback_no_private_name_goes_out(
    make_app: MakeApp, upstreams: FakeUpstreams
) -> None:
    upstreams.add("kit")
    sent: list[str] = []
    answer = upstreams.answer

    def recorded(path: str, body: bytes) -> tuple[int, Any]:
        sent.append(f"{path} {body.decode()}")
        return answer(path, body)

    upstreams.answer = recorded  # type: ignore[method-assign]
    services = make_app(upstreams.settings()).extensions["codeintel"]
    files = [
        (
            "/package.json",
            '{"name": "@hush/app", "dependencies": {"kit": "1", "@secretive/a": "1",'
            ' "hushed": "file:../x", "@hush/b": "1", "hushgit": "git+ssh://h.example/x"}}',
        ),
        ("/.npmrc", "@secretive:registry=https://packages.corp.example/\n"),
        ("/requirements.txt", "--extra-index-url https://packages.corp.example/\nhushpy\n"),
        ("/go.mod", "module x\nrequire git.hush.example/a v1.0.0\n"),
    ]
    found, asked = with_trust(manifests(files), services.trust.snapshots, True)
    assert asked
    assert any("kit" in each for each in sent)
    assert not [each for each in sent if "hush" in each or "secretive" in each]
    assert verdicts(found).keys() == {"kit"}
    assert isinstance(verdicts(found)["kit"].score, float)


def test_over_loopback_at_most_so_many_are_asked_for(
    make_app: MakeApp, upstreams: FakeUpstreams
) -> None:
    names = set[str]()
    answer = upstreams.answer

    def recorded(path: str, body: bytes) -> tuple[int, Any]:
        names.update(re.findall(r"name[0-9]+", path))
        return answer(path, body)

    upstreams.answer = recorded  # type: ignore[method-assign]
    settings = {**upstreams.settings(), "CODEINTEL_TRUST_REQUESTS_PER_HOUR": "3600000"}
    services = make_app(settings).extensions["codeintel"]
    text = "\n".join(f"name{i}" for i in range(LIMIT + 30))
    found, _ = with_trust(manifests([("/requirements.txt", text)]), services.trust.snapshots, True)
    assert len(names) == LIMIT
    known = [each.unknown for each in verdicts(found).values()]
    assert known.count("No registry has this package.") == LIMIT
    assert known.count(TOO_MANY) == 30
