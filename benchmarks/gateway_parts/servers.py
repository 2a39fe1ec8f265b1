"""Start the services to measure: upstream, relay and codeintel, each in a separate process."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import requests
from codeintel_plugins.openai import conversation

from codeintel.contracts import AnalysisTask, Model
from codeintel.testing.server import LiveServer
from gateway_parts.client import Target
from gateway_parts.cost import children

FOLDER = Path(__file__).parents[1]
START_SECONDS = 30
STOP_SECONDS = 10
CREDITS = 100_000_000
CODE = "import os\n\n\ndef clean(folder):\n    os.system('rm -rf ' + folder)\n"
MODELS = {"instant": Model.FLASH, "paced": Model.PRO}
PLENTY = "100000000"


@dataclass(frozen=True)
class Service:
    """A service to measure, with its request for each kind of answer and its processes."""

    name: str
    targets: dict[str, Target]
    worker: int
    root: int


def free_port() -> int:
    """Return a free loopback port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def upstream(chunks: int, milliseconds: float) -> Iterator[str]:
    """A fake API; gives its base URL."""
    port = free_port()
    command = ["-m", "gateway_parts.upstream", str(port), str(chunks), str(milliseconds)]
    with _process(command, f"http://127.0.0.1:{port}/health"):
        yield f"http://127.0.0.1:{port}/v1"


@contextmanager
def relay(api: str) -> Iterator[Service]:
    """Run the bare relay of the API."""
    url = f"http://127.0.0.1:{free_port()}"
    command = ["-m", "gunicorn", "--bind", url.removeprefix("http://"), "--workers", "1"]
    command += ["--worker-class", "gevent", "--worker-connections", "2000", "--keep-alive", "5"]
    command += ["--no-control-socket", "--log-level", "warning", "gateway_parts.relay:app"]
    with _process(command, f"{url}/health", RELAY_UPSTREAM=api) as pid:
        targets = {
            kind: Target(f"{url}/relay", {}, _model_request(kind), b'"content":', b"data: [DONE]")
            for kind in MODELS
        }
        yield Service("relay", targets, children(pid)[0], pid)


@contextmanager
def codeintel(
    name: str, api: str, folder: Path, database: str, redis: str, *, evidence: bool
) -> Iterator[Service]:
    """Run the service over the API, with an account that pays for every run.

    :param database: URL, or empty for SQLite in `folder`.
    :param redis: URL, or empty to run without Redis.
    """
    folder.mkdir()
    with LiveServer(
        folder,
        DATABASE_URL=database,
        REDIS_URL=redis,
        CODEINTEL_KEY_PEPPER=secrets.token_hex(32),
        CODEINTEL_AI_BASE_URL=api,
        CODEINTEL_AI_MODEL_FLASH="instant",
        CODEINTEL_AI_MODEL_PRO="paced",
        CODEINTEL_AI_FALLBACK_STATIC="false",
        CODEINTEL_AI_STATIC_EVIDENCE=str(evidence).lower(),
        CODEINTEL_RESULT_CACHE="0",
        CODEINTEL_ANALYSIS_QUEUE="2000",
        CODEINTEL_TIER_LIMITS_FREE=f"{PLENTY},{PLENTY}",
        CODEINTEL_LIMIT_DEFAULT=f"{PLENTY}/minute",
    ) as server:
        email = f"gateway-{secrets.token_hex(8)}@example.org"
        headers = {"x-api-key": _new_key(server, email)}
        url = f"{server.url}/api/v1/analyze/stream"
        targets = {
            kind: Target(url, headers, _run(model), b"event: output.delta", b"event: run.completed")
            for kind, model in MODELS.items()
        }
        yield Service(name, targets, server.worker_pids()[0], server.process.pid)


def _new_key(server: LiveServer, email: str) -> str:
    """The key of a new account, for runs and for pushes."""
    server.run("accounts", "create", email, "--credits", str(CREDITS))
    scopes = ("--scope", "api:v1", "--scope", "workspace:write")
    return server.run("keys", "create", email, "--name", "test", *scopes).stdout.strip()


def _run(model: Model) -> bytes:
    return msgspec.json.encode({"code": CODE, "language": "python", "model": model})


def _model_request(kind: str) -> bytes:
    """Return codeintel's request to a model, for a relay that forwards it."""
    task = AnalysisTask(code=CODE, language="python", prompt="", model=MODELS[kind])
    messages = conversation.messages(task, "python", ())
    options: dict[str, Any] = {"stream_options": {"include_usage": True}, "max_tokens": 4_096}
    return msgspec.json.encode({"model": kind, "messages": messages, "stream": True, **options})


@contextmanager
def _process(arguments: list[str], health: str, **environment: str) -> Iterator[int]:
    """A Python process from when it answers; gives its id."""
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=FOLDER, env={**os.environ, **environment}
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                requests.get(health, timeout=START_SECONDS).raise_for_status()
                break
            except requests.ConnectionError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
