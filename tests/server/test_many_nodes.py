"""Three nodes and two workers behind nginx behave like a single server."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from faithful_clients import Crowd, follow
from many_nodes import Installation, running_installation
from many_nodes_use import (
    KEYS,
    SECONDS,
    SOON,
    at_node,
    browser_of,
    proof,
    push,
    rows,
    told,
    user_of,
)
from server_books import Books
from server_helpers import ask, crowd, eventually, has, resume, start
from servers import PostgresServer, RedisServer, free_port

from codeintel.base.entitlements import Tier


@pytest.fixture(scope="module")
def registries() -> Iterator[str]:
    """Provide the URL of fake registries."""
    port = free_port()
    script = Path(__file__).with_name("fake_registries.py")
    process = subprocess.Popen([sys.executable, str(script), str(port)])
    try:
        url = f"http://127.0.0.1:{port}"
        eventually(lambda: requests.get(f"{url}/stats", timeout=1).ok, SECONDS)
        yield url
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def many(
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: PostgresServer,
    redis_server: RedisServer,
    registries: str,
) -> Iterator[Installation]:
    redis_server.flush()
    with (
        running_installation(
            tmp_path_factory.mktemp("many"),
            postgres_server.empty(),
            redis_server.url,
            CODEINTEL_GITHUB_URL=f"{registries}/10",
            CODEINTEL_NPM_REGISTRY=f"{registries}/20",
            CODEINTEL_DOCKER_URL=f"{registries}/30",
        ) as running,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("REQUESTS_CA_BUNDLE", str(running.front.bundle))
        yield running


def test_three_that_start_at_once_migrate_once(many: Installation) -> None:
    outputs = [node.output for node in many.nodes]
    assert sum(output.count("migrating the database from empty") for output in outputs) == 1
    assert rows(many, "SELECT count(*) FROM alembic_version")[0] == (1,)
    for node in many.nodes:
        health = requests.get(f"{node.url}/api/v1/health", timeout=SOON).json()["data"]
        assert (health["status"], health["checks"]) == (
            "healthy",
            {"database": "ok", "redis": "ok", "confinement": "ok"},
        )


def test_limits_count_everywhere(many: Installation) -> None:
    user = user_of(many, "limited", tier=Tier.FREE, unlimited=True)

    def run(_: int) -> int:
        with start(many.front, user.token, prompt="0.1").read().response as response:
            return response.status_code

    assert Counter(crowd(36, run)) == {200: 30, 429: 6}
    left = []
    for server in [*many.nodes, *many.nodes]:
        answer = ask(server, user.token, "account")
        assert answer.json()["data"]["limits"]["analysis"]["remaining"] == 0
        left.append(int(answer.headers["X-RateLimit-Remaining"]))
    assert left == list(range(left[0], left[0] - 6, -1))


def test_nobody_spends_more_than_there_is(many: Installation) -> None:
    user = user_of(many, "poor", credits_=15)

    def run(at: int) -> int:
        with start(many.nodes[at % 3], user.token, prompt="0.3").read().response as response:
            return response.status_code

    assert Counter(crowd(30, run)) == {200: 15, 402: 15}
    for node in many.nodes:
        assert node.account(user.token)["credits"] == {"balance": 0, "held": 0, "available": 0}


def test_a_stream_goes_on_at_other_nodes(many: Installation) -> None:
    user = user_of(many, "wanderer")

    def wander(at: int) -> None:
        """Hang up after each ten events. nginx chooses the node that continues."""
        whole = follow(many.front, user.token, f"w{at}", lambda seen: len(seen) >= 10, prompt="1.5")
        assert [event["sequence"] for event in whole.events] == list(
            range(1, len(whole.events) + 1)
        )
        assert (whole.last["type"], whole.refused) == ("run.completed", [])
        assert whole.cuts >= 3
        for node in many.nodes:
            assert resume(node, user.token, whole.run_id, 0).read().frames == whole.frames

    crowd(4, wander)


def test_a_request_sent_again_is_the_same_run(many: Installation) -> None:
    user = user_of(many, "twice")

    def send(at: int) -> bytes:
        stream = start((*many.nodes, many.front)[at % 4], user.token, f"k{at // 4}", prompt="0.3")
        assert stream.read().last["type"] == "run.completed"
        return b"".join(stream.frames)

    at_once = crowd(12, send)
    later = [send(at) for at in range(4)]
    assert set(later) < set(at_once)
    assert sorted(Counter(at_once).values()) == [4, 4, 4]
    assert many.nodes[0].account(user.token)["credits"]["balance"] == 1000 - 3


def test_results_and_searches_are_shared(many: Installation, registries: str) -> None:
    user = user_of(many, "again")
    for at, node in enumerate(many.nodes):
        stream = start(node, user.token, model="pro", code="# shared result\n").read()
        (usage,) = [event["usage"] for event in stream.events if event["type"] == "usage"]
        assert usage.get("cached", False) is bool(at)
        found = requests.get(f"{node.url}/api/v1/search?q=sharedwords", timeout=SOON)
        assert found.json()["data"]["totalResults"] == 3
    assert many.analysed().count("# shared result") == 1
    asked = requests.get(f"{registries}/stats", timeout=SOON).json()
    assert [asked[name] for name in ("10", "20", "30")] == [1, 1, 1]


def test_who_is_signed_in_is_so_everywhere(many: Installation) -> None:
    with browser_of(many, user_of(many, "visitor")) as browser:
        page = browser.get(f"{many.front.url}/account/keys", timeout=SOON).text
        form = page.partition('name="csrf" value="')[2].partition('"')[0]
        assert [at_node(browser, node, "GET", KEYS).status_code for node in many.nodes] == [200] * 3
        for _ in many.nodes:
            answer = browser.post(
                f"{many.front.url}/playground/token", headers={"X-CSRF-Token": form}, timeout=SOON
            )
            assert ask(many.front, answer.json()["token"], "account").status_code == 200


def test_a_revoked_key_is_refused_by_all_and_its_streams_end(many: Installation) -> None:
    user = user_of(many, "revoker")
    with browser_of(many, user) as browser:
        streams = [start(each, user.token, prompt="20") for each in (*many.nodes, many.front)]
        for stream in streams:
            stream.read(has(3))
        (key,) = at_node(browser, many.nodes[0], "GET", KEYS).json()["keys"]
        assert at_node(browser, many.nodes[1], "DELETE", f"{KEYS}/{key['id']}").status_code == 200
    revoked = time.monotonic()
    for node in many.nodes:
        eventually(lambda node=node: ask(node, user.token, "account").status_code == 401, SOON)
    crowd(len(streams), lambda at: streams[at].read())
    assert time.monotonic() - revoked < SOON
    assert all(stream.last["type"] == "output.delta" for stream in streams)
    eventually(lambda: not Books(many.database).running, 10)  # of their grace


def test_a_job_is_done_once(many: Installation) -> None:
    user = user_of(many, "pusher")
    names = [f"w{at}" for at in range(4)]
    paths = [
        push(many, user, name, {f"/{at}.py": f"# {name} {at}\n" for at in range(5)})
        for name in names
    ]
    for path in paths:
        assert proof(path, user).last["status"] == "passed"
    eventually(lambda: len(told(many)) >= len(names), SOON)
    assert max(Counter(told(many)).values()) == 1
    done = rows(many, "SELECT attempts FROM jobs WHERE kind = 'workspace.proof' AND state = 'done'")
    assert [row.attempts for row in done] == [1] * 4
    analysed = Counter(line for line in many.analysed() if line[2:4] in names)
    assert analysed == {f"# {name} {at}": 1 for name in names for at in range(5)}


def test_a_killed_worker_is_replaced_by_the_other(many: Installation) -> None:
    """Check that only unfinished files are analyzed again, and nothing is charged twice.

    A lease lasts a minute, so the test advances the clock.
    """
    user = user_of(many, "victim")
    path = push(many, user, "doomed", {f"/{at}.py": f"# doomed {at}\n" for at in range(20)})
    mine = "FROM jobs WHERE kind = 'workspace.proof' AND state = 'running'"
    eventually(lambda: sum("doomed" in line for line in many.analysed()) >= 4, SECONDS)
    (job,) = rows(many, f"SELECT id, owner {mine}")
    (victim,) = [each for each in many.workers if f":{each.process.pid}:" in job.owner]
    victim.end(signal.SIGKILL)
    rows(many, f"UPDATE jobs SET lease_ms = 0 WHERE id = '{job.id}'")
    assert proof(path, user).last["status"] == "passed"
    victim.start()
    analysed = Counter(line for line in many.analysed() if "doomed" in line)
    assert len(analysed) == 20
    assert sum(analysed.values()) <= 20 + 12
    entries = Books(many.database).entries
    assert sum(entry.amount < 0 and entry.account_id == user.account.id for entry in entries) == 1


def test_a_node_that_is_killed_under_load_loses_nothing(many: Installation) -> None:
    user = user_of(many, "survivor")
    victim, *others = many.nodes

    def run(at: int) -> Any:
        time.sleep(at / 10)
        return follow(many.front, user.token, f"kill{at}", prompt="1.5")

    def kill(_: int) -> None:
        time.sleep(1.5)
        victim.kill_all()

    *followed, _ = crowd(25, lambda at: run(at) if at < 24 else kill(at))
    for node in others:
        assert requests.get(f"{node.url}/api/v1/health", timeout=SOON).status_code == 200
    eventually(lambda: not Books(many.database).running, 10)
    books = Books(many.database)
    books.check()
    for each in followed:
        books.agree(each)
        numbers = [event["sequence"] for event in each.events]
        assert numbers[:-1] == list(range(1, len(numbers)))
    ends = Counter(each.last["type"] for each in followed)
    assert set(ends) == {"run.completed", "run.failed"}
    assert ends["run.failed"] <= 12, "only those of one node"
    assert sum(each.cuts for each in followed) >= ends["run.failed"]


def test_nodes_are_replaced_one_by_one_and_nobody_notices(many: Installation) -> None:
    """Replace the nodes one at a time. The first one replaces the node that was killed."""
    user = user_of(many, "unaware", unlimited=True)
    with Crowd(many.front, user.token, 4) as busy:
        for node in many.nodes:
            if node.process.poll() is None:
                node.signal(signal.SIGTERM)
                assert node.process.wait(SECONDS) == 0
            node.start()
            before = busy.done
            eventually(lambda before=before: busy.done > before + 5, SECONDS)
    assert busy.problems == []
    used = set(re.findall(r" by 127\.0\.0\.1:(\d+) in ", many.front.access_log))
    assert {f"http://127.0.0.1:{port}" for port in used} == {node.url for node in many.nodes}
    Books(many.database).check()
