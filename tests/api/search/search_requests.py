"""Made-up answers of registries, and short functions to search."""

from __future__ import annotations

from typing import Any

import responses
from flask.testing import FlaskClient
from responses import RequestsMock
from werkzeug.test import TestResponse

GITHUB, NPM, DOCKER = "http://github.test", "http://npm.test", "http://docker.test"

CONFIG = {
    "CODEINTEL_GITHUB_URL": GITHUB,
    "CODEINTEL_NPM_REGISTRY": NPM,
    "CODEINTEL_DOCKER_URL": DOCKER,
}

REPOSITORY = {
    "id": 7,
    "full_name": "example/redis",
    "html_url": "https://github.test/example/redis",
    "description": "A <b>store</b>\u202e\x00\nof data.",
    "stargazers_count": 3,
}

PACKAGE = {"name": "@example/redis", "links": {"npm": "javascript:alert(1)"}}

IMAGE = {"repo_name": "redis", "short_description": None, "star_count": 5, "pull_count": 2**40}


def add(mock: RequestsMock, base: str, document: Any = None, **more: Any) -> responses.BaseResponse:
    """Make a registry answer with a document, or as `more` says."""
    paths = {
        GITHUB: "/search/repositories",
        NPM: "/-/v1/search",
        DOCKER: "/v2/search/repositories/",
    }
    if document is not None:
        more["json"] = document
    return mock.get(base + paths[base], **more)


def add_all(mock: RequestsMock) -> list[responses.BaseResponse]:
    return [
        add(mock, GITHUB, {"items": [REPOSITORY]}),
        add(mock, NPM, {"objects": [{"package": PACKAGE}, {"package": {"name": "b"}}]}),
        add(mock, DOCKER, {"results": [IMAGE]}),
    ]


def search(api: FlaskClient, query: str = "q=redis", **headers: str) -> TestResponse:
    return api.get(f"/api/v1/search?{query}", headers=headers)


def data(answer: TestResponse) -> Any:
    assert answer.status_code == 200, answer.text
    assert answer.json is not None
    return answer.json["data"]
