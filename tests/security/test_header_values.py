"""User input never becomes a header of an answer or of a request to an upstream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle
from urllib.parse import quote

import msgspec
import pytest
from codeintel_plugins.openai.connections import Connections
from flask import Flask
from redirecting_upstream import redirecting
from signed_browser import OWN, SignedBrowser
from support import MakeApp, make_user
from trust_upstreams import SETTINGS as UPSTREAM_SETTINGS
from werkzeug.test import TestResponse

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.contracts import SourceError, SourceRequest
from codeintel.platform.upstreams.fetching import Fetcher
from codeintel.workspaces.requests import SyncBody

MARK = "x-planted"
BREAKS = ("\r\n", "\n", "\r", "\u2028", "\x85", "\u010d\u010a", "%0d%0a")
"""U+010D U+010A become CR LF if code truncates characters to a byte."""
NAMES = (
    *("q", "next", "target", "path", "revision", "line", "from", "to", "notice", "provider", "iss"),
    *("state", "code", "error", "before", "language", "sources", "comparison", "severity", "v"),
    *("limit", "since", "refresh", "compare", "page", "task", "theme", "rule", "kind", "error_uri"),
)
STRANGE = re.compile(r"[\x00-\x1f\x7f]")


def check(answer: TestResponse, what: str) -> None:
    """Check that no header was planted, ended or redirected, and that no request failed."""
    assert answer.status_code < 500, what
    assert MARK not in {name.lower() for name, _ in answer.headers}, what
    assert "planted=1" not in "".join(answer.headers.getlist("Set-Cookie")), what
    for name, value in answer.headers:
        assert not STRANGE.search(value), f"{what}: {name}"
    kind = answer.headers.get("Content-Type", "").lower()
    if kind.startswith("text/") and "event-stream" not in kind:  # which is always UTF-8
        assert "charset=utf-8" in kind, what
    location = answer.headers.get("Location", "/")
    assert re.match(r"/(?![/\\])", location), f"{what} leads to {location}"
    answer.close()


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """Return an application whose upstreams are all down."""
    nobody = "http://127.0.0.1:9"
    trust = dict.fromkeys(UPSTREAM_SETTINGS.values(), nobody)
    return make_app({**trust, "CODEINTEL_SOURCES": "-docker,-github,-npm"})


@pytest.fixture
def browser(app: Flask, services: Services) -> SignedBrowser:
    return SignedBrowser(app, services, make_user(services).account.id)


def routes(app: Flask, method: str) -> Iterator[tuple[str, list[str]]]:
    """Yield rules with the names in them."""
    for rule in app.url_map.iter_rules():
        if method in (rule.methods or ()):
            yield rule.rule, sorted(rule.arguments)


LEADING_ON = {
    "/",
    "/signin",
    "/signin/<token>",
    "/auth/login",
    "/auth/callback/<provider>",
    "/trust",
}
"""Rules whose answers may be redirects. `test_addresses_and_queries` checks those of all."""


def filled(rule: str, value: str) -> str:
    return re.sub(r"<[^<>]*?(?:\([^()]*\))?[^<>]*>", lambda _: value, rule)


@pytest.mark.parametrize("first", [0, 3])
def test_addresses_and_queries(app: Flask, browser: SignedBrowser, first: int) -> None:
    breaks = cycle(BREAKS[first:] + BREAKS[:first])
    planted = [f"/x{each}{MARK}: 1{each}Set-Cookie: planted=1" for _, each in zip(NAMES, breaks)]  # noqa: B905
    query = dict(zip(NAMES, planted, strict=True))
    for rule, arguments in routes(app, "GET"):
        check(browser.client.get(filled(rule, "x"), query_string=query), rule)
        for text in planted[:4] if arguments else ():
            check(browser.client.get(filled(rule, quote(text.strip("/")))), rule)


def test_what_is_sent_is_decoded_once(app: Flask, services: Services) -> None:
    """`%2541` is `%41`, and not `A`, in addresses, queries, bodies and what is kept."""
    user = make_user(services, "once@example.org", tier=Tier.TEAM, scopes=("workspace:write",))
    client = app.test_client()
    files = {"/%41.py": "x = '%41 &#65; \\u0041 \\x41'\n", "/A.py": "another\n"}
    body = msgspec.json.encode({"files": files})
    headers = {**user.headers, "Content-Type": "application/json"}
    answer = client.post("/api/workspace/sync", data=body, headers=headers)
    assert answer.status_code in {200, 201}, answer.text
    [session] = services.workspaces.sessions(user.account.id).sessions
    there = f"/api/workspace/{session.id}/files"
    assert client.get(f"{there}/%2541.py", headers=user.headers).text == files["/%41.py"]
    assert client.get(f"{there}/%41.py", headers=user.headers).text == files["/A.py"]
    assert client.get(f"{there}/%252541.py", headers=user.headers).status_code == 404
    browser = SignedBrowser(app, services, user.account.id).client
    raw = f"/workspace/{session.id}/raw?path=/%2541.py"
    assert browser.get(raw).text == files["/%41.py"]
    assert 'value="%41 &amp;#65;"' in browser.get("/search?q=%2541+%26%2365;").text


ELSEWHERE = (
    *("//evil.example", "/\\evil.example", "https://evil.example", "\\\\evil.example"),
    *("/\t/evil.example", "https:evil.example", "javascript:alert(1)", "///evil.example"),
    *("//evil.example/%2f..", "http://localhost@evil.example", "\u3002evil.example"),
)


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_no_page_sends_anybody_elsewhere(
    app: Flask, browser: SignedBrowser, elsewhere: str
) -> None:
    query = dict.fromkeys(NAMES, elsewhere)
    for rule, _ in routes(app, "GET"):
        if rule in LEADING_ON:
            check(browser.client.get(filled(rule, "x"), query_string=query), rule)
    for path in ("/theme", "/signout", "/signin/x", "/playground"):
        form = {**query, "csrf": browser.csrf() if browser.is_signed_in else "x"}
        check(browser.client.post(path, data=form, headers=OWN), path)
        check(app.test_client().post(path, data=form, query_string=query, headers=OWN), path)


FORWARDED = ("X-Forwarded-Host", "X-Host", "X-Original-URL", "X-Rewrite-URL", "Forwarded")


@pytest.mark.parametrize("name", [*FORWARDED, "X-Forwarded-Proto", "X-Forwarded-Prefix"])
def test_no_header_changes_where_the_service_is(browser: SignedBrowser, name: str) -> None:
    sent = {name: "host=evil.example" if name == "Forwarded" else "evil.example"}
    for path in ("/", "/docs", "/account/keys", "/api/v1/openapi.json", "/runs/x", "/theme"):
        answer = browser.client.get(path, headers=sent)
        assert "evil.example" not in answer.text
        assert "evil.example" not in str(answer.headers)


def test_names_of_files_stay_names(app: Flask, services: Services) -> None:
    names = [
        'a"; filename="evil.exe',
        "a'b;c=d",
        "ä ö\u202eexe.txt",
        "a%0d%0ab",
        "ctrl\u0301.py",
        "=a",
    ]
    user = make_user(services, "names@example.org", tier=Tier.TEAM, scopes=("workspace:write",))
    files = {f"/{name}": "x\n" for name in names if re.match(r".", name)}
    pushed = services.workspaces.sync(user.account.id, Tier.TEAM, SyncBody(files=_storable(files)))
    browser = SignedBrowser(app, services, user.account.id)
    for path in _storable(files):
        answer = browser.client.get(
            f"/workspace/{pushed.session.id}/raw", query_string={"path": path}
        )
        check(answer, path)
        told = answer.headers["Content-Disposition"]
        assert told.startswith("attachment;")
        assert (
            len(re.findall(r"(?:^|;\s*)filename=", re.sub(r'"(?:\\.|[^"\\])*"', '""', told))) <= 1
        )
        api = app.test_client().get(
            f"/api/workspace/{pushed.session.id}/files{quote(path)}", headers=user.headers
        )
        assert api.headers["Content-Disposition"] == "attachment"


def _storable(files: dict[str, str]) -> dict[str, str]:
    from codeintel.contracts.workspaces.paths import path_problems

    refused = {each.path for each in path_problems(files)}
    return {path: text for path, text in files.items() if path not in refused}


def test_the_request_s_id_is_our_own(browser: SignedBrowser) -> None:
    for value in ("evil", "a b", "x" * 5_000, "<script>"):
        answer = browser.client.get("/", headers={"X-Request-Id": value, "X-Request-ID": value})
        assert re.fullmatch(r"[0-9a-f]{16}", answer.headers["X-Request-Id"])


@pytest.mark.parametrize("line_end", BREAKS[:3])
def test_no_header_of_a_request_to_an_upstream_is_ended(line_end: str) -> None:
    value = f"x{line_end}{MARK}: 1"
    with redirecting(200, "/") as url:
        with pytest.raises(SourceError):
            Fetcher(url, "Upstream").send(SourceRequest("/", headers={"X-Own": value}), 5.0)
        Fetcher(url, "Upstream").send(SourceRequest("/", parameters={"q": value}), 5.0)


@pytest.mark.parametrize("line_end", BREAKS[:3])
def test_no_header_of_a_request_to_a_model_is_ended(line_end: str) -> None:
    with redirecting(200, "/") as url:
        connections = Connections(url, 5.0)
        for headers in ({"X-Own": f"x{line_end}{MARK}: 1"}, {f"X{line_end}Own": "x"}):
            with pytest.raises(ValueError, match="line"):
                connections.post("/x", b"{}", headers, 5.0).close()
