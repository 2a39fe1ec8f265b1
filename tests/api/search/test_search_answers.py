"""`GET /api/v1/search`: the requests to registries, and the results from their answers."""

from __future__ import annotations

import pytest
import requests
from flask.testing import FlaskClient
from responses import RequestsMock
from search_requests import GITHUB, NPM, REPOSITORY, add, add_all, data, search


def test_the_three_registries(api: FlaskClient, registries: RequestsMock) -> None:
    add_all(registries)
    found = data(search(api))
    assert found == {
        "query": "redis",
        "sources": ["github", "npm", "docker"],
        "totalResults": 3,
        "results": {
            "github": [
                {
                    "id": "7",
                    "name": "example/redis",
                    "description": "A <b>store</b> of data.",
                    "url": "https://github.test/example/redis",
                    "source": "github",
                    "stars": 3,
                }
            ],
            "npm": [
                {
                    "id": "b",
                    "name": "b",
                    "description": "",
                    "url": "http://npm.test/b",
                    "source": "npm",
                }
            ],
            "docker": [
                {
                    "id": "redis",
                    "name": "redis",
                    "description": "",
                    "url": "https://hub.docker.com/_/redis",
                    "source": "docker",
                    "stars": 5,
                    "downloads": 2**40,
                }
            ],
        },
        "unavailable": [],
        "stale": [],
    }


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("", "q"),
        ("q=", "q"),
        ("q=%20%09", "q"),
        (f"q={'a' * 201}", "q"),
        ("q=a&q=b", "q"),
        ("q=a&sources=", "sources"),
        ("q=a&sources=npm,", "sources"),
        ("q=a&sources=npm,,docker", "sources"),
        ("q=a&sources=npm,cobol", "sources"),
        ("q=a&sources=gitlab", "sources"),
        ("q=a&limit=0", "limit"),
        ("q=a&limit=51", "limit"),
        ("q=a&limit=-1", "limit"),
        ("q=a&limit=ten", "limit"),
        ("q=a&limit=1.5", "limit"),
        ("q=a&limit=", "limit"),
    ],
)
def test_what_is_refused(api: FlaskClient, registries: RequestsMock, query: str, path: str) -> None:
    answer = search(api, query)
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["error"]["code"] == "invalid_request"
    assert answer.json["error"]["details"]["path"] == path
    assert not registries.calls


@pytest.mark.parametrize(
    "query", ["a", "a" * 200, "\U0001f600", "a&b #c?d=e/%2F", "\u0000\u0007x", 'a"b\\c', "  a  "]
)
def test_what_is_searched_for_arrives(
    api: FlaskClient, registries: RequestsMock, query: str
) -> None:
    add_all(registries)
    answer = api.get(
        "/api/v1/search", query_string={"q": query, "sources": " npm , npm", "limit": 50}
    )
    assert data(answer)["query"] == query
    assert data(answer)["sources"] == ["npm"]
    assert sorted(data(answer)["results"]) == ["docker", "github", "npm"]
    (call,) = registries.calls
    sent = requests.Request("GET", NPM, params={"text": query, "size": "50"}).prepare()
    assert str(call.request.url).partition("?")[2] == str(sent.url).partition("?")[2]
    assert str(call.request.headers["User-Agent"]).startswith("codeintel/")


@pytest.mark.parametrize("limit", [1, 50])
def test_limits(api: FlaskClient, registries: RequestsMock, limit: int) -> None:
    rows = [{"package": {"name": f"p{number}"}} for number in range(60)]
    add(registries, NPM, {"objects": rows})
    assert data(search(api, f"q=a&sources=npm&limit={limit}"))["totalResults"] == limit


def test_joined_emoji_and_bad_links(api: FlaskClient, registries: RequestsMock) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u0645\u06cc\u200c\u062e\u0648\u0627"
    rows = [
        {**REPOSITORY, "description": family},
        {**REPOSITORY, "id": 8, "html_url": "https://user:pw@evil.test/"},
        {**REPOSITORY, "id": 9, "html_url": 'https://evil.test/<">'},
        {**REPOSITORY, "id": 10, "stargazers_count": "9" * 5_000},
    ]
    add(registries, GITHUB, {"items": rows})
    found = data(search(api, "q=a&sources=github"))["results"]["github"]
    assert [each["id"] for each in found] == ["7", "10"]
    assert found[0]["description"] == family
    assert "stars" not in found[1]
