"""The neighborhood of a package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings, strategies as st
from sqlalchemy import Engine, create_engine, event, insert
from trust_networks import AT, build, depending, facts_of, maintained, npm, put, score

from codeintel.platform.db.models import Base
from codeintel.platform.db.writer import Writer
from codeintel.trust.network import Neighbourhood, reading
from codeintel.trust.network.ranks import overview
from codeintel.trust.network.reading import neighbourhood
from codeintel.trust.network.store import record
from codeintel.trust.tables import TrustRanking

DIAMOND = {"top": ["left", "right"], "left": ["end"], "right": ["end"], "end": ["top"]}


def read(engine: Engine, name: str = "top", **options: int) -> Neighbourhood:
    with engine.connect() as connection:
        found = neighbourhood(connection, f"npm:{name}", **options)
    assert found is not None
    return found


def names(found: Neighbourhood) -> list[str]:
    return [node.id.removeprefix("npm:") for node in found.nodes]


def pairs(found: Neighbourhood) -> list[tuple[str, str]]:
    return [
        (edge.source.removeprefix("npm:"), edge.target.removeprefix("npm:")) for edge in found.edges
    ]


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """Record the statements that are executed within the block."""
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine, "before_cursor_execute", note)


def test_all_around_a_package(each_engine: Engine, each_writer: Writer) -> None:
    build(each_writer, DIAMOND)
    repository = {"repository": "github.com/O/top"}
    put(each_writer, "top", depending("left ^1", "right"), maintained("ann"), repository)
    put(each_writer, "left", maintained("bob"))
    score(each_writer, top=80.0, right=20.5)
    found = read(each_engine, depth=3)
    shown = [(node.id, node.kind, node.label, node.depth, node.score) for node in found.nodes]
    assert shown == [
        ("npm:top", "package", "top", 0, 80.0),
        ("npm:left", "package", "left", 1, None),
        ("npm:right", "package", "right", 1, 20.5),
        ("maintainer:npm:ann", "maintainer", "Ann", 1, None),
        ("repository:github.com/o/top", "repository", "O/top", 1, None),
        ("npm:end", "package", "end", 2, None),
    ]
    edges = [(edge.source, edge.target, edge.kind, edge.requirement) for edge in found.edges]
    assert edges == [
        ("npm:top", "npm:left", "depends_on", "^1"),
        ("npm:top", "npm:right", "depends_on", ""),
        ("npm:top", "maintainer:npm:ann", "maintained_by", ""),
        ("npm:top", "repository:github.com/o/top", "hosted_at", ""),
        ("npm:left", "npm:end", "depends_on", ""),
        ("npm:right", "npm:end", "depends_on", ""),
        ("npm:end", "npm:top", "depends_on", ""),
    ]
    assert [node.id for node in found.dependents] == ["npm:end"]
    summary = found.summary
    assert (summary.nodes, summary.edges, summary.total, summary.max_depth) == (6, 7, 6, 2)
    assert (summary.packages, summary.maintainers, summary.repositories) == (4, 1, 1)
    assert (summary.depends_on, summary.dependents, summary.is_truncated) == (2, 1, False)


@pytest.mark.parametrize(
    ("depth", "nodes", "edges"),
    [
        (0, ["top"], []),
        (1, ["top", "left", "right"], [("top", "left"), ("top", "right")]),
        (
            2,
            ["top", "left", "right", "end"],
            [("top", "left"), ("top", "right"), ("left", "end"), ("right", "end")],
        ),
        (
            3,
            ["top", "left", "right", "end"],
            [("end", "top"), ("left", "end"), ("right", "end"), ("top", "left"), ("top", "right")],
        ),
    ],
)
def test_depth(
    engine: Engine, writer: Writer, depth: int, nodes: list[str], edges: list[tuple[str, str]]
) -> None:
    build(writer, DIAMOND)
    found = read(engine, depth=depth)
    assert names(found) == nodes
    assert sorted(pairs(found)) == sorted(edges)


def test_what_the_network_does_not_know(engine: Engine, writer: Writer) -> None:
    put(writer, "a", maintained("b"), depending("c"))
    with engine.connect() as connection:
        assert neighbourhood(connection, "npm:b") is None
    assert [node.is_collected for node in read(engine, "a", depth=1).nodes] == [True, False, False]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 4}, "`depth` is 4; it must be at least 0 and at most 3"),
        ({"limit": 501}, "`limit` is 501; it must be at least 1 and at most 500"),
        ({"limit": 0}, "`limit` is 0"),
        ({"offset": -1}, "`offset` is -1; it must be at least 0$"),
    ],
)
def test_numbers_out_of_bounds(engine: Engine, options: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(engine, "top", **options)


@settings(max_examples=20, deadline=None)
@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.sets(st.sampled_from("abcdefghij"))),
    st.integers(0, 3),
    st.integers(1, 4),
)
def test_pages_joined_are_the_whole(graph: dict[str, set[str]], depth: int, limit: int) -> None:
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        for name, targets in {"a": set[str](), **graph}.items():
            facts = facts_of({**depending(*sorted(targets)), **maintained("x")})
            record(connection, npm(name), facts, AT)
    whole = read(engine, "a", depth=depth)
    shown: list[str] = []
    edges: list[tuple[str, str]] = []
    for offset in range(0, whole.summary.total, limit):
        page = read(engine, "a", depth=depth, limit=limit, offset=offset)
        shown += names(page)
        assert all(end in shown for edge in pairs(page) for end in edge)
        edges += pairs(page)
        assert page.summary.total == whole.summary.total
    assert shown == names(whole)
    assert len(set(shown)) == len(shown)
    assert sorted(edges) == sorted(pairs(whole))
    assert len(set(edges)) == len(edges)
    beyond = read(engine, "a", depth=depth, limit=limit, offset=whole.summary.total)
    assert (beyond.nodes, beyond.edges) == ((), ())
    near = {"a"}
    for _ in range(depth):
        near |= {target for name in near for target in graph.get(name, ())}
    assert {name for name in shown if len(name) == 1} == near
    engine.dispose()


def test_a_walk_is_bounded(engine: Engine, writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    build(writer, {"top": [f"n{number}" for number in range(30)], "n1": ["end"]})
    assert not read(engine, depth=2).summary.is_truncated
    monkeypatch.setattr(reading, "MAX_NODES", 10)
    found = read(engine, depth=2)
    assert (found.summary.total, found.summary.is_truncated) == (10, True)
    assert found.summary.depends_on == 30
    monkeypatch.undo()
    monkeypatch.setattr(reading, "MAX_EDGES", 20)
    found = read(engine, depth=2)
    assert (found.summary.total, found.summary.edges, found.summary.is_truncated) == (21, 20, True)


def test_dependents_are_counted_and_some_listed(engine: Engine, writer: Writer) -> None:
    build(writer, {f"user{number:02}": ["hub"] for number in range(60)})
    found = read(engine, "hub", depth=3)
    assert names(found) == ["hub"]
    assert found.summary.dependents == 60
    assert len(found.dependents) == 50
    assert {node.depth for node in found.dependents} == {-1}


def test_queries_do_not_grow_with_nodes(engine: Engine, writer: Writer) -> None:
    counts = []
    for size in (3, 60):
        names = [f"{size}-{number}" for number in range(size)]
        build(writer, {f"top{size}": names, **{name: [f"{name}-end"] for name in names}})
        with statements(engine) as seen:
            read(engine, f"top{size}", depth=3)
        counts.append(len(seen))
    assert counts[0] == counts[1] < 16


def test_queries_use_indices(engine: Engine, writer: Writer) -> None:
    build(writer, {"hub": [], **{f"user{number}": ["hub"] for number in range(60)}})
    build(writer, {"top": ["hub", "user1"]})
    row = {"computed_ms": AT, "is_complete": True, "nodes": 0, "edges": 0, "parameters": "{}"}
    writer.run(lambda connection: connection.execute(insert(TrustRanking), {"id": "r", **row}))
    plans = []
    with engine.connect() as connection:
        with statements(engine) as seen:
            neighbourhood(connection, "npm:top", depth=3)
            neighbourhood(connection, "npm:hub", depth=3)
        for statement in seen:
            values = (1,) * statement.count("?")
            plan = connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, values)
            plans += [row.detail for row in plan]
    assert any("trust_ranks" in line for line in plans)
    unbounded = ("SCAN trust_nodes", "SCAN trust_edges", "SCAN trust_packages", "SCAN trust_ranks")
    assert [line for line in plans if line.startswith(unbounded)] == []
    assert [line for line in plans if "trust_ranks" in line and "node_id=?" not in line] == []


def test_an_overview_without_ranks(engine: Engine, writer: Writer) -> None:
    build(writer, DIAMOND)
    put(writer, "top", maintained("ann"))
    with engine.connect() as connection:
        found = overview(connection)
        with pytest.raises(ValueError, match="`limit` is 0"):
            overview(connection, limit=0)
    assert dict(found.nodes) == {"package": 4, "maintainer": 1, "repository": 0}
    assert dict(found.edges) == {"depends_on": 5, "maintained_by": 1, "hosted_at": 0}
    assert (found.top, found.ranking) == ((), None)
