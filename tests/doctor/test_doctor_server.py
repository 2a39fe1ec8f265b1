"""`codeintel doctor`: the server that runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from doctor_scenes import Scene
from doctor_upstreams import Upstreams, serving
from servers import free_port

from codeintel import __version__
from codeintel.http.served import (
    last_address,
    last_listening,
    listening_url,
    remember_address,
)
from codeintel.operations.doctor.server import HEALTH, VERSION, look_at_server
from codeintel.testing.server import LiveServer

HEALTHY = {
    "status": "healthy",
    "version": __version__,
    "checks": {"database": "ok", "redis": "not_configured"},
}


@pytest.fixture
def server() -> Iterator[Upstreams]:
    with serving() as found:
        yield found


@pytest.mark.parametrize(
    ("data", "bad", "word"),
    [
        (HEALTHY, {}, "is healthy"),
        (
            {**HEALTHY, "status": "degraded", "checks": {"redis": "error"}},
            {HEALTH: "warning"},
            "redis cannot be used",
        ),
        (
            {**HEALTHY, "status": "unhealthy", "checks": {"database": "error"}},
            {HEALTH: "error"},
            "database cannot be used",
        ),
        ({**HEALTHY, "status": "degraded", "clockSkew": 120.0}, {HEALTH: "warning"}, "its clock"),
        ({**HEALTHY, "status": "unhealthy", "checks": 3}, {HEALTH: "error"}, "unhealthy"),
        ({**HEALTHY, "version": "0.0.9"}, {VERSION: "warning"}, "healthy"),
    ],
)
@pytest.mark.parametrize("place", ["environment", "folder"])
def test_what_it_says(
    scene: Scene, server: Upstreams, data: Any, bad: dict[str, str], word: str, place: str
) -> None:
    server.answers = {"/api/v1/health": (200, {"data": data})}
    if place == "environment":
        scene.environ = {"CODEINTEL_URL": f"{server.url}/"}
    else:
        remember_address(scene.folder, "http://127.9.9.9:1", server.url)
    found = scene.look(look_at_server)
    assert found.bad == bad
    assert word in found[HEALTH].found


@pytest.mark.parametrize("data", [{"other": 1}, [], None])
def test_another_program(scene: Scene, server: Upstreams, data: Any) -> None:
    server.answers = {"/api/v1/health": (200, {"data": data})}
    remember_address(scene.folder, server.url, server.url)
    assert scene.look(look_at_server).status(HEALTH) == "skipped"
    scene.environ = {"CODEINTEL_URL": server.url}
    found = scene.look(look_at_server)
    assert found.bad == {HEALTH: "error"}
    assert "not codeintel" in found[HEALTH].found


@pytest.mark.parametrize("place", ["environment", "folder"])
def test_one_that_is_reached_under_its_public_name_only(
    scene: Scene, server: Upstreams, place: str
) -> None:
    server.answers = {"/api/v1/health": (200, {"data": HEALTHY})}
    server.host = "code.test:8443"
    scene.environ = {"CODEINTEL_PUBLIC_URL": "https://code.test:8443"}
    if place == "environment":
        scene.environ["CODEINTEL_URL"] = server.url
    else:
        remember_address(scene.folder, "https://code.test:8443", server.url)
    found = scene.look(look_at_server)
    assert found.status(HEALTH) == "ok"
    assert server.url in found[HEALTH].found


def test_a_proxy_is_asked_by_the_name_that_was_given(scene: Scene, server: Upstreams) -> None:
    server.answers = {"/api/v1/health": (200, {"data": HEALTHY})}
    server.host = server.url.removeprefix("http://")
    scene.environ = {"CODEINTEL_PUBLIC_URL": "https://code.test", "CODEINTEL_URL": server.url}
    assert scene.look(look_at_server).status(HEALTH) == "ok"


def test_one_that_does_not_know_the_name(scene: Scene, server: Upstreams) -> None:
    server.host = "code.test"
    scene.environ = {"CODEINTEL_URL": server.url}
    found = scene.look(look_at_server)
    assert found.bad == {HEALTH: "error"}
    assert "another host name" in found[HEALTH].found


def test_a_dead_node_is_not_well_because_its_proxy_answers(scene: Scene, server: Upstreams) -> None:
    server.answers = {"/api/v1/health": (200, {"data": HEALTHY})}
    scene.environ = {"CODEINTEL_PUBLIC_URL": server.url}
    remember_address(scene.folder, server.url, "http://127.9.9.9:1")
    found = scene.look(look_at_server)
    assert found.status(HEALTH) == "skipped"
    assert "127.9.9.9" in found[HEALTH].found


def test_a_real_one_behind_a_public_url(scene: Scene) -> None:
    scene.environ = {"CODEINTEL_PUBLIC_URL": "http://code.test"}
    with LiveServer(scene.folder, port=free_port(), **scene.environ) as live:
        noted = (last_address(scene.folder), last_listening(scene.folder))
        assert noted == ("http://code.test", live.url)
        found = scene.look(look_at_server)
    assert (found.status(HEALTH), found.status(VERSION)) == ("ok", "ok")
    assert live.url in found[HEALTH].found


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("10.0.0.11", "http://10.0.0.11:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("fd00::1", "http://[fd00::1]:8000"),
    ],
)
def test_where_it_listens(host: str, url: str) -> None:
    assert listening_url(host, 8000) == url


@pytest.mark.parametrize(
    ("note", "address", "listening"),
    [
        (None, "", ""),
        ("", "", ""),
        ("http://a:1", "http://a:1", "http://a:1"),
        ("https://code.test\nhttp://a:1\n", "https://code.test", "http://a:1"),
    ],
)
def test_notes(scene: Scene, note: str | None, address: str, listening: str) -> None:
    if note is not None:
        (scene.folder / "served_at").write_text(note)
    assert (last_address(scene.folder), last_listening(scene.folder)) == (address, listening)


def test_none_runs(scene: Scene) -> None:
    remember_address(scene.folder, "http://127.9.9.9:1", "http://127.9.9.9:1")
    assert scene.look(look_at_server).status(HEALTH) == "skipped"
    scene.environ = {"CODEINTEL_URL": "http://ann:canary@127.9.9.9:1"}
    found = scene.look(look_at_server)
    assert found.bad == {HEALTH: "error"}
    assert "canary" not in str(found)
    scene.environ = {"CODEINTEL_URL": "canary"}
    assert scene.look(look_at_server).bad == {HEALTH: "error"}
