"""Addresses that callers send, workspaces name and upstreams answer are texts: none is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from network_watch import watched
from proof_work import push, work_off
from signed_browser import SignedBrowser
from support import MakeApp, make_user
from trust_upstreams import FakeUpstreams, fake_upstreams

from codeintel.app import Services

METADATA = "http://169.254.169.254/latest/meta-data/iam/security-credentials/"
INSIDE = (METADATA, "http://localhost:9/admin", "http://[::1]:9/", "http://10.0.0.1/", "file:///x")


@pytest.fixture
def upstreams() -> Iterator[FakeUpstreams]:
    """Provide upstreams whose every address leads inside."""
    with fake_upstreams() as fake:
        fake.add("kit", repository="example-org/kit")
        answer = fake.answer

        def poisoned(path: str, body: bytes) -> tuple[int, Any]:
            status, document = answer(path, body)
            return status, _poisoned(document)

        fake.answer = poisoned  # type: ignore[method-assign]
        yield fake


def _poisoned(document: Any) -> Any:
    if isinstance(document, dict):
        return {"next": METADATA, "href": METADATA} | {
            name: _poisoned(value) for name, value in document.items()
        }
    if isinstance(document, list):
        return [_poisoned(each) for each in document]
    return METADATA if isinstance(document, str) and "://" in document else document


class Watched(NamedTuple):
    """An application, and what it connects to."""

    app: Flask
    seen: list[tuple[str, int]]

    @property
    def services(self) -> Services:
        found: Services = self.app.extensions["codeintel"]
        return found


@pytest.fixture
def watching(make_app: MakeApp, upstreams: FakeUpstreams) -> Iterator[Watched]:
    """Run an app that may only query these upstreams."""
    app = make_app(
        {
            **upstreams.settings(),
            "CODEINTEL_NPM_REGISTRY": upstreams.url,
            "CODEINTEL_SOURCES": "-docker,-github",
        }
    )
    own = urlsplit(upstreams.url).port
    with watched() as seen:
        yield Watched(app, seen)
    assert seen, "the upstreams themselves were asked"
    assert [each for each in seen if each[1] != own] == []


def test_nothing_that_callers_send_is_asked(watching: Watched) -> None:
    user, browser = _both(watching.app, watching.services)
    for url in INSIDE:
        for path, query in (
            ("/api/v1/search", {"q": url}),
            ("/api/v1/search", {"q": "x", "sources": url}),
            ("/api/trust/network", {"target": url}),
            ("/api/trust/network", {"target": f"npm:{url}"}),
            ("/api/trust/network", {"target": f"pkg:npm/kit?repository_url={url}"}),
            ("/api/trust/network", {"target": f"pkg:npm/kit?download_url={url}"}),
        ):
            assert user.get(path, query_string=query).status_code < 500
        for path in ("/search?q=", "/trust?target=", "/auth/login?provider=", "/signin?next="):
            assert browser.client.get(path + url).status_code < 500
        user.post("/api/v1/analyze/stream", json={"code": f"fetch('{url}')\n"}).get_data()
    assert user.get("/api/trust/network?target=npm:kit").status_code == 200


def _both(app: Flask, services: Services) -> tuple[FlaskClient, SignedBrowser]:
    """Return a client with a key, and a browser."""
    made = make_user(services, "asks@example.org", scopes=("api:v1", "workspace:write"))
    user = app.test_client()
    user.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made.token}"
    return user, SignedBrowser(app, services, made.account.id)


WORKSPACE = {
    "/.npmrc": f"registry={METADATA}\n@own:registry={INSIDE[1]}\n",
    "/.yarnrc.yml": f"npmRegistryServer: {METADATA}\n",
    "/pip.conf": f"[global]\nindex-url = {METADATA}\n",
    "/requirements.txt": f"--index-url {METADATA}\nkit @ {INSIDE[1]}kit.tar.gz\n-r {METADATA}\n",
    "/package.json": json.dumps({"dependencies": {"kit": f"git+{METADATA}", "left": METADATA}}),
    "/sub/package.json": json.dumps({"dependencies": {"kit": "^1"}, "homepage": METADATA}),
    "/Gemfile": f"source '{METADATA}'\ngem 'kit'\n",
    "/pom.xml": f'<!DOCTYPE p SYSTEM "{METADATA}"><project><x/></project>',
    "/Dockerfile": "FROM 169.254.169.254/kit\n",
    "/go.mod": "module x\nrequire 169.254.169.254/kit v1.0.0\n",
    "/Cargo.toml": f'[dependencies]\nkit = {{ git = "{METADATA}" }}\n',
    "/.github/workflows/a.yml": "jobs: {a: {steps: [{uses: 169.254.169.254/a@v1}]}}\n",
    "/a.yaml": f"$ref: {METADATA}\n",
}


def test_nothing_that_a_workspace_names_is_asked(watching: Watched) -> None:
    services = watching.services
    user = make_user(services, "pushes@example.org")
    session = push(services, user, WORKSPACE, trust_dependencies=True, remote_url=METADATA)
    assert work_off(services) == 1
    assert services.proof.report(session).manifests
    watching.app.test_client().get("/api/trust/network?target=npm:kit")
