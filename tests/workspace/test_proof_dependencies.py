"""Dependencies in a report: which names go out from a push to its report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import UNSET
from proof_work import push, work_off
from support import MakeApp, make_user
from trust_upstreams import FakeUpstreams, fake_upstreams

from codeintel.app import Services
from codeintel.workspaces.proof.shapes import Dependency

MANIFEST = json.dumps({"dependencies": {"kit": "^1", "@hush/core": "^2", "hushed": "file:../x"}})


class Wire:
    """Requests to upstreams."""

    def __init__(self, upstreams: FakeUpstreams) -> None:
        self.sent: list[str] = []
        answer = upstreams.answer

        def recorded(path: str, body: bytes) -> tuple[int, Any]:
            self.sent.append(f"{path} {body.decode()}")
            return answer(path, body)

        upstreams.answer = recorded  # type: ignore[method-assign]


@pytest.fixture
def upstreams() -> Iterator[FakeUpstreams]:
    with fake_upstreams() as fake:
        fake.add("kit")
        yield fake


@pytest.fixture
def wire(upstreams: FakeUpstreams) -> Wire:
    return Wire(upstreams)


@pytest.fixture
def own_services(make_app: MakeApp, upstreams: FakeUpstreams) -> Services:
    found: Services = make_app(upstreams.settings()).extensions["codeintel"]
    return found


def dependencies(
    services: Services, files: dict[str, str], **more: Any
) -> tuple[bool, dict[str, Dependency]]:
    """Return whether upstreams were queried, and the dependencies of the only manifest by name."""
    session = push(services, make_user(services), files, **more)
    assert work_off(services) == 1
    report = services.proof.report(session)
    (manifest,) = report.manifests
    return report.trust_asked, {each.name: each for each in manifest.dependencies}


def test_no_name_goes_out_unless_it_is_allowed(own_services: Services, wire: Wire) -> None:
    asked, found = dependencies(own_services, {"/package.json": MANIFEST})
    assert not asked
    assert wire.sent == []
    assert all(each.trust is UNSET for each in found.values())


def test_public_names_go_out_where_it_is_allowed(own_services: Services, wire: Wire) -> None:
    config = "@hush:registry=https://packages.corp.example/\n"
    files = {"/package.json": MANIFEST, "/.npmrc": config}
    asked, found = dependencies(own_services, files, trust_dependencies=True)
    assert asked
    assert found["kit"].trust.score > 0
    assert found["@hush/core"].private
    assert found["hushed"].private
    assert any("kit" in each for each in wire.sent)
    assert not any("hush" in each for each in wire.sent)


def test_a_registry_in_a_file_with_a_token_keeps_names_from_going_out(
    own_services: Services, wire: Wire
) -> None:
    config = (
        "@hush:registry=https://packages.corp.example/\n"
        "//packages.corp.example/:_authToken=0f3kQ9zzTq\n"
    )
    files = {"/package.json": MANIFEST, "/.npmrc": config}
    asked, found = dependencies(own_services, files, trust_dependencies=True)
    assert not asked
    assert wire.sent == []
    assert "is not stored" in str(found["kit"].private)
