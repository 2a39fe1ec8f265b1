"""The limits of registry requests for one caller, and for all callers without an account."""

from __future__ import annotations

import pytest
from flask import Flask
from responses import RequestsMock
from search_requests import CONFIG, add_all, data, search
from support import MakeApp, make_user

from codeintel.contracts import SearchSource

MOST, ALL = 2, 3


@pytest.fixture
def searching(make_app: MakeApp) -> Flask:
    budgets = {
        "CODEINTEL_SEARCH_CALLS": f"{MOST}/hour",
        "CODEINTEL_SEARCH_CALLS_ANONYMOUS": f"{ALL}/hour",
        "CODEINTEL_TRUSTED_PROXIES": "127.0.0.1/32",
    }
    return make_app({**CONFIG, **budgets})


def ask(app: Flask, query: str, address: str = "192.0.2.1", **headers: str) -> object:
    found = data(search(app.test_client(), f"q={query}", **{"X-Forwarded-For": address, **headers}))
    return sorted((each["source"], each["code"]) for each in found["unavailable"])


NONE = [(name, "rate_limited") for name in ("docker", "github", "npm")]


def test_an_address_has_so_many(searching: Flask, registries: RequestsMock) -> None:
    """Check that cached answers are free, and that no request is sent after the limit is
    reached.
    """
    added = add_all(registries)
    for query in ("one", "one", "two", "one"):
        assert ask(searching, query) == []
    assert ask(searching, "three") == NONE
    assert [each.call_count for each in added] == [MOST] * 3
    assert ask(searching, "one") == []
    assert ask(searching, "three", "192.0.2.2") == []


def test_all_without_an_account_leave_a_share_to_accounts(
    searching: Flask, registries: RequestsMock
) -> None:
    added = add_all(registries)
    for number in range(10):
        ask(searching, f"word{number}", f"192.0.2.{number}")
    assert [each.call_count for each in added] == [ALL] * 3
    user = make_user(searching.extensions["codeintel"])
    assert ask(searching, "honest", **user.headers) == []
    assert [each.call_count for each in added] == [ALL + 1] * 3


def test_a_used_up_budget_shows_what_was_found_before(
    searching: Flask, registries: RequestsMock
) -> None:
    add_all(registries)
    assert ask(searching, "one") == ask(searching, "two") == []
    searching.extensions["codeintel"].search._cache._fresh = 0
    answer = search(searching.test_client(), "q=one", **{"X-Forwarded-For": "192.0.2.1"})
    found = data(answer)
    assert found["totalResults"] and not found["unavailable"]
    assert {each["code"] for each in found["stale"]} == {"rate_limited"}
    told = data(search(searching.test_client(), "q=new", **{"X-Forwarded-For": "192.0.2.1"}))
    for each in told["unavailable"]:
        assert 0 < each["retryAfter"] <= 3_600 and "API key" in each["message"]


def test_what_a_registry_allows_is_known(make_app: MakeApp) -> None:
    sources = make_app().extensions["codeintel"].search.sources
    assert sources["github"].per_minute == 10 and sources["npm"].per_minute == 0
    limits = make_app().extensions["codeintel"].limits
    states = [limits.hit_anonymous_search_call("github", 10) for _ in range(6)]
    assert [each.exceeded for each in states] == [False] * 5 + [True]
    assert isinstance(sources["github"], SearchSource)
