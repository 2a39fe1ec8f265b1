"""Scenarios of clients: analyses, transformations, searches, trust queries, and failures."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import Any

from codeintel.client.answers import TERMINAL
from soak.client import Client, check_whole

CORPUS = Path(__file__).parents[1] / "corpus" / "tuned"
ANALYZE = "/api/v1/analyze/stream"
TRANSFORM = "/api/v1/transform/stream"
EVENTS = "/api/v1/runs/{run_id}/events"
PROGRAMS = [
    (file.parent.name, file.read_text())
    for file in sorted(CORPUS.glob("*/*"))
    if file.is_file() and file.stat().st_size < 20_000
]
PAGES = [
    "/", "/docs", "/docs/rules", "/playground", "/runs", "/search?q=redis", "/trust", "/workspace",
    "/account", "/account/keys", "/account/activity",
]  # fmt: skip
TRANSFORMATIONS: list[dict[str, Any]] = [
    {
        "code": "def f(x):\n    if x == True:\n        return [i for i in range(10)]\n",
        "language": "python",
        "transformation": "refactor",
    },
    {
        "code": "from typing import List\n\ndef f(x: List[int]) -> int:\n    return len(x)\n",
        "language": "python",
        "transformation": "modernize",
    },
    {
        "code": '{"name": "x", "values": [1, 2, {"a": null}]}\n',
        "language": "json",
        "transformation": "convert",
        "targetLanguage": "yaml",
    },
    {
        "code": "select a,b from t where a=1 and b in (select c from u)\n",
        "language": "sql",
        "transformation": "refactor",
    },
    {
        "code": "const f = (x: number): string => `${x}`;\n",
        "language": "typescript",
        "transformation": "convert",
        "targetLanguage": "javascript",
    },
]


def _body(client: Client, model: str = "flash") -> dict[str, Any]:
    """A program, as others have sent it or never seen before."""
    language, code = client.chance.choice(PROGRAMS)
    if client.chance.random() < 0.5:
        code += "\n" * client.chance.randint(1, 500)
    return {"code": code, "language": language, "model": model}


def analyze(client: Client) -> None:
    """Analyze with analyzers and the static engine."""
    events = client.follow("POST", ANALYZE, json=_body(client))
    assert any(event["type"] == "result" for event in events)


def analyze_by_model(client: Client) -> None:
    """Analyze with analyzers and a model that takes seconds."""
    client.follow("POST", ANALYZE, json=_body(client, "pro"))


def transform(client: Client) -> None:
    """Run a transformation with its checks."""
    client.follow("POST", TRANSFORM, json=client.chance.choice(TRANSFORMATIONS))


def repeat(client: Client) -> None:
    """Send the same request twice with one key, and expect one run."""
    headers, body = {"Idempotency-Key": secrets.token_hex(8)}, _body(client)
    runs = {
        client.follow("POST", ANALYZE, json=body, headers=headers)[0]["runId"] for _ in range(2)
    }
    assert len(runs) == 1, "two runs under one key"


def resume(client: Client) -> None:
    """Leave a stream behind some events and read on elsewhere; then read the run."""
    with client.stream("POST", ANALYZE, json=_body(client, "pro")) as events:
        seen = [event for event, _ in zip(events, range(client.chance.randint(1, 8)), strict=False)]
    if seen[-1]["type"] in TERMINAL:
        return
    place = {"run_id": seen[0]["runId"]}
    headers = {"Last-Event-ID": str(seen[-1]["sequence"])}
    with client.stream("GET", EVENTS, place=place, headers=headers) as events:
        rest = list(events)
    check_whole(rest, seen[-1]["sequence"] + 1)
    client.ask("GET", "/api/v1/runs/{run_id}", place=place)


def cancel(client: Client) -> None:
    """Stop a run that streams."""
    with client.stream("POST", ANALYZE, json=_body(client, "pro")) as events:
        first = next(events)
        place = {"run_id": first["runId"]}
        time.sleep(client.chance.random())
        client.ask("POST", "/api/v1/runs/{run_id}/cancel", place=place)
        check_whole([first, *events], good=False)


def cut(client: Client) -> None:
    """Disconnect in mid-stream and do not return."""
    with client.stream("POST", ANALYZE, json=_body(client, "pro")) as events:
        next(events)


def search(client: Client) -> None:
    """Search registries, mostly for packages that were searched before."""
    words = client.chance.choice(
        ("redis", "http", "parser", f"word{client.chance.randint(0, 999)}")
    )
    found = client.ask("GET", "/api/v1/search", params={"q": words}).json()["data"]
    assert not found.get("unavailable"), f"unavailable: {found['unavailable']}"


def trust(client: Client) -> None:
    """A package, several, or the network."""
    kind = client.chance.choice(("package", "package", "comparison", "overview"))
    names = client.chance.sample(range(60), 3)
    targets = [f"npm:package-{number}" for number in names]
    parameters = {
        "package": {"target": targets[0]},
        "comparison": {
            "target": "..vs..".join(f"package:{target}" for target in targets),
            "kind": "comparison",
        },
        "overview": {},
    }[kind]
    client.ask("GET", "/api/trust/network", params=parameters)


def look_around(client: Client) -> None:
    """Request pages, and what programs poll."""
    for path in ("/api/v1/health", "/api/v1/capabilities", "/api/v1/account"):
        client.ask("GET", path)
    client.ask("GET", client.chance.choice(PAGES), browser=True)
