"""Resolved dependencies as deps.dev gives them."""

from __future__ import annotations

from typing import Any

import pytest
from collector_bodies import KIT, answer, collected, collector, document, paths

from codeintel.contracts import Ecosystem, Target
from codeintel.testing.conversations import Conversed


def asked(*answers: Any, version: Any = "18.2.0", target: Target = KIT) -> Conversed:
    return collected("depsdev-dependencies", target, *answers, known={"version": version})


def resolved(nodes: list[Any], edges: list[tuple[int, int, str]], error: str = "") -> Any:
    """Return the fact of a graph.

    Its nodes are `name@version`. `!` marks those that the root requests.
    """
    listed = [
        {
            "versionKey": dict(zip(("name", "version"), text.strip("!").split("@"), strict=True)),
            "relation": "DIRECT" if text.endswith("!") else "INDIRECT",
            "errors": [],
        }
        for text in nodes
    ]
    rows = [{"fromNode": a, "toNode": b, "requirement": text} for a, b, text in edges]
    return asked({"nodes": listed, "edges": rows, "error": error}).values.get("dependencies")


def test_a_graph() -> None:
    found = asked(document("depsdev_dependencies"))
    assert paths(found) == [
        "/v3/systems/npm/packages/%40example-scope%2Fkit/versions/18.2.0:dependencies"
    ]
    assert found.evidence.found["dependencies"] == (
        {
            "direct": [{"name": "loose-envify", "version": "1.4.0", "requirement": "^1.1.0"}],
            "edges": [
                ["react", "loose-envify", "^1.1.0"],
                ["loose-envify", "js-tokens", "^3.0.0 || ^4.0.0"],
            ],
            "count": 2,
            "isComplete": True,
        },
        "https://deps.dev/npm/%40example-scope%2Fkit/18.2.0/dependencies",
    )


def test_a_graph_with_errors_cycles_bundled_packages_and_one_version_twice() -> None:
    inner = "tool>2.1.0>node_modules>inner"
    assert asked(document("depsdev_dependencies.with_errors")).values["dependencies"] == {
        "direct": [{"name": "tool", "version": "2.1.0", "requirement": "~2.1.0"}],
        "edges": [["app-like", "tool", "~2.1.0"], ["tool", inner, "*"], [inner, "tool", "^2.0.0"]],
        "count": 2,
        "isComplete": False,
    }


def test_dependencies_that_are_not_worked_out_yet_are_no_error() -> None:
    found = asked(answer("version not found\n", 404))
    assert (found.error, found.values, found.evidence.is_unknown) == (None, {}, False)


def test_a_package_without_dependencies() -> None:
    empty = {"direct": [], "edges": [], "count": 0, "isComplete": True}
    assert resolved(["a@1"], []) == empty
    assert resolved(["a@1", "a@2"], [(0, 1, "*")])["count"] == 0


def test_a_graph_without_its_root_is_none() -> None:
    assert resolved([], []) is None


@pytest.mark.parametrize("error", ["incomplete", "x"])
def test_an_error_means_that_it_may_be_wrong(error: str) -> None:
    assert resolved(["a@1", "b@1!"], [(0, 1, "*")], error)["isComplete"] is False


def test_an_error_of_one_node_does_so_too() -> None:
    nodes = [{"versionKey": {"name": "a", "version": "1"}, "errors": ["no such version"]}]
    assert asked({"nodes": nodes}).values["dependencies"]["isComplete"] is False


def test_edges_between_nodes_that_there_are_not_are_passed_over() -> None:
    edges = [(0, 1, "*"), (0, 7, "*"), (-1, 1, "*"), (1, 2**60, "*")]
    assert resolved(["a@1", "b@1"], edges)["edges"] == [["a", "b", "*"]]
    wrong = [{"fromNode": "0", "toNode": 1}, {"fromNode": True, "toNode": 1}, {"toNode": 1.5}, 7]
    nodes = [{"versionKey": {"name": name}} for name in "ab"]
    assert asked({"nodes": nodes, "edges": wrong}).values["dependencies"]["edges"] == []


def test_two_versions_of_a_package_are_one_package() -> None:
    found = resolved(
        ["a@1", "b@1!", "c@1", "c@2!"], [(0, 1, "^1"), (1, 2, "1"), (0, 3, "2"), (1, 3, ">1")]
    )
    assert found["count"] == 2
    assert found["edges"] == [["a", "b", "^1"], ["a", "c", "2"], ["b", "c", "1"]]
    assert [row["version"] for row in found["direct"]] == ["1", "2"]


def test_a_direct_dependency_without_an_edge() -> None:
    assert resolved(["a@1", "b@1!"], [])["direct"] == [
        {"name": "b", "version": "1", "requirement": ""}
    ]


def test_the_order_of_nodes_and_edges_does_not_matter() -> None:
    one = resolved(["a@1", "b@1!", "c@1!", "d@1"], [(0, 1, "1"), (0, 2, "2"), (2, 3, "3")])
    other = resolved(["a@1", "d@1", "c@1!", "b@1!"], [(2, 1, "3"), (0, 2, "2"), (0, 3, "1")])
    assert one == other


def test_what_is_near_the_root_is_kept() -> None:
    chain = [f"p{place:04}@1" for place in range(2_300)]
    found = resolved(chain, [(at, at + 1, "*") for at in reversed(range(2_299))])
    assert (len(found["edges"]), found["count"], found["isComplete"]) == (2_000, 2_299, False)
    assert found["edges"][0][:2] == ["p0000", "p0001"]
    assert found["edges"][-1][:2] == ["p1999", "p2000"]


def test_many_direct_dependencies() -> None:
    nodes = ["a@1", *(f"p{place:03}@1!" for place in range(600))]
    found = resolved(nodes, [])
    assert (len(found["direct"]), found["count"], found["isComplete"]) == (500, 600, False)


@pytest.mark.parametrize("ecosystem", [Ecosystem.NUGET, Ecosystem.GEM, Ecosystem.DOCKER])
def test_systems_whose_dependencies_it_does_not_resolve(ecosystem: Ecosystem) -> None:
    assert not collector("depsdev-dependencies").collects(Target(ecosystem, "x"))


def test_versions_of_go_begin_with_v() -> None:
    found = asked(version="1.0.0", target=Target(Ecosystem.GOLANG, "example.test/x"))
    assert paths(found)[0].endswith("/versions/v1.0.0:dependencies")
