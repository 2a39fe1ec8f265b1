"""Registries that answer the page `/search`, and what the page shows, for tests to import."""

from __future__ import annotations

from typing import Any

import responses
from responses import RequestsMock
from web_pages import Element, Page, assert_sound
from werkzeug.test import TestResponse

GITHUB, NPM, DOCKER = "http://github.test", "http://npm.test", "http://docker.test"
CONFIG = {
    "CODEINTEL_GITHUB_URL": GITHUB,
    "CODEINTEL_NPM_REGISTRY": NPM,
    "CODEINTEL_DOCKER_URL": DOCKER,
}
PATHS = {GITHUB: "/search/repositories", NPM: "/-/v1/search", DOCKER: "/v2/search/repositories/"}
REPOSITORY = {
    "id": 7,
    "full_name": "example/redis",
    "html_url": "https://github.test/example/redis?a=1&b=2",
    "description": "A store of data.",
    "stargazers_count": 1_234_567,
}
IMAGE = {"repo_name": "redis", "star_count": 1, "pull_count": 2**40}
PACKAGE = {"name": "redis", "links": {"npm": "http://npm.test/redis"}}
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=y>&amp;{{ 7 * 7 }}"


def add(mock: RequestsMock, base: str, document: Any = None, **more: Any) -> responses.BaseResponse:
    """Make a registry answer with a document, or as `more` says."""
    if document is not None:
        more["json"] = document
    return mock.get(base + PATHS[base], **more)


def add_all(mock: RequestsMock) -> list[responses.BaseResponse]:
    return [
        add(mock, GITHUB, {"items": [REPOSITORY]}),
        add(mock, NPM, {"objects": [{"package": PACKAGE}]}),
        add(mock, DOCKER, {"results": [IMAGE]}),
    ]


def read(answer: TestResponse, status: int = 200) -> Page:
    """Return the page, and check that it is valid."""
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    page = Page(answer.text)
    assert_sound(page)
    return page


def ticked(page: Page) -> list[str]:
    boxes = page.root.all("input", name="sources")
    return [each["value"] for each in boxes if "checked" in each.attributes]


def chosen_limit(page: Page) -> list[tuple[str, str]]:
    options = page.root.one("select", name="limit").all("option")
    return [(each["value"], each.text) for each in options if "selected" in each.attributes]


def groups(page: Page) -> dict[str, Element]:
    return {each["id"]: each for each in page.root.all("section")}
