"""The limit of packages for which a caller can have upstreams queried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from support import MakeApp, make_user
from trust_upstreams import FakeUpstreams, fake_upstreams

MOST = 3


@pytest.fixture
def upstreams() -> Iterator[FakeUpstreams]:
    with fake_upstreams() as fake:
        for name in ("kit", *(f"kit{number}" for number in range(6))):
            fake.add(name)
        yield fake


@pytest.fixture
def app(make_app: MakeApp, upstreams: FakeUpstreams) -> Flask:
    return make_app(
        {
            "CODEINTEL_JOB_WORKERS": 0,
            "CODEINTEL_TRUST_LOOKUPS": f"{MOST}/hour",
            **upstreams.settings(),
        }
    )


def get(app: Flask, target: str, page: str = "/api/trust/network", **more: Any) -> Any:
    kind = "comparison" if ".." in target else "package"
    query = {"target": target, "kind": kind}
    return app.test_client().get(page, query_string=query, **more)


def error(answer: Any) -> dict[str, Any]:
    found: dict[str, Any] = answer.get_json()["error"]
    return found


def test_lookups_are_counted(app: Flask, upstreams: FakeUpstreams) -> None:
    """Check that only queried packages count, not stored ones or those known to be missing."""
    for name in ("kit0", "kit0", "unheard-of", "unheard-of", "kit1", "kit0"):
        assert get(app, name).status_code == (404 if name == "unheard-of" else 200)
    asked = sum(upstreams.asked.values())
    refused = get(app, "kit2")
    assert refused.status_code == 429
    told = error(refused)
    assert told["code"] == "rate_limit_exceeded"
    assert "The limit of 3 lookups an hour is used up" in told["message"]
    assert told["details"]["policy"] == "lookup" and told["details"]["limit"] == MOST
    assert 0 < int(refused.headers["Retry-After"]) <= 3_600
    assert refused.headers["X-RateLimit-Limit"] == str(MOST)
    page = get(app, "kit2", "/trust")
    assert page.status_code == 429 and "3 lookups an hour" in page.text
    assert page.headers["Retry-After"]
    assert sum(upstreams.asked.values()) == asked
    assert get(app, "kit0").status_code == 200
    assert get(app, "unheard-of").status_code == 404


def test_others_are_counted_apart(app: Flask) -> None:
    """Check that a refusal depends on the caller and is not cached for the package."""
    for number in range(MOST + 1):
        answer = get(app, f"kit{number}")
    assert answer.status_code == 429
    user = make_user(app.extensions["codeintel"])
    assert get(app, f"kit{MOST}", headers=user.headers).status_code == 200


def test_callers_without_an_account_leave_a_share_to_accounts(
    make_app: MakeApp, upstreams: FakeUpstreams
) -> None:
    """Check that a comparison's packages count for all callers without an account together."""
    app = make_app(
        {
            "CODEINTEL_JOB_WORKERS": 0,
            "CODEINTEL_TRUST_LOOKUPS_ANONYMOUS": "2/hour",
            "CODEINTEL_TRUSTED_PROXIES": "127.0.0.1/32",
            **upstreams.settings(),
        }
    )
    first = get(app, "package:kit0..vs..package:kit1", headers={"X-Forwarded-For": "192.0.2.1"})
    assert first.status_code == 200
    asked = sum(upstreams.asked.values())
    answer = get(app, "package:kit2..vs..package:kit3", headers={"X-Forwarded-For": "192.0.2.2"})
    assert answer.status_code == 429 and error(answer)["details"]["policy"] == "anonymous_lookup"
    assert sum(upstreams.asked.values()) == asked
    user = make_user(app.extensions["codeintel"])
    answer = get(app, "package:kit2..vs..package:kit3", headers=user.headers)
    assert answer.status_code == 200


def test_each_package_of_a_comparison_counts(app: Flask) -> None:
    assert get(app, "package:kit0..vs..package:kit1").status_code == 200
    answer = get(app, "package:kit2..vs..package:kit3")
    assert answer.status_code == 429
    assert answer.headers["X-RateLimit-Limit"] == str(MOST)
    assert get(app, "package:kit0..vs..package:kit1").status_code == 200


def test_what_is_stored_answers_though_it_is_old(app: Flask) -> None:
    first = get(app, "kit0").get_json()
    app.extensions["codeintel"].trust.snapshots._fresh = 0
    for _ in range(MOST):
        answer = get(app, "kit0")
        assert answer.status_code == 200
    body = answer.get_json()
    assert body["isStale"] is True and body["collectedAt"] >= first["collectedAt"]
    (told,) = body["unavailable"]
    assert told["code"] == "rate_limited" and "3 lookups an hour" in told["message"]
    assert answer.headers["Cache-Control"] == "public, max-age=0"


def test_a_slip_of_a_famous_name(app: Flask) -> None:
    for target, name in (("lodahs", "lodash"), ("npm:axois", "axios")):
        told = error(get(app, target))
        assert told["details"]["suggestion"] == f"npm:{name}"
        assert f"Did you mean `{name}`?" in told["message"]
    plain = error(get(app, "unheard-of"))
    assert "suggestion" not in plain["details"] and "Check the name." in plain["message"]
