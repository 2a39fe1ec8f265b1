"""Search in an independent npm registry: Verdaccio."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest
import requests
from verdaccio_server import Verdaccio

from codeintel.testing.server import LiveServer

pytestmark = pytest.mark.verdaccio

SECONDS = 120
PACKAGES = {
    "stargazer": "Counts the stars of a night",
    "@acme/stargazer": "Counts them for a company",
    "hidden-stargazer": "Counts those that nobody may see",
}


class Service(NamedTuple):
    """A codeintel that searches the registry as `verdaccio` and, with a token, as `inside`."""

    server: LiveServer
    key: str

    def search(self, query: str, source: str, key: str = "") -> Any:
        """Return the data of a search."""
        answer = requests.get(
            f"{self.server.url}/api/v1/search",
            params={"q": query, "sources": source},
            headers={"x-api-key": key} if key else {},
            timeout=SECONDS,
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    def found(self, query: str, source: str, key: str = "") -> dict[str, str]:
        """Return names and descriptions of what a search finds, with nothing gone wrong."""
        data = self.search(query, source, key)
        assert data["unavailable"] == []
        assert data["sources"] == [source]
        assert data["totalResults"] == len(data["results"][source])
        return {hit["name"]: hit["description"] for hit in data["results"][source]}


@pytest.fixture(scope="module")
def service(verdaccio: Verdaccio, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    instance: Path = tmp_path_factory.mktemp("instance")
    token = verdaccio.sign_up()
    for name, description in PACKAGES.items():
        verdaccio.publish(name, description, token)
    place = {"kind": "npm", "base_url": verdaccio.url}
    sources = [{"name": "verdaccio", **place}, {"name": "inside", **place, "token": token}]
    with LiveServer(instance, CODEINTEL_SOURCE_INSTANCES=json.dumps(sources)) as server:
        yield Service(server, server.make_key())


def test_packages_are_found_by_whoever_asks(service: Service) -> None:
    public = {name: text for name, text in PACKAGES.items() if not name.startswith("hidden-")}
    assert service.found("stargazer", "verdaccio") == public
    assert service.found("stargazer", "verdaccio", service.key) == public


def test_a_result_leads_to_its_package(service: Service) -> None:
    hits = service.search("stargazer", "verdaccio")["results"]["verdaccio"]
    assert {hit["id"] for hit in hits} == {"stargazer", "@acme/stargazer"}
    for hit in hits:
        page = requests.get(hit["url"], timeout=SECONDS)
        assert page.status_code == 200, hit["url"]
        assert unquote(hit["url"]).endswith(f"/{hit['name']}")
        assert hit["source"] == "verdaccio"


@pytest.mark.parametrize("query", ["telescope", "(", "[a", "*", "a b", "50%", "star/../gazer"])
def test_what_is_not_there_is_not_found(service: Service, query: str) -> None:
    assert service.found(query, "verdaccio") == {}


def test_a_limit_is_kept(service: Service) -> None:
    answer = requests.get(
        f"{service.server.url}/api/v1/search?q=stargazer&sources=verdaccio&limit=1",
        timeout=SECONDS,
    )
    assert len(answer.json()["data"]["results"]["verdaccio"]) == 1


def test_what_a_token_finds_is_for_accounts_only(service: Service) -> None:
    assert service.found("stargazer", "inside", service.key) == PACKAGES
    data = service.search("stargazer", "inside")
    assert data["results"]["inside"] == []
    assert [each["code"] for each in data["unavailable"]] == ["accounts_only"]


def test_a_registry_that_is_gone_is_told(verdaccio: Verdaccio, service: Service) -> None:
    """The last one: it ends the registry."""
    verdaccio.kill()
    data = service.search("comet", "verdaccio")
    assert [each["code"] for each in data["unavailable"]] == ["unreachable"]
    earlier = service.search("stargazer", "verdaccio")
    assert earlier["totalResults"] == len(PACKAGES) - 1, "kept"
