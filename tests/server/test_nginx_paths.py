"""Paths that are written oddly, through nginx: they open nothing that the plain path does not."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from nginx_front import NginxServer
from server_helpers import PEPPER
from servers import free_port, running

from codeintel.testing.server import LiveServer

SECONDS = 60
FIGURES = b"codeintel_"
"""What names of metrics begin with."""
TOKEN = "a-token-of-a-link"
METRICS = (
    "/metrics",
    "//metrics",
    "/./metrics",
    "/x/../metrics",
    "/x/%2e%2e/metrics",
    "/%2e/metrics",
    "/%6detrics",
    "/metrics/",
    "/metrics/.",
    "/metrics/../metrics",
    "/metrics;a=b",
    "/metrics%00",
    "/metrics%20",
    "/metrics%0a",
    "/METRICS",
    "/docs/../metrics",
    "/docs%2f..%2fmetrics",
    "/\\metrics",
    "/api/workspace/../../metrics",
)
FILES = (
    "/static/web/../../app.py",
    "/static/web/%2e%2e/%2e%2e/app.py",
    "/static/web/..%2f..%2fapp.py",
    "/static/web/%252e%252e/%252e%252e/app.py",
    "/static/web/..\\..\\app.py",
    "/static/web/..%5c..%5capp.py",
    "/static/web//etc/passwd",
    "/static/web/%2fetc%2fpasswd",
    "/../../../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/static/web/dist/../../../../setup.cfg",
)
SIGN_IN = (
    f"//signin/{TOKEN}",
    f"/./signin/{TOKEN}",
    f"/x/../signin/{TOKEN}",
    f"/%73ignin/{TOKEN}",
    f"/signin//{TOKEN}",
    f"/signin/./{TOKEN}",
)


class Site(NamedTuple):
    """nginx, and a node behind it."""

    front: NginxServer
    node: LiveServer


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    port = free_port()
    front = NginxServer([port, free_port(), free_port()])
    settings = {
        "CODEINTEL_KEY_PEPPER": PEPPER,
        "CODEINTEL_PUBLIC_URL": front.url,
        "CODEINTEL_TRUSTED_PROXIES": "127.0.0.1/32",
        "CODEINTEL_LIMIT_DEFAULT": "6000/minute",
    }
    node = LiveServer(tmp_path_factory.mktemp("node"), port=port, **settings)
    with running(front), node:
        yield Site(front, node)


def ask(site: Site, method: str, path: str, body: bytes = b"", announced: int = 0) -> bytes:
    """Return the answer to a request whose path is sent unchanged. Clients would normalize it."""
    context = ssl.create_default_context(cafile=str(site.front.bundle))
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {announced or len(body)}\r\n\r\n"
    )
    with (
        socket.create_connection(("127.0.0.1", site.front.port), timeout=SECONDS) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        connection.sendall(head.encode() + body)
        found = b""
        while piece := connection.recv(65_536):
            found += piece
    return found


def status(answer: bytes) -> int:
    return int(answer.split()[1])


@pytest.mark.parametrize("path", METRICS)
def test_figures_stay_inside(site: Site, path: str) -> None:
    answer = ask(site, "GET", path)
    assert FIGURES not in answer
    assert status(answer) in {308, 400, 404}, answer[:200]


@pytest.mark.parametrize("path", FILES)
def test_no_file_of_the_machine_is_served(site: Site, path: str) -> None:
    answer = ask(site, "GET", path)
    assert b"root:" not in answer and b"import " not in answer and b"[metadata]" not in answer
    assert status(answer) in {308, 400, 404}, answer[:200]


@pytest.mark.parametrize("path", SIGN_IN)
def test_no_log_tells_the_token_of_a_link(site: Site, path: str) -> None:
    assert status(ask(site, "GET", path)) in {308, 404, 410}
    assert TOKEN not in site.front.access_log
    assert TOKEN not in site.front.error_log


@pytest.mark.parametrize(
    "path",
    [
        "/api/workspace/../v1/analyze/stream",
        "/api/workspace/%2e%2e/v1/analyze/stream",
        "/api/workspace//../v1/analyze/stream",
        "//api/v1/analyze/stream",
        "/api/v1/analyze/stream/",
    ],
)
def test_the_limit_of_workspaces_is_no_way_to_longer_bodies(site: Site, path: str) -> None:
    answer = ask(site, "POST", path, announced=5 * 1024 * 1024)
    assert status(answer) == 413, answer[:200]


@pytest.mark.parametrize(
    "path", ["//api/v1/account", "/api/./v1/account", "/x/../api/v1/account", "/api/v1//account"]
)
def test_an_odd_path_needs_the_same_credential(site: Site, path: str) -> None:
    assert status(ask(site, "GET", path)) in {308, 401, 404}
