"""Actions of accounts in an installation of many nodes: sign in, push, read proofs."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import requests
from many_nodes import Installation
from psycopg.rows import namedtuple_row
from server_helpers import Stream
from support import User, make_user

from codeintel.base.entitlements import Tier
from codeintel.identity.auth.browsers import SECURE
from codeintel.testing.server import LiveServer

SOON = 5.0
SECONDS = 120
KEYS = "/api/account/api-keys"
FROM_HERE = {"Sec-Fetch-Site": "same-origin"}


def user_of(many: Installation, name: str, **more: Any) -> User:
    """Return an account of TEAM with 1000 credits, if nothing else is said, and a key for
    everything."""
    scopes = ("api:v1", "workspace:write")
    options = {"tier": Tier.TEAM, "credits_": 1000, "scopes": scopes, **more}
    return make_user(many.services, f"{name}@example.org", **options)


def rows(many: Installation, query: str) -> list[Any]:
    """Return the rows of a query in PostgreSQL. Updates are committed."""
    with psycopg.connect(many.database, autocommit=True, row_factory=namedtuple_row) as database:
        result = database.execute(query)
        return result.fetchall() if result.description else []


def browser_of(many: Installation, user: User) -> requests.Session:
    """Return a browser signed in by a link, through nginx."""
    token = many.services.links.make(user.account.id)
    session = requests.Session()
    session.headers.update(FROM_HERE)
    answer = session.post(f"{many.front.url}/signin/{token}", timeout=SOON, allow_redirects=False)
    assert answer.status_code == 303, answer.text
    assert session.cookies[SECURE]
    assert token not in many.front.access_log
    return session


def at_node(session: requests.Session, node: LiveServer, method: str, path: str) -> Any:
    """Return a browser's request as nginx would pass it on, at a node of our choice."""
    headers = {**FROM_HERE, "Cookie": f"{SECURE}={session.cookies[SECURE]}"}
    return requests.request(method, f"{node.url}{path}", headers=headers, timeout=SOON)


def push(many: Installation, user: User, name: str, files: dict[str, str]) -> str:
    """Push a workspace through nginx; returns its session's path."""
    answer = requests.post(
        f"{many.front.url}/api/workspace/sync",
        headers=user.headers,
        json={"files": files, "name": name},
        timeout=SECONDS,
    )
    assert answer.status_code == 201, answer.text
    return f"{many.front.url}/api/workspace/{answer.json()['sessionId']}"


def proof(path: str, user: User) -> Stream:
    """Return the proof loop's stream, read to its end."""
    url = f"{path}/proof/events"
    return Stream(requests.get(url, headers=user.headers, stream=True, timeout=SECONDS)).read()


def told(many: Installation) -> list[str]:
    """Return the ids of completed jobs in the output of the workers."""
    lines = "\n".join(worker.output for worker in many.workers)
    return re.findall(r"^workspace\.proof (\S+) done", lines, re.MULTILINE)
