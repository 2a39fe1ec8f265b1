"""The form of `/search`: what it offers, keeps and refuses."""

from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient
from responses import RequestsMock
from search_pages import CONFIG, chosen_limit, groups, read, ticked
from support import MakeApp


def test_the_form_alone(browser: FlaskClient, registries: RequestsMock) -> None:
    answer = browser.get("/search")
    page = read(answer)
    form = page.root.one("main").one("form")
    assert (form["method"], form["action"], form["role"]) == ("get", "/search", "search")
    assert page.root.one("input", id="q")["value"] == ""
    assert ticked(page) == ["github", "npm", "docker"]
    assert [each["value"] for each in page.root.all("option")] == ["10", "20", "50"]
    assert chosen_limit(page) == [("10", "10")]
    assert "open" in page.root.one("details").attributes
    assert groups(page) == {}
    assert not registries.calls
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_only_sources_that_are_on_are_offered(make_app: MakeApp) -> None:
    config = {"CODEINTEL_SOURCES": "-docker,crates"}
    page = read(make_app({**CONFIG, **config}).test_client().get("/search"))
    offered = [each["value"] for each in page.root.all("input", name="sources")]
    assert sorted(offered) == ["crates", "github", "npm"]
    assert sorted(ticked(page)) == ["github", "npm"]


def test_without_any_source(make_app: MakeApp) -> None:
    browser = make_app({"CODEINTEL_SOURCES": "-docker,-github,-npm"}).test_client()
    assert "No registry is enabled." in read(browser.get("/search")).text
    page = read(browser.get("/search?q=redis"))
    assert page.root.one(class_="found-sum").text == "No registry selected for redis"


def test_no_box_ticked_is_not_the_default(browser: FlaskClient, registries: RequestsMock) -> None:
    answer = browser.get("/search?form=1&q=redis&limit=10")
    assert answer.status_code == 400
    page = read(answer, 400)
    assert "Select at least one registry." in page.text
    assert not [box for box in page.root.all("input") if "checked" in box.attributes]
    assert not registries.calls


def test_a_link_chooses_without_a_query(browser: FlaskClient) -> None:
    page = read(browser.get("/search?sources=npm&limit=50"))
    assert ticked(page) == ["npm"]
    assert groups(page) == {}


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("q=", "q", "The query must not be empty."),
        ("q=+%09", "q", "The query must not be blank."),
        (f"q={'a' * 201}", "q", "The query must have at most 200 characters."),
        ("q=a&q=b", "q", "The query is given more than once."),
        ("q=a&sources=", "sources", "The choice of registries has an empty item."),
        ("q=a&sources=npm&sources=", "sources", "The choice of registries has an empty item."),
        ("q=a&sources=npm&sources=<b>", "sources", "Unknown source '<b>'"),
        ("q=a&sources=gitlab", "sources", "Known sources: docker, github, npm."),
        ("q=a&limit=0", "limit", "The number must be at least 1."),
        ("q=a&limit=51", "limit", "The number must be at most 50."),
        ("q=a&limit=<b>", "limit", "The number must be an integer."),
        ("q=a&limit=", "limit", "The number must be an integer."),
        ("q=a&limit=10&limit=20", "limit", "The number is given more than once."),
    ],
)
def test_what_is_refused_is_said_at_its_field(
    browser: FlaskClient, registries: RequestsMock, query: str, field: str, words: str
) -> None:
    answer = browser.get(f"/search?{query}")
    page = read(answer, 400)
    assert page.root.one("title").text == "Error: Search · codeintel"
    message = page.root.one(class_="wrong")
    assert words in message.text
    fields = page.root.one("main").all(name=field)
    assert all(each["aria-invalid"] == "true" for each in fields)
    assert {each["aria-describedby"] for each in fields} == {message["id"]}
    assert len(page.root.all(**{"aria-invalid": "true"})) == len(fields)
    assert "autofocus" in fields[0].attributes
    assert len([True for tag in page.tags if "autofocus" in tag[1]]) == 1
    assert "open" in page.root.one("details").attributes
    assert not registries.calls
    assert groups(page) == {}
    assert answer.headers["Cache-Control"] == "no-store"
    # The API rejects the same, except for lists in several parameters.
    refused = browser.get(f"/api/v1/search?{query}").json
    assert refused is not None
    assert refused["error"]["details"]["path"] == field


def test_what_was_typed_is_kept(browser: FlaskClient) -> None:
    long = "é" * 201
    page = read(browser.get(f"/search?q={long}&sources=npm,docker&limit=20"), 400)
    assert page.root.one("input", id="q")["value"] == long
    assert ticked(page) == ["npm", "docker"]
    page = read(browser.get("/search?q=a&limit=<b>"), 400)
    assert chosen_limit(page) == [("<b>", "<b>")]


def test_instances_of_one_kind_go_by_their_names(make_app: MakeApp) -> None:
    more = [
        {"name": "work", "kind": "gitlab", "base_url": "http://gitlab.test"},
        {"name": "mirror", "kind": "npm", "base_url": "http://mirror.test"},
    ]
    config = {
        "CODEINTEL_SOURCES": "crates,huggingface",
        "CODEINTEL_SOURCE_INSTANCES": json.dumps(more),
    }
    page = read(make_app({**CONFIG, **config}).test_client().get("/search"))
    boxes = {
        each.one("input")["value"]: each.text for each in page.root.all("label", class_="choice")
    }
    assert boxes == {
        "github": "GitHub",
        "npm": "npm",
        "docker": "Docker Hub",
        "crates": "crates.io",
        "huggingface": "Hugging Face",
        "work": "work",
        "mirror": "mirror",
    }
