"""The service only sends requests to hosts that its operator has configured, regardless of user
input and of upstreams' answers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
import responses
from codeintel_plugins.openai.connections import Connections
from network_watch import watched
from oidc_providers import ISSUER, FakeProvider
from redirecting_upstream import redirecting

from codeintel.base.errors import ServiceError
from codeintel.contracts import SourceError, SourceRequest
from codeintel.identity.oidc import Provider
from codeintel.platform.config.issuers import is_inside, parse_issuers
from codeintel.platform.upstreams.fetching import Fetcher
from codeintel.web.login.oidc_client import _Session

METADATA = "http://169.254.169.254/latest/meta-data/iam/security-credentials/"


def fetch(url: str) -> None:
    with suppress(SourceError):
        Fetcher(url, "Upstream").send(SourceRequest("/x"), 5.0)


def post(url: str) -> None:
    with suppress(SourceError):
        Fetcher(url, "Upstream").send(SourceRequest("/x", body=b"{}"), 5.0)


def discover(url: str) -> None:
    [entry] = parse_issuers([{"issuer": url, "audience": "x"}])
    with suppress(ServiceError):
        Provider(entry).keys()


def trade(url: str) -> None:
    with suppress(Exception):
        _Session("client").fetch_token(f"{url}/token", code="x")


def ask_model(url: str) -> None:
    response = Connections(url, 5.0).post("/chat/completions", b"{}", {}, 5.0)
    response.close()


@pytest.mark.parametrize("ask", [fetch, post, discover, trade, ask_model])
@pytest.mark.parametrize("status", [200, 201, 300, 301, 302, 303, 305, 307, 308])
def test_no_redirect_is_followed(ask: Callable[[str], None], status: int) -> None:
    for target in (METADATA, "//169.254.169.254/") if status == 302 else (METADATA,):
        with redirecting(status, target) as url, watched() as seen:
            ask(url)
        assert {port for _, port in seen} == {urlsplit(url).port}, seen


@pytest.mark.parametrize(
    "path",
    [
        "//169.254.169.254/",
        "@169.254.169.254/",
        ":80@169.254.169.254/",
        ".evil.example/",
        "/../admin",
        "/%2e%2e/admin",
        "/a\r\nHost: evil.example\r\n\r\n",
        "\\\\169.254.169.254\\",
        "http://169.254.169.254/",
    ],
)
def test_a_plugin_asks_below_its_base_url(path: str) -> None:
    with redirecting(200, METADATA) as url, watched() as seen, suppress(SourceError):
        Fetcher(url, "Upstream").send(SourceRequest(path), 5.0)
    assert {port for _, port in seen} <= {urlsplit(url).port}


SPELLINGS = [
    "https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/",
    "https://0177.0.0.1/", "https://0/", "https://0.0.0.0/", "https://[::]/", "https://[::1]/",
    "https://[::ffff:127.0.0.1]/", "https://[::ffff:169.254.169.254]/", "https://169.254.169.254/",
    "https://[fe80::1]/", "https://localhost/", "https://localhost./", "https://LOCALHOST:8443/",
    "https://metadata.localhost/", "https://2852039166/",
]  # fmt: skip


@pytest.mark.parametrize("url", SPELLINGS)
@pytest.mark.parametrize("field", ["jwks_uri", "token_endpoint", "userinfo_endpoint"])
def test_a_provider_sends_nobody_to_this_machine(url: str, field: str) -> None:
    assert is_inside(url)
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        fake = FakeProvider(mock)
        fake.discovery |= {field: url}
        fake.up()
        with pytest.raises(ServiceError):
            Provider(fake.entry()).metadata()
        assert len(mock.calls) == 1, "the document alone"


@pytest.mark.parametrize(
    "url", [ISSUER, "https://10.0.0.5/", "https://[2001:db8::1]/", "https://localhost.example/"]
)
def test_others_may_be_a_provider_s(url: str) -> None:
    assert not is_inside(url)
