"""The network on the page `/trust`: a picture, tables, and something to explore."""

from __future__ import annotations

import pytest
import trust_samples as made
from flask.testing import FlaskClient
from trust_pages import Look, page_on, part, rows
from web_pages import Page

from codeintel.trust.network import GraphNode, GraphSummary
from codeintel.trust.shapes import TrustQuery
from codeintel.web import blueprint
from codeintel.web.trust.network import network_view

KIT = TrustQuery(target="kit")


def test_the_network_can_be_explored_where_there_is_one_and_scripts_were_built(
    client: FlaskClient, show: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = GraphSummary(0, 0, 0, 0, 0, 0, 0, 0, 0, is_truncated=False)
    alone = made.package(graph=((), (), ()), summary=empty)
    for files, body, expected in (
        ({"network.js": "network-A.js"}, made.package(), ["/static/web/dist/network-A.js"]),
        ({"network.js": "network-A.js"}, alone, []),
        ({}, made.package(), []),
    ):
        monkeypatch.setattr(blueprint, "_manifest", lambda files=files: files)
        show(body)
        answer = client.get("/trust?target=kit")
        scripts = Page(answer.text).root.all("script")
        assert [each["src"] for each in scripts] == expected
        policy = answer.headers["Content-Security-Policy"]
        assert all(f"'nonce-{each['nonce']}'" in policy for each in scripts)


def test_the_network_is_a_picture_and_two_tables(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.package())
    section = part(page, "network")
    links = [each["href"] for each in section.one("svg", id="network-picture").all("a")]
    names = [f"part-{i}" for i in range(3)] + [f"user-{i}" for i in range(2)]
    assert sorted(links) == [f"/trust?target=npm:{name}" for name in names]
    ties = section.one("svg", id="network-picture").all("path", class_="net-tie")
    assert len(ties) == len(made.package().edges) + 2
    nodes, edges = section.all("table")
    assert rows(nodes)[0] == ["kit", "package", "Stepsthis package", "Score62.5", "Network rank14"]
    assert [row[0] for row in rows(nodes)][-1] == "user-1"
    assert rows(edges)[0] == ["kit", "depends on", "part-0", "^1.0"]
    assert rows(edges)[-1] == ["kit", "is hosted at", "github.com/example-org/kit", ""]
    assert "4 packages, 2 maintainers and 1 repository within reach" in section.text
    depths = section.one(class_="choices-row").all("a")
    assert [(each["href"], "aria-current" in each.attributes) for each in depths] == [
        ("/trust?target=kit&depth=0#network", False),
        ("/trust?target=kit#network", True),
        ("/trust?target=kit&depth=2#network", False),
        ("/trust?target=kit&depth=3#network", False),
    ]


def test_names_in_the_network_have_their_ecosystem_if_there_are_several() -> None:
    body = made.package()
    other = GraphNode("pypi:kit", body.nodes[0].kind, "kit", 1, is_collected=False)
    view = network_view(made.changed(body, nodes=(*body.nodes, other)), KIT, str)
    assert view is not None
    assert [each.label for each in view.nodes][:2] == ["npm:kit", "npm:part-0"]
    assert "pypi:kit" in [each.label for each in view.nodes]
    assert "ada" in [each.label for each in view.nodes]
    assert view.edges[0].source == "npm:kit"


def test_dependents_that_are_not_drawn_are_counted() -> None:
    body = made.package()
    cyclic = made.changed(body.nodes[1], depth=-1)
    summary = made.changed(body.summary, dependents=1_200)
    shown = made.changed(body, dependents=(*body.dependents, cyclic), summary=summary)
    view = network_view(shown, KIT, str)
    assert view is not None
    assert ">and 1 in other columns<" in view.picture
    assert ">and 1,197 more<" in view.picture
    assert ">One step<" in view.picture
    plain = network_view(body, KIT, str)
    assert plain is not None
    assert "net-more" not in plain.picture


def test_a_dependent_that_is_a_dependency_too_leaves_its_column_empty() -> None:
    body = made.package()
    cyclic = made.changed(body.nodes[1], depth=-1)
    summary = made.changed(body.summary, dependents=1)
    view = network_view(made.changed(body, dependents=(cyclic,), summary=summary), KIT, str)
    assert view is not None
    assert ">Depends on it<" in view.picture
    assert ">1 in other columns<" in view.picture
