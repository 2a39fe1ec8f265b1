"""Stored packages on `/trust`: their list, and their offer for a bare name."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient
from trust_pages import part, read, tables
from web_pages import Page

from codeintel.app import Services
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.operations.demo import bundle
from codeintel.operations.demo.evidence import load
from codeintel.web.trust import pages


def test_the_overview_lists_stored_packages_without_ranks(
    client: FlaskClient, services: Services
) -> None:
    trust = services.trust
    load(trust.store, trust.snapshots.scorers, bundle.recorded_packages())
    page = Page(client.get("/trust").text)
    stored = tables(part(page, "network"))["Stored packages by name"]
    assert [row[0] for row in stored] == trust.store.packages()
    row = next(each for each in stored if each[0] == "pypi:flask")
    assert row[2].startswith("Collected on")
    known = {each.key: each.coverage for each in trust.store.listed(500)}
    assert {each[0] for each in stored if "too little evidence" in each[1]} == {
        key for key, coverage in known.items() if coverage < 0.5
    }
    assert min(known.values()) < 0.5


def test_a_bare_name_offers_stored_packages_of_other_ecosystems(
    client: FlaskClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    trust = services.trust
    load(trust.store, trust.snapshots.scorers, bundle.recorded_packages())
    error = ServiceError(ErrorCode.UPSTREAMS_UNAVAILABLE, "No registry answered.")
    monkeypatch.setattr(pages, "look", Mock(side_effect=error))
    page = read(client.get("/trust?target=flask"), 503)
    assert page.root.one("p", class_="suggestion").one("a")["href"] == "/trust?target=pypi:flask"
    assert not read(client.get("/trust?target=nosuch"), 503).root.all("p", class_="suggestion")
