"""Plots of networks: which nodes are drawn, and where."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st
from plot_elements import HOSTILE, NUMBER, finite, read, texts, words

from codeintel.web.plots.network import MOST_LETTERS, MOST_NODES, Node, Tie, columns, network


def nodes_of(count: int, column: int, kind: str = "package") -> list[Node]:
    return [
        Node(f"{kind}-{column}-{i}", f"{kind} {i}", kind, column, float(i), f"/trust?target=p{i}&x")
        for i in range(count)
    ]


ROOT = Node("root", "kit", "package", 0, 0.0)


def test_of_many_nodes_the_first_are_drawn_and_the_rest_is_counted() -> None:
    nodes = [ROOT, *nodes_of(200, 1), *nodes_of(90, -1), *nodes_of(300, 2), *nodes_of(20, 1, "p")]
    found = columns(nodes, [], "package")
    assert [each.number for each in found] == [-1, 0, 1, 2]
    assert sum(len(each.nodes) for each in found) <= MOST_NODES
    assert [len(each.nodes) + each.left_out for each in found] == [90, 1, 220, 300]
    assert {node.id for node in found[0].nodes} == {f"package--1-{i}" for i in range(14)}
    assert sum(node.kind == "p" for node in found[2].nodes) == 8
    root = read(network("n", "N", "", nodes, [], {1: "One step"}, "package"))
    assert [text for text in words(root) if text.startswith("and ")] == [
        f"and {each.left_out} more" for each in found if each.left_out
    ]
    assert "One step" in words(root)


def test_nodes_of_several_columns_are_drawn_once_and_counted_in_the_other() -> None:
    again = [node._replace(column=-1) for node in nodes_of(3, 1)]
    found = columns([ROOT, *nodes_of(3, 1), *again, *nodes_of(1, -1)], [], "package", {-1: 5})
    told = [(each.number, len(each.nodes), each.elsewhere, each.left_out) for each in found]
    assert told == [(-1, 1, 3, 5), (0, 1, 0, 0), (1, 3, 0, 0)]
    assert [each.rows for each in found] == [3, 1, 3]
    lonely = columns([ROOT], [], "package", {-1: 2})
    assert [(each.number, each.left_out) for each in lonely] == [(-1, 2), (0, 0)]
    root = read(network("n", "N", "", [ROOT], [], {}, "package", {-1: 2}))
    assert "2 more" in words(root)


def test_nodes_lie_near_what_they_are_tied_to() -> None:
    first = nodes_of(3, 1)
    second = nodes_of(3, 2)
    ties = [Tie(one.id, other.id, "t") for one, other in zip(first, second[::-1], strict=True)]
    found = columns([ROOT, *first, *second], ties, "package")
    assert [node.id for node in found[2].nodes] == [f"package-2-{i}" for i in (2, 1, 0)]


def test_a_network_is_the_same_whatever_the_order_of_its_nodes() -> None:
    nodes = [ROOT, *nodes_of(9, 1), *nodes_of(5, 1, "maintainer"), *nodes_of(12, 2)]
    ties = [Tie("root", node.id, "depends_on") for node in nodes[1:10]]
    one = network("n", "N", "", nodes, ties, {}, "package")
    assert one == network("n", "N", "", nodes[::-1], ties, {}, "package")


def test_a_network_draws_nodes_with_links_and_ties_of_those_that_are_shown() -> None:
    label = "a-very-long-name-of-a-package-indeed"
    person = Node("ada", HOSTILE, "maintainer", 1, 2.0)
    package = Node("other", label, "package", 1, 1.0, "/trust?target=a&b=%22")
    ties = [Tie("root", "ada", "maintained_by"), Tie("root", "other", "depends_on")]
    ties += [Tie("other", "nobody", "depends_on"), Tie("ada", "ada", "depends_on"), ties[0]]
    root = read(network("n", "N", "", [ROOT, person, package], ties, {}, "package"))
    assert root.get("role") == "group"
    assert [each.get("href") for each in root.iter("a")] == ["/trust?target=a&b=%22"]
    titles = {each.text for each in root.iter("title")}
    assert label in titles
    shown = [text for text in words(root) if "…" in text]
    assert [len(text) for text in shown] == [MOST_LETTERS]
    classes = [each.get("class") for each in root.iter("path") if each.get("marker-end")]
    assert sorted(classes, key=str) == ["net-tie net-depends-on", "net-tie net-maintained-by"]
    assert len(list(root.iter("polygon"))) == 1
    assert len(list(root.iter("circle"))) == 2


node_lists = st.lists(
    st.builds(
        Node,
        st.text(max_size=3),
        texts,
        st.sampled_from(["package", "maintainer", "repository", "<odd>"]),
        st.integers(-1, 3),
        finite,
        st.sampled_from(["", "/trust?target=x"]),
    ),
    max_size=90,
)
tie_lists = st.lists(st.builds(Tie, st.text(max_size=3), st.text(max_size=3), texts), max_size=40)


@given(node_lists, tie_lists)
@settings(max_examples=60, deadline=None)
def test_networks_stay_inside(nodes: list[Node], ties: list[Tie]) -> None:
    root = read(network("n", "N", "", nodes, ties, {0: "This"}, "package"))
    box = [float(part) for part in root.get("viewBox", "").split()]
    for each in root.iter():
        for name, most in (("x", box[2]), ("cx", box[2]), ("y", box[3]), ("cy", box[3])):
            if each.get(name) is not None:
                assert 0 <= float(each.get(name, "")) <= most
        if each.get("marker-end"):
            found = [float(one) for one in NUMBER.findall(each.get("d", ""))]
            assert all(0 <= one <= box[2] for one in found[::2])
            assert all(0 <= one <= box[3] for one in found[1::2])
    spots = [(each.get("x"), each.get("y")) for each in root.iter("text")]
    assert len(spots) == len(set(spots))
