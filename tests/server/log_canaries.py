"""Secrets that must not come into a log, and everywhere that they can be planted."""

from __future__ import annotations

import base64
import json
import socket
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlsplit

import requests
from servers import free_port

SECONDS = 60
FORGED = "2026-01-01 00:00:00,000 ERROR codeintel: forged"

LEAKY_ENGINE = '''
import logging
import gevent
from codeintel import hookimpl
from codeintel.contracts import Engine

def fail(text):
    raise RuntimeError(text)

class Leaky(Engine):
    """Fails in every way, and quotes what it was given each time."""
    name = "leaky"
    preference = 1000

    def available(self, kind, model):
        return model == "flash"

    def analyze(self, task, context):
        gevent.spawn(fail, task.code)
        gevent.sleep(0.01)
        try:
            fail(task.code)
        except RuntimeError:
            logging.getLogger("leaky").exception("it %s", "failed\\nFORGED")
        raise ValueError(task.code + task.prompt)

@hookimpl
def register_engines(register, config):
    register(Leaky())
'''.replace("FORGED", FORGED)


class Canaries:
    """Makes secrets, and finds those that got out."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}

    def __call__(self, place: str) -> str:
        """Return the secret of a place."""
        made = f"cnry{len(self.made):02d}{place.replace('-', '')}tweettweettweet"
        return self.made.setdefault(place, made)

    def out(self, text: str) -> set[str]:
        """Return places whose secret is in a text, plainly or in base64."""
        return {
            place
            for place, secret in self.made.items()
            if secret in text or base64.b64encode(secret.encode()).decode()[:20] in text
        }


def settings(canary: Canaries, postgres_port: int) -> dict[str, str]:
    """Return the settings of a server whose secrets are all canaries, and whose upstreams are
    all dead."""
    dead = f"127.0.0.1:{free_port()}"
    instance = {"name": "work", "kind": "gitlab", "base_url": f"http://{dead}"}
    issuer = {
        "issuer": f"https://{dead}",
        "audience": "api",
        "client_id": "us",
        "client_secret": canary("client-secret"),
        "name": "id",
    }
    return {
        "DATABASE_URL": f"postgresql://test:{canary('database')}@127.0.0.1:{postgres_port}/postgres",
        "REDIS_URL": f"redis://:{canary('redis')}@{dead}/0",
        "CODEINTEL_KEY_PEPPER": canary("pepper") * 2,
        "CODEINTEL_SESSION_KEY": canary("session-key") * 2,
        "CODEINTEL_OIDC_ISSUERS": json.dumps([issuer]),
        "CODEINTEL_AI_BASE_URL": f"http://{dead}/v1",
        "CODEINTEL_AI_API_KEY": canary("model-key"),
        "CODEINTEL_AI_MODEL_PRO": "model",
        "CODEINTEL_GITHUB_URL": f"http://{dead}",
        "CODEINTEL_GITHUB_TOKEN": canary("github"),
        "CODEINTEL_DOCKER_URL": f"http://{dead}",
        "CODEINTEL_SOURCE_INSTANCES": json.dumps([{**instance, "token": canary("gitlab")}]),
        # Remote upstreams are requested through a proxy that does not exist.
        "HTTPS_PROXY": f"http://me:{canary('proxy')}@{dead}",
        "https_proxy": f"http://me:{canary('proxy')}@{dead}",
        "CODEINTEL_ACCESS_LOG": "on",
        "CODEINTEL_RUN_TIMEOUT": "20",
        "CODEINTEL_DRAIN_TIMEOUT": "1",
    }


def ask_wrongly(url: str, canary: Canaries) -> None:
    """Send requests with secrets in every position, without valid credentials."""
    basic = base64.b64encode(f"{canary('basic-user')}:{canary('basic')}".encode()).decode()
    headers: list[dict[str, str]] = [
        {"Authorization": f"Bearer {canary('bearer')}"},
        {"Authorization": f"Basic {basic}"},
        {"X-Api-Key": canary("api-key"), "Referer": f"{url}/?{canary('referer')}"},
        {"Cookie": f"session={canary('cookie')}; codeintel_session={canary('cookie')}"},
        {"Proxy-Authorization": canary("proxy-header"), "X-Forwarded-For": canary("forwarded")},
        {"Accept": "text/html", "Host": "127.0.0.1"},
    ]
    places = (
        "/api/v1/account",
        f"/api/v1/search?q={canary('query')}&token={canary('query-token')}",
        f"/signin/{canary('link')}",
        f"/auth/callback/id?state={canary('state')}&code={canary('code')}",
        f"/auth/callback/id?error={canary('login-error')}&state=x",
        f"/nothing%0A{quote(FORGED)}%0D%1b%5b2J",
    )
    for header in headers:
        for place in places:
            requests.get(f"{url}{place}", headers=header, timeout=SECONDS, allow_redirects=False)
    body = f'{{"code": "{canary("bad-json")}"'
    for path in ("/api/v1/analyze/stream", "/api/workspace/sync", "/signin"):
        requests.post(f"{url}{path}", body, headers=headers[0], timeout=SECONDS)


def send_nonsense(url: str, canary: Canaries) -> None:
    """Send data that is hardly HTTP."""
    parts = urlsplit(url)
    for raw in (
        f"GET /signin/{canary('line')} NONSENSE/{canary('line')}\r\n\r\n",
        f"{canary('method')}( / HTTP/1.1\r\nHost: x\r\n\r\n",
        f"GET / HTTP/1.1\r\nAuthorization Bearer {canary('no-colon')}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: x\r\n {canary('folded')}\r\n\r\n",
        f"GET / HTTP/1.1\r\nX({canary('bad-name')}: 1\r\n\r\n",
        f"GET / HTTP/1.1\r\nContent-Length: {canary('length')}\r\n\r\n",
        f"GET / HTTP/1.1\r\nTransfer-Encoding: {canary('coding')}\r\n\r\n",
        f"GET /{canary('long-line') * 600} HTTP/1.1\r\n\r\n",
        f"POST /signin HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{canary('chunk')}\r\n",
    ):
        with socket.create_connection((str(parts.hostname), parts.port or 80), SECONDS) as client:
            client.sendall(raw.encode())
            client.shutdown(socket.SHUT_WR)
            with suppress(OSError):
                while client.recv(65_536):
                    pass


def analyze(url: str, key: str, canary: Canaries, model: str) -> str:
    """Return the events of a run of code with secrets in it."""
    body: dict[str, Any] = {
        "code": f"password = '{canary('source')}'\n",
        "language": "python",
        "model": model,
        "prompt": canary("prompt"),
    }
    return requests.post(
        f"{url}/api/v1/analyze/stream", json=body, headers={"X-Api-Key": key}, timeout=60
    ).text


def push(url: str, key: str, canary: Canaries) -> requests.Response:
    """Push a workspace whose remote has a password."""
    remote = f"https://me:{canary('remote')}@git.example.org/x.git"
    body = {
        "name": "sample",
        "files": {"/a.py": f"key = '{canary('file')}'\n"},
        "remoteUrl": remote,
    }
    return requests.post(
        f"{url}/api/workspace/sync", json=body, headers={"X-Api-Key": key}, timeout=SECONDS
    )
