"""Requests that change something: only the service's own pages may send them with a cookie."""

from __future__ import annotations

import pytest
from flask import Request
from werkzeug.test import EnvironBuilder

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.auth.browsers import require_same_origin

PUBLIC = "https://code.example.org"


def allowed(method: str, headers: dict[str, str], public_url: str, base: str) -> bool:
    request = Request(EnvironBuilder(method=method, base_url=base, headers=headers).get_environ())
    try:
        require_same_origin(request, public_url)
    except ServiceError as error:
        assert error.code is ErrorCode.CROSS_ORIGIN
        return False
    return True


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, False),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "none"}, False),
        ({"Sec-Fetch-Site": ""}, False),
        ({"Origin": PUBLIC}, True),
        ({"Origin": "http://code.example.org"}, False),
        ({"Origin": "https://code.example.org:8443"}, False),
        ({"Origin": "https://code.example.org.evil.example"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": ""}, False),
        ({"Origin": "nonsense"}, False),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": PUBLIC}, False),
        ({"Referer": PUBLIC + "/account"}, False),
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH"])
def test_with_a_public_url(method: str, headers: dict[str, str], expected: bool) -> None:
    assert allowed(method, headers, PUBLIC, PUBLIC) is expected
    # A forged Host does not make another origin the service's own.
    forged = {**headers, "Origin": "https://evil.example"}
    assert not allowed(method, forged, PUBLIC, "https://evil.example")


@pytest.mark.parametrize(
    ("origin", "base", "expected"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("http://localhost:8000", "http://localhost:8000", True),
        ("http://[::1]:8000", "http://[::1]:8000", True),
        ("https://host.example", "http://host.example", True),
        ("http://localhost:8000", "http://127.0.0.1:8000", False),
        ("http://127.0.0.1:8001", "http://127.0.0.1:8000", False),
        ("null", "http://127.0.0.1:8000", False),
    ],
)
def test_without_one_it_is_where_the_request_was_sent(
    origin: str, base: str, expected: bool
) -> None:
    assert allowed("POST", {"Origin": origin}, "", base) is expected


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_is_free(method: str) -> None:
    assert allowed(method, {"Sec-Fetch-Site": "cross-site", "Origin": "null"}, PUBLIC, PUBLIC)
