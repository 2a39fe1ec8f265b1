"""The results of searches while registries fail, by their ways, for tests to import."""

from __future__ import annotations

import time
from typing import Any

import requests

from codeintel.testing.server import LiveServer

SECONDS = 10
SEARCH_SECONDS = 5.0
"""The 4 s of all together, and a second for a slow machine."""
FOUND, NOTHING = "found", "nothing"
ROWS = {
    # What comes is no answer.
    "refused-connection": "unreachable",
    "unknown-name": "unreachable",
    "no-name": "unreachable",
    "hanging-name": "timeout",
    "no-http": "unreachable",
    "nothing": "unreachable",
    "101": "unreachable",
    "two-lengths": "unreachable",
    "long-head": "unreachable",
    "many-headers": "unreachable",
    "cut": "unreachable",
    "bad-chunk": "unreachable",
    "cut-chunk": "unreachable",
    "hang": "timeout",
    "drip-head": "timeout",
    "drip-headers": "timeout",
    "drip-body": "timeout",
    "drip-100": "timeout",
    # TLS.
    "tls": FOUND,
    "tls-self-signed": "unreachable",
    "tls-wrong-host": "unreachable",
    "tls-expired": "unreachable",
    "tls-plain": "unreachable",
    "tls-hanging": "timeout",
    # A status.
    "401": "unauthorized",
    "403": "refused",
    "github:403-limit": "rate_limited",
    "429": "rate_limited",
    "429-seconds": "rate_limited",
    "429-date": "rate_limited",
    "docker:429-docker": "rate_limited",
    "gitlab:429-gitlab": "rate_limited",
    "huggingface:429-huggingface": "rate_limited",
    "crates:429-seconds": "rate_limited",
    "gitea:429-seconds": "rate_limited",
    "429-endless": "rate_limited",
    "422": "refused",
    "500": "unavailable",
    "302": "unavailable",
    "204": "malformed",
    "304": "malformed",
    "103": FOUND,
    # A body.
    "html": "malformed",
    "half": "malformed",
    "deep": "malformed",
    "github:nan": FOUND,
    "github:infinity": FOUND,
    "github:huge": "malformed",
    "twice": FOUND,
    "mark": FOUND,
    "utf-16": FOUND,
    "invalid": "malformed",
    "no-header": FOUND,
    "brotli": "malformed",
    "unknown": FOUND,
    "garbage": "malformed",
    "zipped": FOUND,
    "cookies": FOUND,
    "good": FOUND,
}
"""What a search comes to, by the kind of a registry (npm) and its way."""
LIMITS = {"429": 60, "429-endless": 60}
"""Seconds to wait where it is not 30."""
HEAVY = {
    "big": "malformed",
    "big-chunks": "malformed",
    "trailers": "unreachable",
    "interim": "unreachable",
    "bomb": "malformed",
    "double-bomb": "malformed",
    "moved-bomb": "unavailable",
    "members": "malformed",
    "crumbs": None,  # as fast as the machine is
    "nameless": NOTHING,
    "rows": "malformed",
    "words": FOUND,
}
MORE = ("kept", "closes-after", "closes-at-once", "left", "named", "beside", "unnamed")
PROXIED = ("proxied", "proxied-tls")
WITH_TOKEN = {"302", "proxied-tls"}


def source_name(row: str) -> str:
    return "t-" + row.replace(":", "-").replace(".", "-")


def search(server: LiveServer, query: str, *rows: str) -> Any:
    """Return the data of a search, in time."""
    begin = time.monotonic()
    parameters = {"q": query, "sources": ",".join(map(source_name, rows))}
    answer = requests.get(f"{server.url}/api/v1/search", parameters, timeout=SECONDS)
    took = time.monotonic() - begin
    assert answer.status_code == 200, answer.text
    assert took < SEARCH_SECONDS
    assert "secret" not in answer.text
    return answer.json()["data"]


def came_to(data: Any, row: str) -> str:
    """Return the code of a failed source, or whether it found something."""
    name = source_name(row)
    codes = {each["source"]: each["code"] for each in data["unavailable"]}
    names = [each["name"] for each in data["results"][name]]
    assert not names or name not in codes
    return codes.get(name, FOUND if names else NOTHING)
