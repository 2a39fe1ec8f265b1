"""The address that pages show is never one that a stranger has put into `Host`."""

from __future__ import annotations

import pytest
from flask import Flask
from support import MakeApp

from codeintel.http.served import remember_address

EVIL = "evil.example.org"
PAGES = ("/", "/docs", "/playground")


def page(app: Flask, path: str, host: str) -> str:
    answer = app.test_client().get(path, headers={"Host": host, "Accept": "text/html"})
    assert answer.status_code == 200, path
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("path", PAGES)
def test_a_foreign_host_is_not_shown(app: Flask, path: str) -> None:
    found = page(app, path, f"{EVIL}:8000")
    assert EVIL not in found


def test_the_address_that_is_served_is_shown(app: Flask) -> None:
    settings = app.extensions["codeintel"].settings
    remember_address(settings.instance, "http://127.0.0.1:8123", "http://127.0.0.1:8123")
    assert "http://127.0.0.1:8123/api/v1/analyze/stream" in page(app, "/", EVIL)


@pytest.mark.parametrize("host", ["localhost:9000", "127.0.0.1", "[::1]:9000", "192.0.2.7:9000"])
def test_this_machine_and_addresses_are_shown(app: Flask, host: str) -> None:
    """A name can be bound to another machine's address; an address cannot."""
    assert f"http://{host}/api/v1/analyze/stream" in page(app, "/", host)


def test_a_name_that_the_operator_allows_is_shown(make_app: MakeApp) -> None:
    app = make_app({"CODEINTEL_ALLOWED_HOSTS": "code.example.org"})
    assert "http://code.example.org/api/v1/analyze/stream" in page(app, "/", "code.example.org")


@pytest.mark.parametrize(
    ("asked", "location"),
    [
        ("/docs//rules", "/docs/rules"),
        ("/docs//rules?a=b//c", "/docs/rules?a=b//c"),
        ("/docs///%2F/rules", "/docs/rules"),
    ],
)
def test_a_redirect_for_doubled_slashes_names_no_host(
    app: Flask, asked: str, location: str
) -> None:
    answer = app.test_client().get(f"http://{EVIL}{asked}")
    assert answer.status_code == 308
    assert answer.headers["Location"] == location
    assert EVIL not in answer.get_data(as_text=True)
