"""Searches over real sockets while registries fail in all ways: the documented code for each, in
time, in limited memory, and with the results of the others."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests
from broken_registries import BIG, BrokenRegistries
from registry_certificates import Authority
from registry_failures import (
    FOUND,
    HEAVY,
    LIMITS,
    MORE,
    PROXIED,
    ROWS,
    SECONDS,
    WITH_TOKEN,
    came_to,
    search,
    source_name,
)
from server_helpers import crowd, eventually
from servers import free_port

from codeintel.platform.upstreams.upstream import AT_ONCE
from codeintel.testing.server import LiveServer

pytestmark = pytest.mark.alone

HEALTH_SECONDS = 2.0
GROWTH_KILOBYTES = 40 * 1024
PEOPLE = 50
NAMED = 30
RESOLVER = """
import _socket, time

real, sleep = _socket.getaddrinfo, time.sleep

def getaddrinfo(host, *rest, **more):
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name == "hangs.invalid":
        with open({calls!r}, "a") as calls:
            calls.write("x")
        sleep({seconds})
    if name.endswith(".invalid"):
        raise _socket.gaierror(_socket.EAI_NONAME, "unknown")
    return real(host, *rest, **more)

_socket.getaddrinfo = getaddrinfo
"""
"""Replaces the system's resolver, which may query a network."""


@pytest.fixture(scope="module")
def registries() -> Iterator[BrokenRegistries]:
    with BrokenRegistries() as running:
        yield running


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("instance")


@pytest.fixture(scope="module")
def left(registries: BrokenRegistries) -> int:
    """Return the port of a registry whose clients give up waiting."""
    return registries.listen()


@pytest.fixture(scope="module")
def proxy(registries: BrokenRegistries) -> int:
    """Return the port of a proxy."""
    return registries.listen()


@pytest.fixture(scope="module")
def server(
    registries: BrokenRegistries, instance: Path, left: int, proxy: int
) -> Iterator[LiveServer]:
    """Run a server with all of the registries."""
    bundle = instance / "bundle.pem"
    authority = Authority(bundle)
    port = registries.listen()
    registries.elsewhere = registries.listen()

    def tls(name: str, **how: Any) -> str:
        certificate = authority.certificate(instance / f"{name}.pem", **how)
        return f"https://localhost:{registries.listen(certificate)}/good"

    addresses = {
        "refused-connection": f"http://127.0.0.1:{free_port()}",
        "unknown-name": "http://unknown.invalid",
        "no-name": "http://a..b",
        "hanging-name": "http://hangs.invalid",
        "unnamed": "http://hangs.invalid:81",
        "tls": tls("good"),
        "tls-self-signed": tls("self-signed", is_ours=False),
        "tls-wrong-host": tls("wrong", host="other.test"),
        "tls-expired": tls("expired", is_expired=True),
        "tls-plain": f"https://localhost:{port}/good",
        "tls-hanging": f"https://localhost:{registries.listen(talks=False)}",
        "left": f"http://127.0.0.1:{left}/hang",
        "proxied": "http://proxied.test",
        "proxied-tls": "https://proxied.test",
        "named": f"http://localhost:{port}/good",
        "beside": f"http://127.0.0.1:{port}/good",
    }
    entries = []
    for row in (*ROWS, *HEAVY, *MORE, *PROXIED):
        kind, _, way = row.rpartition(":")
        entry = {
            "name": source_name(row),
            "kind": kind or "npm",
            "base_url": addresses.get(row, f"http://127.0.0.1:{port}/{way}"),
        }
        if row in WITH_TOKEN:
            entry |= {"token": "secret-token", "visibility": "public"}
        entries.append(entry)
    folder = instance / "resolver"
    folder.mkdir()
    text = RESOLVER.format(calls=str(instance / "calls"), seconds=SECONDS)
    (folder / "sitecustomize.py").write_text(text)
    with LiveServer(
        instance,
        PYTHONPATH=f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        REQUESTS_CA_BUNDLE=str(bundle),
        **dict.fromkeys(("http_proxy", "https_proxy"), f"http://127.0.0.1:{proxy}"),
        **dict.fromkeys(("no_proxy", "NO_PROXY"), "invalid,a..b"),
        CODEINTEL_SOURCE_INSTANCES=json.dumps(entries),
    ) as running:
        yield running


def beside(server: LiveServer, work: Callable[[], Any]) -> Any:
    """Return the result of some work, and check that the server stays healthy meanwhile."""
    with ThreadPoolExecutor(1) as threads:
        job = threads.submit(work)
        while not job.done():
            begin = time.monotonic()
            answer = requests.get(f"{server.url}/api/v1/health", timeout=SECONDS)
            assert answer.json()["data"]["status"] == "healthy"
            assert time.monotonic() - begin < HEALTH_SECONDS
            time.sleep(0.05)
        return job.result()


def memory(server: LiveServer) -> int:
    """Return the peak memory of the worker, in kilobytes."""
    (pid,) = server.worker_pids()
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (peak,) = (int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return peak


def descriptors(server: LiveServer) -> int:
    (pid,) = server.worker_pids()
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - only counted


@pytest.fixture(scope="module")
def together(server: LiveServer) -> Any:
    """Return one search of all registries, failing or not."""
    return beside(server, lambda: search(server, "together", *ROWS))


@pytest.mark.parametrize("row", ROWS)
def test_each_failure_has_its_code(together: Any, row: str) -> None:
    assert came_to(together, row) == ROWS[row]


def test_what_is_told(together: Any, registries: BrokenRegistries, server: LiveServer) -> None:
    told = {each["source"]: each for each in together["unavailable"]}
    for row, code in ROWS.items():
        if code == "rate_limited":
            seconds = LIMITS.get(row, 30)
            assert seconds - 6 <= told[source_name(row)]["retryAfter"] <= seconds, row
    words = {
        "unknown-name": "host name",
        "tls-self-signed": "certificate",
        "tls-wrong-host": "certificate",
        "tls-expired": "certificate",
        "tls-plain": "TLS",
        "302": "302",
        "204": "204",
        "garbage": "unpacked",
    }
    for row, part in words.items():
        assert part in told[source_name(row)]["message"], row
    # Each registry gets one request, with its own token. The redirect's target gets none.
    (moved,) = registries.asked("302")
    assert b"Bearer secret-token" in moved
    assert registries.opened[registries.elsewhere] == 0
    assert len(registries.asked("500")) == 1
    # Nothing that people search for is in the log.
    assert "together" not in server.output
    assert "Traceback" not in server.output


@pytest.mark.parametrize("row", HEAVY)
def test_much_is_bounded(server: LiveServer, registries: BrokenRegistries, row: str) -> None:
    search(server, f"before {row}", "beside")
    registries.prepare(row)
    before = memory(server)
    data = beside(server, lambda: search(server, f"much {row}", row, "beside"))
    code = came_to(data, row)
    assert code == HEAVY[row] or (HEAVY[row] is None and code in {"malformed", "timeout"})
    assert came_to(data, "beside") == FOUND
    assert registries.sent[row] < BIG
    assert memory(server) - before < GROWTH_KILOBYTES


def test_a_connection_is_kept(server: LiveServer, registries: BrokenRegistries) -> None:
    before = registries.opened.total()
    data = [search(server, f"kept {number}", "kept") for number in range(3)]
    assert [came_to(each, "kept") for each in data] == [FOUND] * 3
    assert registries.opened.total() == before + 1


@pytest.mark.parametrize("row", ["closes-after", "closes-at-once"])
def test_one_that_was_closed_meanwhile_is_replaced(
    server: LiveServer, registries: BrokenRegistries, row: str
) -> None:
    for number in range(3):
        assert came_to(search(server, f"{row} {number}", row), row) == FOUND
    # The second kind saw the second and third request twice: it hung up as they came.
    assert len(registries.asked(row)) == {"closes-after": 3, "closes-at-once": 5}[row]


def test_a_name_that_hangs_holds_up_no_other(server: LiveServer, instance: Path) -> None:
    """gevent has ten threads that look up names."""

    def one(number: int) -> Any:
        return search(server, f"name {number}", "unnamed", "named")

    found = beside(server, lambda: crowd(NAMED, one))
    assert {came_to(each, "named") for each in found} == {FOUND}
    assert {came_to(each, "unnamed") for each in found} == {"timeout"}
    assert len((instance / "calls").read_text()) <= 2  # one for each of two ports


def test_nothing_is_left_of_people_who_went(
    server: LiveServer, registries: BrokenRegistries, left: int
) -> None:
    before = descriptors(server)
    host, port = server.url.removeprefix("http://").split(":")
    people = []
    for number in range(PEOPLE):
        person = socket.create_connection((host, int(port)))
        path = f"/api/v1/search?q=left{number}&sources={source_name('left')}"
        person.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        people.append(person)
    eventually(lambda: registries.opened[left] >= AT_ONCE, SECONDS)
    for person in people:
        person.close()
    eventually(lambda: registries.open[left] == 0, SECONDS)
    eventually(lambda: descriptors(server) <= before, SECONDS)


def test_a_proxy(server: LiveServer, registries: BrokenRegistries, proxy: int) -> None:
    """Check that the proxy receives requests to other hosts, and never those to this machine."""
    registries.heads.clear()
    data = search(server, "proxy", "proxied", "proxied-tls", "beside")
    assert came_to(data, "proxied") == came_to(data, "beside") == FOUND
    assert came_to(data, "proxied-tls") == "unreachable"  # it speaks no TLS
    heads = registries.asked("proxied")
    assert sorted(b" ".join(head.split()[:2]).partition(b"?")[0] for head in heads) == [
        b"CONNECT proxied.test:443",
        b"GET http://proxied.test/-/v1/search",
    ]
    assert [b"secret-token" in head for head in heads if head.startswith(b"CONNECT")] == [False]
    assert registries.opened[proxy] == len(heads)
