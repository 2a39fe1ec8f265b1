"""Scenarios with keys and workspaces, and invalid requests."""

from __future__ import annotations

import time
from typing import Any

from soak.client import Client
from soak.scenarios import ANALYZE, PROGRAMS

KEYS, KEY = "/api/account/api-keys", "/api/account/api-keys/{key_id}"
WORKSPACES, WORKSPACE = "/api/workspace", "/api/workspace/{workspace_id}"
PROOF_SECONDS = 60.0
ACCOUNT = "/api/v1/account"
WRONG: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    (
        "POST",
        ANALYZE,
        "invalid_json",
        {"data": b"{", "headers": {"Content-Type": "application/json"}},
    ),
    ("POST", ANALYZE, "invalid_request", {"json": {"code": ""}}),
    ("POST", ANALYZE, "invalid_request", {"json": {"code": "x", "language": "!"}}),
    ("POST", ANALYZE, "unsupported_media_type", {"data": b"code=x"}),
    ("POST", ANALYZE, "payload_too_large", {"json": {"code": "x" * 2_000_000}}),
    ("POST", ANALYZE, "unauthorized", {"json": {"code": "x"}, "key": "ci_nonsense"}),
    ("POST", "/api/v1/transform/stream", "invalid_request", {"json": {"code": "x"}}),
    ("GET", "/api/v1/search", "invalid_request", {"params": {"q": ""}}),
    ("GET", "/api/v1/search", "invalid_request", {"params": {"q": "x", "sources": "nobody"}}),
    ("GET", "/api/trust/network", "invalid_request", {"params": {"target": "::"}}),
    ("GET", "/api/v1/runs/{run_id}", "not_found", {"place": {"run_id": "run_none"}}),
    ("GET", WORKSPACE, "not_found", {"place": {"workspace_id": "ws_none"}}),
    ("GET", ACCOUNT, "unauthorized", {"key": ""}),
    ("POST", "/api/workspace/sync", "invalid_request", {"json": {"files": {"../x": "y"}}}),
)


def mistake(client: Client) -> None:
    """Send an invalid request, and expect the right error code."""
    method, path, code, more = client.chance.choice(WRONG)
    statuses = (400, 401, 403, 404, 413, 415)
    answer = client.ask(method, path, *statuses, **more)
    assert answer.json()["error"]["code"] == code, f"{path}: {answer.text[:200]}, not {code}"


def keys(client: Client) -> None:
    """Make a key in a browser, use it, rotate it, revoke it."""
    body = {"name": "soak", "scopes": ["account:read"], "ttlDays": 1}
    made = client.ask("POST", KEYS, 201, browser=True, json=body).json()
    client.ask("GET", ACCOUNT, key=made["token"])
    rotated = client.ask(
        "POST",
        KEY + "/rotate",
        200,
        201,
        browser=True,
        place={"key_id": made["key"]["id"]},
        json={"overlapSeconds": 0},
    ).json()
    client.ask("GET", ACCOUNT, key=rotated["token"])
    for key in (made, rotated):
        client.ask("DELETE", KEY, browser=True, place={"key_id": key["key"]["id"]})
    # By then every process knows. Not longer: the service ends connections that are idle for 5 s,
    # and a request that crosses such an end is lost.
    time.sleep(4)
    client.ask("GET", ACCOUNT, 401, key=rotated["token"])
    client.ask("GET", KEYS, browser=True)


def workspace(client: Client) -> None:
    """Push, edit, compare, have it analyzed, read the report, delete it."""
    files = {
        f"/src/{number}.{suffix(language)}": code
        for number, (language, code) in enumerate(client.chance.sample(PROGRAMS, 6))
    }
    body = {"files": files, "name": f"soak {client.chance.random()}"}
    pushed = client.ask("POST", WORKSPACES + "/sync", 200, 201, json=body).json()
    place, base = {"workspace_id": pushed["sessionId"]}, pushed["revision"]
    changes = {"/README.md": f"# {client.chance.random()}\n", next(iter(files)): None}
    edit = {"baseRevision": base, "changes": changes}
    client.ask("POST", WORKSPACE + "/revisions", 200, 201, place=place, json=edit)
    stale = {"baseRevision": base, "changes": {"/README.md": "other\n"}}
    client.ask("POST", WORKSPACE + "/revisions", 409, 200, 201, place=place, json=stale)
    client.ask("GET", WORKSPACE + "/changes", place=place, params={"since": base})
    client.ask("GET", WORKSPACE + "/archive.zip", place=place)
    client.ask("POST", WORKSPACE + "/proof", 202, place=place, json={})
    _wait(client, place)
    for form in ("json", "sarif", "csv", "html"):
        client.ask("GET", WORKSPACE + "/report", 200, 404, place=place, params={"format": form})
    client.ask("GET", WORKSPACE + "/revisions", place=place)
    client.ask("DELETE", WORKSPACE, 200, 204, place=place)


def _wait(client: Client, place: dict[str, str]) -> None:
    """Wait for the end of a proof, or for a limited time, because many proofs are queued."""
    deadline = time.monotonic() + PROOF_SECONDS
    while time.monotonic() < deadline:
        found = client.ask("GET", WORKSPACE + "/proof", place=place).json()
        if found["status"] not in {"queued", "running"}:
            return
        time.sleep(1)


def suffix(language: str) -> str:
    """Return the suffix of files in a language."""
    return {
        "python": "py", "javascript": "js", "typescript": "ts", "ruby": "rb", "rust": "rs",
        "csharp": "cs", "bash": "sh",
    }.get(language, language)  # fmt: skip
