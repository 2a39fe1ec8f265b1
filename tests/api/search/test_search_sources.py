"""The sources of an instance: shipped ones, additional ones and disabled ones."""

from __future__ import annotations

import json
from typing import Any

import pytest
from responses import RequestsMock
from search_requests import CONFIG, NPM, add, add_all, data, search
from support import MakeApp

from codeintel.platform.config import SettingError


@pytest.mark.parametrize("order", ["github,npm,docker", "npm,docker,github", ""])
def test_the_order_of_sources_means_nothing(
    make_app: MakeApp, registries: RequestsMock, order: str
) -> None:
    api = make_app({**CONFIG, "CODEINTEL_SOURCES": "-docker"}).test_client()
    add_all(registries)
    found = data(search(api, f"q=a&sources={order}" if order else "q=a"))
    assert sorted(found["sources"]) == ["github", "npm"]
    assert {name: len(rows) for name, rows in found["results"].items()} == {
        "github": 1,
        "npm": 1,
        "docker": 0,
    }


def test_more_registries(make_app: MakeApp, registries: RequestsMock) -> None:
    more = [{"name": "work", "kind": "gitlab", "base_url": "http://gitlab.test/sub/"}]
    config = {"CODEINTEL_SOURCES": "crates", "CODEINTEL_SOURCE_INSTANCES": json.dumps(more)}
    api = make_app({**CONFIG, **config, "CODEINTEL_CRATES_URL": "http://crates.test"}).test_client()
    registries.get("http://crates.test/api/v1/crates", json={"crates": [{"id": "a", "name": "a"}]})
    project = {"id": 1, "path_with_namespace": "a/b", "web_url": "http://gitlab.test/a/b"}
    registries.get("http://gitlab.test/sub/api/v4/projects", json=[project])
    found = data(search(api, "q=a&sources=work,crates"))
    assert [found["results"][name][0]["name"] for name in ("work", "crates")] == ["a/b", "a"]
    assert found["sources"] == ["work", "crates"]
    assert found["results"]["github"] == []


def test_one_that_the_operator_turned_off(make_app: MakeApp, registries: RequestsMock) -> None:
    api = make_app({**CONFIG, "CODEINTEL_SOURCES": "-docker,-github"}).test_client()
    add(registries, NPM, {"objects": [{"package": {"name": "b"}}]})
    found = data(search(api))
    assert found["sources"] == ["npm"]
    assert {name: len(rows) for name, rows in found["results"].items()} == {
        "github": 0,
        "npm": 1,
        "docker": 0,
    }
    assert found["unavailable"] == []
    answer = search(api, "q=redis&sources=npm,docker")
    assert answer.status_code == 400
    assert "Unknown source 'docker'. Known sources: npm." in answer.text


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"CODEINTEL_SOURCES": "-cobol"}, "CODEINTEL_SOURCES names the unknown source 'cobol'"),
        ({"CODEINTEL_SOURCES": "cobol"}, "CODEINTEL_SOURCES names the unknown source 'cobol'"),
        (
            {
                "CODEINTEL_SOURCE_INSTANCES": [
                    {"name": "a", "kind": "svn", "base_url": "http://svn.test"}
                ]
            },
            "has the unknown kind 'svn'. Known kinds: crates, docker, ",
        ),
        (
            {
                "CODEINTEL_SOURCE_INSTANCES": [
                    {"name": "a", "kind": "crates", "base_url": "http://a.test", "token": "t"}
                ]
            },
            "crates.io does not support tokens",
        ),
    ],
)
def test_registries_that_nobody_knows(
    make_app: MakeApp, config: dict[str, Any], words: str
) -> None:
    with pytest.raises(SettingError, match=words):
        make_app(config)
