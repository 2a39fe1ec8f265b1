"""`/docs/guides`: every guide is shown, and its links, anchors and images work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from flask.testing import FlaskClient
from setuptools import Distribution
from web_pages import Page

from codeintel.base import _build
from codeintel.web.guides import catalog
from codeintel.web.guides.rendering import link_address, render, rendered, slug

ROOT = Path(__file__).parents[2]
NAVIGATION = yaml.safe_load("nav:" + (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[2])


def test_the_sections_are_those_of_the_documentation_site() -> None:
    found = {}
    for section in NAVIGATION["nav"]:
        ((title, members),) = section.items()
        found[title] = tuple(each[:-3] for each in members if isinstance(each, str))
        for nested in (each for each in members if isinstance(each, dict)):
            found |= {name: tuple(each[:-3] for each in inner) for name, inner in nested.items()}
    assert found == catalog.SECTIONS


def test_all_guides_are_listed(client: FlaskClient) -> None:
    page = Page(client.get("/docs/guides").text)
    assert page.root.one("h1").text == "Guides"
    linked = [each["href"] for each in page.root.one("main").all("a")]
    assert [each for each in linked if "/guides/" in each] == [
        f"/docs/guides/{name}" for name in catalog.NAMES
    ]


@pytest.mark.parametrize("name", catalog.NAMES)
def test_a_guide_is_shown_with_links_that_work(client: FlaskClient, name: str) -> None:
    response = client.get(f"/docs/guides/{name}")
    assert response.status_code == 200
    page = Page(response.text)
    assert page.root.one("h1").text == rendered(name).title
    identifiers = re.findall(r' id="([^"]+)"', response.text)
    assert len(identifiers) == len(set(identifiers))
    for link in page.root.one("main").all("a"):
        target = link["href"]
        if target.startswith("#"):
            assert target[1:] in identifiers, target
        elif target.startswith("/docs/guides/"):
            other, _, anchor = target.removeprefix("/docs/guides/").partition("#")
            assert other in catalog.NAMES, target
            if anchor:
                assert f' id="{anchor}"' in rendered(other).body, target
        else:
            assert target.startswith(("https://", "http://")) or target == "/docs/guides", target
    for image in page.root.one("main").all("img"):
        assert image["alt"]
        with client.get(image["src"]) as sent:
            assert sent.mimetype == "image/svg+xml"


def test_the_contents_lead_to_the_headings(client: FlaskClient) -> None:
    page = Page(client.get("/docs/guides/quick-start").text)
    contents = page.root.one("nav", **{"aria-label": "Guides"})
    titles = [each.text for each in page.root.one("main").all("h2")]
    anchors = {each["href"]: each.text for each in contents.all("a")}
    assert [anchors[f"#{slug(title)}"] for title in titles] == titles
    current = [each.text for each in contents.all("a") if "aria-current" in each.attributes]
    assert current == ["Quick start"]


@pytest.mark.parametrize("page", ["/", "/docs"])
def test_pages_link_to_the_guides(client: FlaskClient, page: str) -> None:
    assert 'href="/docs/guides"' in client.get(page).text


@pytest.mark.parametrize(
    "path",
    [
        "nobody",
        "index.md",
        "../setup.cfg",
        "..%2f..%2fsetup.cfg",
        "images/nothing.svg",
        "images/..%2fstyle.md",
    ],
)
def test_nothing_else_is_shown(client: FlaskClient, path: str) -> None:
    assert client.get(f"/docs/guides/{path}").status_code == 404


def test_html_in_a_text_does_not_reach_the_page() -> None:
    text = "# A\n\n<!-- hidden -->\n\n<script>x()</script>\n\nb <img src=x onerror=y()> `<b>`\n"
    body = render(text, "docs/a.md").body
    assert "hidden" not in body
    assert "<script" not in body
    assert "<img" not in body
    assert "&lt;img" in body
    assert "<code>&lt;b&gt;</code>" in body
    assert "<a" not in render("[a](javascript:x)", "docs/a.md").body


def test_repeated_titles_get_their_own_anchors() -> None:
    found = render("# A\n\n## Why `b` & c?\n\n## Why `b` & c?\n", "docs/a.md")
    assert [each.anchor for each in found.headings] == ["why-b--c", "why-b--c_1"]


def test_a_header_without_text_is_a_cell() -> None:
    body = render("| | b |\n|---|---|\n| c | d |\n", "docs/a.md").body
    assert '<td role="cell"></td>' in body
    assert body.count("<th ") == 1
    assert "<thead" not in render("| | |\n|---|---|\n| c | d |\n", "docs/a.md").body


@pytest.mark.parametrize(
    ("target", "path", "address"),
    [
        ("runs.md#events", "docs/index.md", "/docs/guides/runs#events"),
        ("#here", "docs/index.md", "#here"),
        ("../runs.md", "docs/decisions/0001-a.md", "/docs/guides/runs"),
        ("../CHANGELOG.md", "docs/index.md", "/docs/guides/changes"),
        ("docs/hooks.md", "CONTRIBUTING.md", "/docs/guides/hooks"),
        ("nginx/site.conf", "deploy/README.md", ""),
        ("https://example.org/a.md", "docs/index.md", "https://example.org/a.md"),
    ],
)
def test_links_lead_to_guides_or_nowhere(target: str, path: str, address: str) -> None:
    assert link_address(target, path) == address


def test_a_wheel_has_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = _build.build_guides(Distribution())
    command.build_lib = str(tmp_path)
    stale = tmp_path / _build.GUIDES / "docs/gone.md"
    stale.parent.mkdir(parents=True)
    stale.touch()
    command.run()
    copies = set(command.get_outputs())
    assert {str(path) for path in tmp_path.rglob("*") if path.is_file()} == copies
    installed = tmp_path / _build.GUIDES
    monkeypatch.setattr(catalog, "_INSTALLED", installed)
    assert catalog.root() == installed
    for name in catalog.NAMES:
        assert (installed / catalog.repository_path(name)).is_file(), name
    assert (installed / catalog.IMAGES / "layers.svg").is_file()


def test_an_editable_install_copies_nothing(tmp_path: Path) -> None:
    command = _build.build_guides(Distribution())
    command.build_lib, command.editable_mode = str(tmp_path), True
    command.run()
    assert (command.get_outputs(), list(tmp_path.iterdir())) == ([], [])
