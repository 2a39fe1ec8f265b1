"""Links in the network that result from a package's facts."""

from __future__ import annotations

from typing import Any

import pytest
from trust_networks import depending, facts_of, maintained, npm

from codeintel.contracts import Ecosystem, Target
from codeintel.trust.network import EdgeKind, NodeKind, node_name, package_key, store
from codeintel.trust.network.store import links_of

DEPENDS, MAINTAINED, HOSTED = EdgeKind.DEPENDS_ON, EdgeKind.MAINTAINED_BY, EdgeKind.HOSTED_AT


def found(target: Target, **values: Any) -> dict[str, list[tuple[str, str, str]]]:
    """Return keys, labels and requirements by kind."""
    return {
        kind: [(node.key, node.label, text) for node, text in targets.items()]
        for kind, targets in links_of(target, facts_of(values)).targets.items()
    }


def test_all_that_facts_tell() -> None:
    values = {
        **depending("js-tokens ^3.0.0 || ^4.0.0", "@babel/core"),
        **maintained("sebmarkbage"),
        "repository": "github.com/Facebook/React",
    }
    read = links_of(npm("react", "18.2.0"), facts_of(values))
    assert read.package == (NodeKind.PACKAGE, "npm:react", "react")
    assert read.partial == frozenset()
    assert {kind: dict(targets) for kind, targets in read.targets.items()} == {
        DEPENDS: {
            (NodeKind.PACKAGE, "npm:js-tokens", "js-tokens"): "^3.0.0 || ^4.0.0",
            (NodeKind.PACKAGE, "npm:@babel/core", "@babel/core"): "",
        },
        MAINTAINED: {(NodeKind.MAINTAINER, "npm:sebmarkbage", "Sebmarkbage"): ""},
        HOSTED: {(NodeKind.REPOSITORY, "github.com/facebook/react", "Facebook/React"): ""},
    }


def test_what_is_missing_differs_from_what_is_empty() -> None:
    assert found(npm("a")) == {}
    assert found(npm("a"), **depending(), **maintained()) == {DEPENDS: [], MAINTAINED: []}


def test_an_incomplete_list() -> None:
    facts = facts_of(depending("b", is_complete=False))
    assert links_of(npm("a"), facts).partial == {DEPENDS}


@pytest.mark.parametrize(
    ("target", "names", "expected"),
    [
        (npm("a"), ["a ^1", "b"], [("npm:b", "b", "")]),
        (npm("a"), ["b ^1", "b ^2"], [("npm:b", "b", "^1")]),
        (npm("a"), ["../b", "b c", "", "b\0"], [("npm:b", "b", "c")]),
        (npm("a"), ["b ^1\0\n.0 "], [("npm:b", "b", "^1.0")]),
        (npm("a"), ["b " + "x" * 300], [("npm:b", "b", "x" * 200)]),
        (Target(Ecosystem.PYPI, "a"), ["Flask_Login"], [("pypi:flask-login", "flask-login", "")]),
        (Target(Ecosystem.MAVEN, "g/a"), ["g:a", "g:b"], [("maven:g/b", "g/b", "")]),
    ],
)
def test_names_of_dependencies(target: Target, names: list[str], expected: list[Any]) -> None:
    assert found(target, **depending(*names)) == {DEPENDS: expected}


@pytest.mark.parametrize(
    ("maintainer", "expected"),
    [
        ({"id": "a"}, [("npm:a", "a", "")]),
        ({"id": "a", "name": "\0"}, [("npm:a", "a", "")]),
        ({"id": "a", "name": "é" * 400}, [("npm:a", "é" * 300, "")]),
        ({"id": ""}, []),
        ({"id": "a\0"}, []),
        ({"id": "a" * 400}, []),
    ],
)
def test_maintainers(maintainer: dict[str, Any], expected: list[Any]) -> None:
    assert found(npm("x"), maintainers=[maintainer]) == {MAINTAINED: expected}


def test_a_repository_that_cannot_be_one_is_left_out() -> None:
    assert found(npm("x"), repository="github.com/\0/x") == {HOSTED: []}
    assert found(npm("x"), repository="example.org") == {
        HOSTED: [("example.org", "example.org", "")]
    }


def test_too_many_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_LINKS", 2)
    assert len(found(npm("a"), **depending("b", "b", "c", "d"))[DEPENDS]) == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dependencies", ["b"]),
        ("dependencies", {"direct": [{"requirement": "1"}]}),
        ("maintainers", [{"id": 3}]),
        ("repository", {"url": "x"}),
    ],
)
def test_a_fact_of_another_shape_is_named(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"`{name}` does not have its shape: "):
        links_of(npm("a"), facts_of({name: value}))


def test_names_of_nodes_differ_by_kind() -> None:
    assert package_key(npm("@a/b", "1.0.0")) == "npm:@a/b"
    names = {node_name(kind, "npm:a") for kind in NodeKind}
    assert names == {"npm:a", "maintainer:npm:a", "repository:npm:a"}
