"""The events, credits and limits of an analysis."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from support import MakeApp, User, make_user
from werkzeug.test import TestResponse

from codeintel.app import Services
from codeintel.base.entitlements import Tier

URL = "/api/v1/analyze/stream"
BAD_CODE = """import subprocess
API_PASSWORD = "s3cr3t-Zq81mNv0-plX"

def run(command, seen=[]):
    subprocess.call(command, shell=True)
    return seen
"""


def analyze(client: FlaskClient, user: User, **body: Any) -> TestResponse:
    return client.post(URL, json={"code": "x = 1\n", **body}, headers=user.headers)


def events(answer: TestResponse) -> list[dict[str, Any]]:
    frames = answer.text.split("\n\n")
    assert frames.pop() == ""
    found = []
    for number, text in enumerate(frames, 1):
        identifier, event, data = text.split("\n")
        found.append(json.loads(data.removeprefix("data: ")))
        assert identifier == f"id: {number}"
        assert event == f"event: {found[-1]['type']}"
        assert found[-1]["sequence"] == number
        assert found[-1]["runId"] == found[0]["runId"]
    return found


def test_findings_stream_and_the_result_has_each_defect_once(
    client: FlaskClient, user: User
) -> None:
    answer = analyze(client, user, code=BAD_CODE, language="py", prompt="security?")
    seen = events(answer)
    assert seen[0]["type"] == "run.created"
    assert {"engine": "static", "model": "flash", "creditsReserved": 1}.items() <= seen[0].items()
    result = next(event["result"] for event in seen if event["type"] == "result")
    assert result["language"] == "python"
    shell = [
        found
        for found in result["findings"]
        if (found["cwe"], found["severity"]) == ("CWE-78", "critical")
    ]
    assert [(found["engine"], found["range"]["startLine"]) for found in shell] == [("patterns", 5)]
    assert shell[0]["remedy"].endswith(".")
    secrets = [found for found in result["findings"] if found["range"]["startLine"] == 2]
    assert len(secrets) == 1
    assert "s3cr3t" not in answer.text
    streamed = [event["finding"] for event in seen if event["type"] == "finding"]
    assert len(streamed) == len(result["findings"])
    text = "".join(event["text"] for event in seen if event["type"] == "output.delta")
    assert text == result["summary"]
    assert "security" in text
    assert {each["name"] for each in result["analyzers"]} == {
        *("bandit", "metrics", "patterns", "ruff", "secrets")
    }
    assert result["metrics"]["lines"] == 6
    assert seen[-1]["type"] == "run.completed"
    assert seen[-1]["usage"] == {"inputCharacters": len(BAD_CODE)}


@pytest.mark.parametrize(
    ("body", "price"),
    [
        ({}, 1),
        ({"model": "flash"}, 1),
        ({"model": "pro"}, 2),
        ({"code": "#" * 20_000}, 1),
        ({"code": "#" * 20_001}, 2),
        ({"code": "#" * 20_001, "model": "pro"}, 3),
    ],
)
def test_prices(
    client: FlaskClient, user: User, services: Services, body: dict[str, Any], price: int
) -> None:
    seen = events(analyze(client, user, **body))
    assert seen[0]["creditsReserved"] == price
    assert (seen[-1]["creditsCharged"], seen[-1]["creditsRefunded"]) == (price, 0)
    balance = services.ledger.balance(user.account.id)
    assert (balance.posted, balance.held) == (100 - price, 0)
    (entry, _grant) = services.ledger.entries(user.account.id)
    assert (entry.amount, entry.metered, entry.run_id) == (-price, price, seen[0]["runId"])


def test_another_language_is_answered_honestly(client: FlaskClient, user: User) -> None:
    code = 'let token = "ghp_' + "16C7e42F292c6912E7710c838347Ae178B4a" + '"\n'
    seen = events(analyze(client, user, code=code, language="klingon"))
    notes = [event["message"] for event in seen if event["type"] == "progress"]
    assert any("klingon" in note for note in notes)
    assert [event["type"] for event in seen].count("finding") == 1
    assert seen[-1]["type"] == "run.completed"


def test_unlimited_accounts_are_metered_and_not_charged(
    client: FlaskClient, services: Services
) -> None:
    rich = make_user(services, "rich@example.org", credits_=0, unlimited=True)
    seen = events(analyze(client, rich, model="pro"))
    assert (seen[0]["creditsReserved"], seen[-1]["creditsCharged"]) == (0, 0)
    (entry,) = services.ledger.entries(rich.account.id)
    assert (entry.amount, entry.metered) == (0, 2)


def test_without_credits_402_says_price_and_balance(
    client: FlaskClient, services: Services
) -> None:
    poor = make_user(services, "poor@example.org", credits_=1)
    answer = analyze(client, poor, model="pro")
    assert (answer.status_code, answer.json["error"]["code"]) == (402, "insufficient_credits")
    assert answer.json["error"]["details"] == {"price": 2, "available": 1, "balance": 1, "held": 0}
    assert services.ledger.balance(poor.account.id).posted == 1


@pytest.mark.parametrize(("tier", "limit"), [(Tier.FREE, 30), (Tier.PRO, 90)])
def test_the_hour_s_limit_of_the_tier(make_app: MakeApp, tier: Tier, limit: int) -> None:
    app = make_app({"CODEINTEL_ANALYSIS_QUEUE": 10_000})
    services: Services = app.extensions["codeintel"]
    user = make_user(services, tier=tier, credits_=0)
    client = app.test_client()
    for used in range(1, limit + 1):  # rejected for lack of credits, but counted
        answer = analyze(client, user)
        assert answer.status_code == 402
        assert answer.headers["X-RateLimit-Limit"] == str(limit)
        assert answer.headers["X-RateLimit-Remaining"] == str(limit - used)
    answer = analyze(client, user)
    assert (answer.status_code, answer.json["error"]["code"]) == (429, "rate_limit_exceeded")
    assert 0 < int(answer.headers["Retry-After"]) <= 3600
    assert answer.headers["X-RateLimit-Remaining"] == "0"
    assert client.get("/api/v1/account", headers=user.headers).status_code == 200


def test_one_account_s_limit_is_not_another_s(client: FlaskClient, services: Services) -> None:
    first, second = (make_user(services, f"{name}@example.org") for name in ("a", "b"))
    analyze(client, first)
    assert analyze(client, second).headers["X-RateLimit-Remaining"] == "29"
