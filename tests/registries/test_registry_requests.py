"""Requests to each registry."""

from __future__ import annotations

from typing import Any

import pytest
from registry_bodies import PLACES, source

GITHUB = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
ASKED: dict[str, tuple[str, dict[str, str], dict[str, str], dict[str, str]]] = {
    "github": (
        "/search/repositories",
        {"q": "a b is:public", "sort": "stars", "order": "desc", "per_page": "5"},
        GITHUB,
        {"Authorization": "Bearer s3cret"},
    ),
    "npm": (
        "/-/v1/search",
        {"text": "a b", "size": "5"},
        {},
        {"Authorization": "Bearer s3cret"},
    ),
    "docker": (
        "/v2/search/repositories/",
        {"query": "a b", "page": "1", "page_size": "5"},
        {},
        {},
    ),
    "gitlab": (
        "/api/v4/projects",
        {
            "search": "a b",
            "order_by": "star_count",
            "sort": "desc",
            "per_page": "5",
            "visibility": "public",
        },
        {},
        {"PRIVATE-TOKEN": "s3cret"},
    ),
    "gitea": (
        "/api/v1/repos/search",
        {
            "q": "a b",
            "includeDesc": "true",
            "sort": "stars",
            "order": "desc",
            "limit": "5",
            "private": "false",
        },
        {},
        {"Authorization": "token s3cret"},
    ),
    "crates": ("/api/v1/crates", {"q": "a b", "per_page": "5"}, {}, {}),
    "huggingface": (
        "/api/models",
        {"search": "a b", "sort": "downloads", "direction": "-1", "limit": "5"},
        {},
        {"Authorization": "Bearer s3cret"},
    ),
}
"""Path, parameters, headers, and headers that a token adds, for `a b` in public, five at most."""
FOR_ACCOUNTS: dict[str, dict[str, str | None]] = {
    "github": {"q": "a b"},
    "gitlab": {"visibility": None},
    "gitea": {"private": None},
}
"""Parameters that are others where what is private may be found."""


@pytest.mark.parametrize("token", ["", "s3cret"])
@pytest.mark.parametrize("kind", PLACES)
def test_the_request(kind: str, token: str) -> None:
    path, parameters, headers, for_token = ASKED[kind]
    request = source(kind, token).request("a b", 5)
    assert (request.path, request.parameters) == (path, parameters)
    assert request.headers == {**headers, **(for_token if token else {})}


@pytest.mark.parametrize("kind", PLACES)
def test_the_request_for_accounts(kind: str) -> None:
    expected: dict[str, Any] = {**ASKED[kind][1], **FOR_ACCOUNTS.get(kind, {})}
    expected = {name: value for name, value in expected.items() if value is not None}
    assert source(kind, "s3cret", "accounts").request("a b", 5).parameters == expected
