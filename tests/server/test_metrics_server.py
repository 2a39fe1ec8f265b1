"""The figures of real servers, as Prometheus reads them."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from flask import Flask
from server_figures import Figures
from server_helpers import crowd, eventually
from servers import free_port
from slow_engine import SLOW_ENGINE
from support import MakeApp, make_user

from codeintel import __version__, create_app
from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.platform.db import db
from codeintel.platform.metrics import table
from codeintel.testing.server import COMMAND, LiveServer, events

SECONDS = 60
START_SECONDS = 60


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, redis_server: object, port: int
) -> Iterator[LiveServer]:
    """Run a server with two workers."""
    folder = tmp_path_factory.mktemp("instance")
    (folder / "plugins").mkdir()
    (folder / "plugins" / "slow.py").write_text(SLOW_ENGINE)
    with LiveServer(
        folder,
        workers=2,
        REDIS_URL=redis_server.url,  # type: ignore[attr-defined]
        CODEINTEL_METRICS_PORT=str(port),
        CODEINTEL_HOLD_TTL="3",
    ) as running:
        eventually(lambda: Figures(port).get("codeintel_processes") == 2, SECONDS)
        yield running


@pytest.fixture(scope="module")
def figures(server: LiveServer, port: int) -> Figures:  # noqa: ARG001 - which tells them
    return Figures(port)


@pytest.fixture(scope="module")
def app(server: LiveServer) -> Iterator[Flask]:
    """Return an app of the same instance, in this process."""
    made = create_app({"CODEINTEL_INSTANCE": server.instance})
    yield made
    with made.app_context():
        db.engine.dispose()


def new_key(app: Flask, email: str) -> str:
    """Return the key of a new TEAM account with 9 credits."""
    user = make_user(app.extensions["codeintel"], email, tier=Tier.TEAM, credits_=9)
    return user.token


def test_figures_are_those_of_all_workers(server: LiveServer, figures: Figures) -> None:
    health = {"route": "/api/v1/health", "method": "GET", "status": "200"}
    before = figures.get("codeintel_http_requests_total", **health)
    answers = crowd(40, lambda _: requests.get(f"{server.url}/api/v1/health", timeout=SECONDS).ok)
    assert answers == [True] * 40
    for _ in range(8):  # any worker may answer
        after = figures.get("codeintel_http_requests_total", **health)
        assert after == before + 40
    assert figures.get("codeintel_http_requests_in_progress") == 0
    # Both have answered, or the sum would prove nothing.
    folder = next((server.instance / "metrics").iterdir())
    counting = {path.stem.rpartition("_")[2] for path in folder.glob("counter_*.db")}
    assert {str(pid) for pid in server.worker_pids()} <= counting


def test_runs_credits_and_streams(server: LiveServer, figures: Figures, app: Flask) -> None:
    key = new_key(app, "runs@example.org")
    mark = {"kind": "analysis", "engine": "slow"}
    before = figures.all()

    def grown(name: str, **labels: str) -> float:
        was = sum(
            value
            for (each, its), value in before.items()
            if each == name and labels.items() <= dict(its).items()
        )
        return figures.get(name, **labels) - was

    streams = [server.analyze(key, prompt="60", model="pro") for _ in range(4)]
    readers = [events(stream) for stream in streams]
    run_ids = [next(reader)["runId"] for reader in readers]
    for reader in readers:
        assert next(reader)["type"] == "output.delta"
    assert figures.get("codeintel_runs_running", **mark) == 4
    assert figures.get("codeintel_streams_open") == 4
    assert server.analyze(key, model="pro").status_code == 402
    for run_id in run_ids:
        url = f"{server.url}/api/v1/runs/{run_id}/cancel"
        requests.post(url, headers={"x-api-key": key}, timeout=SECONDS).raise_for_status()
    for reader in readers:
        assert list(reader)[-1]["type"] == "run.cancelled"
    eventually(lambda: figures.get("codeintel_streams_open") == 0, SECONDS)
    assert figures.get("codeintel_runs_running", **mark) == 0
    assert grown("codeintel_runs_total", **mark, outcome="cancelled") == 4
    assert grown("codeintel_run_duration_seconds_count", **mark) == 4
    assert grown("codeintel_run_first_event_seconds_count", kind="analysis") == 4
    assert grown("codeintel_run_first_output_seconds_count", **mark) == 4
    assert grown("codeintel_errors_total", code="insufficient_credits") == 1
    spent = grown("codeintel_credits_charged_total", work="run")
    assert spent + grown("codeintel_credits_returned_total", work="run") == 8
    assert server.account(key)["credits"]["balance"] == 9 - spent


def test_no_label_is_anybody_s_to_choose(server: LiveServer, figures: Figures, app: Flask) -> None:
    hostile = "npm:evil"
    for method in ("GET", "BREW", "X" * 100):
        for path in ("/", f"/{hostile}", "/api/v1/runs/evil", "/signin/evil", "/%0aevil", "//evil"):
            requests.request(
                method,
                f"{server.url}{path}?evil=evil",
                headers={"Host": "evil.example", "Authorization": "Bearer evil"},
                timeout=SECONDS,
            )
    for query in ("sources=evil", "sources=github,evil", "q=evil"):
        requests.get(f"{server.url}/api/v1/search?{query}", timeout=SECONDS)
    requests.get(f"{server.url}/api/trust/network?target=evil:evil", timeout=SECONDS)
    text = figures.text()
    assert "evil" not in text
    assert "X" * 100 not in text
    assert figures.get("codeintel_http_requests_total", method="other", route="unmatched") > 0
    allowed = _allowed(app)
    families = {family.name: family for family in table.TABLE}
    for name, labels in figures.all():
        base = next(
            families[each]
            for each in (name, *(name.removesuffix(end) for end in ("_bucket", "_sum", "_count")))
            if each in families
        )
        its = dict(labels)
        its.pop("le", None)
        assert set(its) == set(base.labels)
        for label, value in its.items():
            values = base.labels[label]
            assert value in (values if isinstance(values, frozenset) else allowed[label])


def _allowed(app: Flask) -> dict[str, set[str]]:
    """Return the registered values by label."""
    services: Services = app.extensions["codeintel"]
    registry, sources = services.plugins.registry, set(services.search.sources)
    return {
        "route": {rule.rule for rule in app.url_map.iter_rules()} | {table.UNMATCHED},
        "engine": set(registry.engines),
        "source": sources,
        "upstream": sources | set(registry.collectors),
        "kind": set(services.jobs.kinds),
        "tool": {*registry.analyzers, *registry.detectors, *registry.transformations, "checks"},
        "version": {__version__},
        "python": {platform.python_version()},
    }


def test_what_it_takes_is_told(server: LiveServer, figures: Figures) -> None:
    found = {family.name: family for family in figures.families()}
    for name in ("resident_memory_bytes", "open_fds", "max_fds", "start_time_seconds"):
        (sample,) = found[f"codeintel_process_{name}"].samples
        assert sample.value > 0
    assert figures.get("codeintel_process_cpu_seconds_total") > 0
    assert figures.get("codeintel_build_info", version=__version__) == 1
    assert figures.get("codeintel_analyzer_slots") > 0
    assert figures.get("codeintel_writer_transactions_total", outcome="committed") > 0
    assert all(family.documentation.endswith(".") for family in found.values())
    master = server.process.pid
    assert str(master) not in {value for _, its in figures.all() for _, value in its}


def test_the_port_tells_nothing_else_and_the_service_no_figures(
    server: LiveServer, figures: Figures, port: int
) -> None:
    other = figures.url.replace("/metrics", "/api/v1/health")
    assert requests.get(other, timeout=SECONDS).status_code == 404
    spoofed = {"Host": f"127.0.0.1:{port}", "X-Forwarded-Port": str(port)}
    answer = requests.get(f"{server.url}/metrics", headers=spoofed, timeout=SECONDS)
    assert answer.status_code == 404
    assert "codeintel_" not in answer.text


def test_a_second_server_needs_a_port_of_its_own(
    server: LiveServer, tmp_path: Path, port: int
) -> None:
    assert server.process.poll() is None
    for command in (["serve", "--port", "0"], ["worker", "--once"]):
        ended = subprocess.run(
            [*COMMAND, *command],
            env={
                **os.environ,
                "CODEINTEL_INSTANCE": str(tmp_path),
                "CODEINTEL_METRICS_PORT": str(port),
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode != 0
        assert "Set CODEINTEL_METRICS_PORT" in ended.stderr
        assert "Traceback" not in ended.stderr


def test_a_killed_worker_leaves_what_it_counted_and_no_levels(
    server: LiveServer, figures: Figures, app: Flask
) -> None:
    key = new_key(app, "kill@example.org")
    streams = [server.analyze(key, prompt="60") for _ in range(4)]
    for stream in streams:
        assert next(events(stream))["type"] == "run.created"
    counted = figures.get("codeintel_http_requests_total")
    assert figures.get("codeintel_runs_running") == 4
    old = server.worker_pids()
    for pid in old:
        os.kill(pid, signal.SIGKILL)
    for stream in streams:
        stream.close()
    eventually(lambda: figures.get("codeintel_processes") == 2, SECONDS)
    eventually(lambda: not set(server.worker_pids()) & set(old), SECONDS)
    assert figures.get("codeintel_runs_running") == 0
    assert figures.get("codeintel_streams_open") == 0
    assert figures.get("codeintel_http_requests_total") >= counted


def test_a_worker_process_tells_its_figures(make_app: MakeApp, tmp_path: Path) -> None:
    make_app()  # which makes the database
    figures = Figures(free_port())
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND[2], "worker"],
        env={
            **os.environ,
            "CODEINTEL_INSTANCE": str(tmp_path),
            "CODEINTEL_METRICS_PORT": figures.url.split(":")[2].split("/")[0],
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        eventually(lambda: figures.get("codeintel_processes") == 1, START_SECONDS)
        assert ("codeintel_jobs_waiting", frozenset({("kind", "trust.refresh")})) in figures.all()
        assert requests.get(figures.url[:-1], timeout=SECONDS).status_code == 404
    finally:
        process.terminate()
        process.wait(SECONDS)


def test_figures_begin_anew_and_leave_nothing(tmp_path: Path) -> None:
    figures = Figures(free_port())
    settings = {"CODEINTEL_METRICS_PORT": figures.url.split(":")[2].split("/")[0]}
    server = LiveServer(tmp_path, **settings)
    with server:
        for _ in range(3):
            requests.get(f"{server.url}/api/v1/health", timeout=SECONDS)
        assert figures.get("codeintel_http_requests_total") >= 3
        server.kill_all()
        (left,) = (tmp_path / "metrics").iterdir()
        time.sleep(0.1)
        server.start()
        assert not left.exists()
        assert figures.get("codeintel_http_requests_total") == 1  # of the start itself
    assert not list((tmp_path / "metrics").iterdir())
