"""Results that need a token are for accounts only, unless the source is declared public."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from responses import RequestsMock
from search_requests import CONFIG, GITHUB, NPM, REPOSITORY, add, data, search
from support import MakeApp, make_user


@pytest.fixture
def private(make_app: MakeApp) -> Flask:
    """Return an application whose token for GitHub may find private results."""
    return make_app({**CONFIG, "CODEINTEL_GITHUB_TOKEN": "gh-token"})


def test_private_results_need_an_account(private: Flask, registries: RequestsMock) -> None:
    hidden = {**REPOSITORY, "private": True}
    github = add(registries, GITHUB, {"items": [hidden]})
    api = private.test_client()
    user = make_user(private.extensions["codeintel"], scopes=("search:read",))
    answer = search(api, "q=redis&sources=github", **user.headers)
    assert len(data(answer)["results"]["github"]) == 1
    assert answer.headers["Cache-Control"] == "private, no-store"
    anonymous = data(search(api, "q=redis&sources=github"))
    assert anonymous["results"]["github"] == []
    assert anonymous["unavailable"][0]["code"] == "accounts_only"
    assert github.call_count == 1
    (call,) = registries.calls
    assert call.request.headers["Authorization"] == "Bearer gh-token"
    other = make_user(
        private.extensions["codeintel"], "other@example.org", scopes=("analysis:write",)
    )
    for headers, status, code in (
        (other.headers, 403, "insufficient_scope"),
        ({"Authorization": "Bearer nonsense"}, 401, "unauthorized"),
    ):
        refused = search(api, **headers)
        assert (refused.status_code, refused.json["error"]["code"]) == (status, code)
    assert github.call_count == 1


def test_a_token_that_is_declared_public(make_app: MakeApp, registries: RequestsMock) -> None:
    config = {"CODEINTEL_GITHUB_TOKEN": "t", "CODEINTEL_GITHUB_VISIBILITY": "public"}
    api = make_app({**CONFIG, **config}).test_client()
    add(registries, GITHUB, {"items": [{**REPOSITORY, "private": True}, REPOSITORY]})
    assert len(data(search(api, "q=redis&sources=github"))["results"]["github"]) == 1
    (call,) = registries.calls
    assert "is%3Apublic" in str(call.request.url)


DROP_IN = """
from codeintel import hookimpl
from codeintel.contracts import Hit, SearchSource, SourceRequest

class Secret(SearchSource):
    kind = "secret"
    def request(self, query, limit):
        return SourceRequest("/find", {"q": query})
    def hits(self, answer):
        for row in answer.json():
            yield Hit(id=row, name=row, url=f"http://secret.test/{row}")

@hookimpl
def register_search_sources(register, config):
    register(Secret("told", "http://secret.test", visibility="accounts"))
    register(Secret("token", "http://secret.test", token="t"))
    register(Secret("open", "http://secret.test", token="t", visibility="public"))
"""


def test_what_a_drop_in_finds_is_private_where_it_may_be(
    make_app: MakeApp, registries: RequestsMock, tmp_path: Path
) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "secret.py").write_text(DROP_IN)
    app = make_app(CONFIG)
    registries.get("http://secret.test/find", json=["thing"])
    anonymous = search(app.test_client(), "q=a&sources=told,token,open")
    found = data(anonymous)
    assert {name: len(found["results"][name]) for name in ("told", "token", "open")} == {
        "told": 0,
        "token": 0,
        "open": 1,
    }
    assert {each["source"]: each["code"] for each in found["unavailable"]} == {
        "told": "accounts_only",
        "token": "accounts_only",
    }
    user = make_user(app.extensions["codeintel"], scopes=("search:read",))
    answer = search(app.test_client(), "q=a&sources=told,token,open", **user.headers)
    assert data(answer)["totalResults"] == 3


@pytest.mark.parametrize("name", ["a,b", "A", "", "a b", "x" * 41])
def test_names_that_nobody_could_ask_for(make_app: MakeApp, tmp_path: Path, name: str) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "odd.py").write_text(DROP_IN.replace('"told"', repr(name)))
    app = make_app(CONFIG)
    (record,) = [r for r in app.extensions["codeintel"].plugins.records if r.name == "odd"]
    assert "is not a valid name of a source" in str(record.error)


def test_old_results_go_with_the_token(make_app: MakeApp, registries: RequestsMock) -> None:
    app = make_app({**CONFIG, "CODEINTEL_GITHUB_TOKEN": "t", "CODEINTEL_SEARCH_CACHE": "0"})
    user = make_user(app.extensions["codeintel"], scopes=("search:read",))
    add(registries, GITHUB, {"items": [REPOSITORY]})
    add(registries, GITHUB, status=401)
    assert (
        data(search(app.test_client(), "q=a&sources=github", **user.headers))["totalResults"] == 1
    )
    after = data(search(app.test_client(), "q=a&sources=github", **user.headers))
    assert (after["totalResults"], after["stale"]) == (0, [])
    assert after["unavailable"][0]["code"] == "unauthorized"
    assert "rejects the token" in after["unavailable"][0]["message"]


def test_a_registry_that_wants_a_token(api: FlaskClient, registries: RequestsMock) -> None:
    add(registries, NPM, status=401)
    (unavailable,) = data(search(api, "q=a&sources=npm"))["unavailable"]
    assert "npm requires a token" in unavailable["message"]
