"""A node behind nginx with the shipped example: what comes through, what does not, and how."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest
import requests
from nginx_front import EXAMPLE, NginxServer
from server_helpers import PEPPER, Stream, ask, eventually, has, new_key, start
from servers import free_port, running
from slow_engine import SLOW_ENGINE

from codeintel.testing.server import LiveServer

SOON = 5.0
SECONDS = 120


class Site(NamedTuple):
    """nginx, the node behind it, and a key."""

    front: NginxServer
    node: LiveServer
    key: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("node")
    (folder / "plugins").mkdir()
    (folder / "plugins" / "slow.py").write_text(SLOW_ENGINE)
    port = free_port()
    front = NginxServer([port, free_port(), free_port()])  # the other ports are closed
    settings = {
        "CODEINTEL_KEY_PEPPER": PEPPER,
        "CODEINTEL_PUBLIC_URL": front.url,
        "CODEINTEL_TRUSTED_PROXIES": "127.0.0.1/32",
        "CODEINTEL_ANALYSIS_PROCESSES": "1",
        "CODEINTEL_DRAIN_TIMEOUT": "0.5",
        "CODEINTEL_RUN_RESUME_GRACE": "1",
    }
    node = LiveServer(folder, port=port, **settings)
    with running(front), node, pytest.MonkeyPatch.context() as patch:
        scopes = ("api:v1", "workspace:write")
        key = new_key({**settings, "CODEINTEL_INSTANCE": str(folder)}, scopes=scopes)
        patch.setenv("REQUESTS_CA_BUNDLE", str(front.bundle))
        yield Site(front, node, key)


def test_events_come_as_they_are_sent(site: Site) -> None:
    stream = start(site.front, site.key, prompt="2").read(has(1))
    arrivals = [time.monotonic()]

    def arrived(_: Stream) -> bool:
        arrivals.append(time.monotonic())
        return False

    assert stream.read(arrived).last["type"] == "run.completed"
    assert arrivals[-1] - arrivals[0] > 1, "the first long before the last"
    assert len(arrivals) > 15


def test_a_reader_who_leaves_is_missed_behind_nginx(site: Site) -> None:
    stream = start(site.front, site.key, prompt="60").read(has(3))
    answer = ask(site.front, site.key, f"runs/{stream.run_id}/cancel", "POST")
    assert answer.json()["data"]["state"] == "cancelled"
    stream.read()
    left = start(site.front, site.key, prompt="60").read(has(3))
    left.close()

    def is_over() -> bool:
        state = ask(site.node, site.key, f"runs/{left.run_id}").json()["data"]["state"]
        return bool(state == "cancelled")

    eventually(is_over, SOON)  # a second of grace, and what it takes to see it


def test_all_that_a_client_claims_about_itself_counts_for_its_own_address(site: Site) -> None:
    left = []
    for at in range(6):
        forged = {
            "X-Forwarded-For": f"192.0.2.{at}",
            "X-Real-IP": f"192.0.2.{at}",
            "Forwarded": f"for=192.0.2.{at}",
            "X-Forwarded-Host": "evil.example",
            "X-Forwarded-Proto": "http",
            "X-Forwarded-Ssl": "off",
        }
        answer = requests.get(f"{site.front.url}/nothing", headers=forged, timeout=SOON)
        assert answer.status_code == 404
        left.append(int(answer.headers["X-RateLimit-Remaining"]))
    assert left == list(range(left[0], left[0] - 6, -1))


def test_the_node_itself_believes_its_proxy(site: Site) -> None:
    """Check the node without nginx. Otherwise, the test above could not fail."""
    left = [
        requests.get(
            f"{site.node.url}/nothing", headers={"X-Forwarded-For": f"192.0.2.{at}"}, timeout=SOON
        ).headers["X-RateLimit-Remaining"]
        for at in range(100, 103)
    ]
    assert len(set(left)) == 1


def test_what_is_not_for_the_public(site: Site) -> None:
    url = site.front.url
    assert requests.get(f"{url}/metrics", timeout=SOON).status_code == 404
    other = requests.get(f"{url}/api/v1/health", headers={"Host": "evil.example"}, timeout=SOON)
    assert other.status_code == 400
    moved = requests.post(
        f"http://127.0.0.1:{site.front.plain_port}/docs?a=b", allow_redirects=False, timeout=SOON
    )
    assert (moved.status_code, moved.headers["Location"]) == (308, f"{url}/docs?a=b")
    assert requests.get(url, timeout=SOON).headers["Server"] == "nginx"


def test_the_log_tells_no_tokens_and_no_searches(site: Site) -> None:
    for path in ("/signin/a-token-of-a-link", "/search?q=something-private", "/docs?at=the-end"):
        requests.get(f"{site.front.url}{path}", headers={"Referer": "a-referrer"}, timeout=SOON)
    eventually(lambda: '"GET /docs" 200' in site.front.access_log, SOON)
    told = site.front.access_log + site.front.error_log
    assert '"GET /signin/..."' in told
    assert f"by 127.0.0.1:{site.node.url.rpartition(':')[2]} in" in told
    for secret in ("a-token", "private", "the-end", "a-referrer"):
        assert secret not in told


def test_no_log_tells_what_was_asked_for_when_no_node_is_there() -> None:
    """nginx first cannot connect to any, and then asks none for five seconds."""
    front = NginxServer([free_port(), free_port(), free_port()])
    paths = {
        "/search?q=something-private": 502,
        "/api/v1/search?q=something-private": 503,
        "/auth/callback/provider?code=a-code&state=a-state": 502,
        "/signin/a-token-of-a-link": 502,
    }
    with running(front):
        for path, status in (*paths.items(), *paths.items()):
            answer = requests.get(
                f"{front.url}{path}",
                headers={"Referer": "a-referrer"},
                timeout=SECONDS,
                verify=str(front.bundle),
            )
            assert answer.status_code == status, path
        eventually(lambda: front.access_log.count('"GET /search" 502') == 2, SOON)
        told = front.access_log + front.error_log
    assert '"GET /auth/callback/provider" 502' in told
    for secret in ("private", "a-code", "a-state", "a-token", "a-referrer"):
        assert secret not in told


@pytest.mark.parametrize("size", [1_500_000, 2_500_000])
def test_bodies_over_the_limit_are_refused_in_one_shape(site: Site, size: int) -> None:
    """Check refusals by the node, and by nginx."""
    answer = requests.post(
        f"{site.front.url}/api/v1/analyze/stream",
        headers={"x-api-key": site.key, "Content-Type": "application/json"},
        data=b" " * size,
        timeout=SECONDS,
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "payload_too_large")
    assert answer.json()["error"].keys() == {"code", "message", "details"}
    assert answer.json()["meta"].keys() == {"version", "timestamp", "requestId"}
    assert ("X-API-Version" in answer.headers) is (size < 2_000_000)


def test_workspaces_may_be_larger(site: Site) -> None:
    """Check that the client gets an answer although two of three nodes are down."""
    for at in range(3):
        answer = requests.post(
            f"{site.front.url}/api/workspace/sync",
            headers={"x-api-key": site.key},
            json={"files": {f"/{n}.txt": f"{at}" * 900_000 for n in range(12)}, "name": "large"},
            timeout=SECONDS,
        )
        assert answer.status_code == 201, answer.text


def test_a_node_that_breaks_off_gets_no_second_post(site: Site) -> None:
    """Check that nginx does not repeat a POST.

    A request without any running node gets the service's error.
    """
    stream = start(site.front, site.key, "key", prompt="60").read(has(2))
    site.node.kill_all()
    stream.read()
    assert stream.last["type"] == "output.delta"
    refused = start(site.front, site.key, "key", prompt="60").response
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "overloaded")
    assert int(refused.headers["Retry-After"]) > 0
    site.node.start()
    eventually(lambda: ask(site.front, site.key, "account").status_code == 200, SOON + SOON)


def test_times_in_the_example_fit_the_service() -> None:
    """Pings come every 15 s, runs end by 120 s, nodes keep idle connections for 5 s."""
    from codeintel.platform.config.settings import Settings
    from codeintel.runs.events.log import HEARTBEAT_SECONDS
    from codeintel.server import gunicorn

    words = {tuple(line.split(maxsplit=1)) for line in EXAMPLE.read_text().splitlines() if line}
    settings = {pair[0]: pair[1].rstrip(";") for pair in words if len(pair) == 2}
    read = int(settings["proxy_read_timeout"].removesuffix("s"))
    assert read > max(HEARTBEAT_SECONDS, Settings.run_timeout)
    assert int(settings["keepalive_timeout"].removesuffix("s")) < gunicorn.keepalive - 1
    assert settings["proxy_next_upstream"] == "error timeout"
