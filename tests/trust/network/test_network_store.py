"""The stored facts of packages."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from sqlalchemy import Engine, create_engine
from trust_networks import AT, depending, dump, edges_of, facts_of, maintained, npm, put

from codeintel.platform.db.models import Base
from codeintel.platform.db.writer import Writer
from codeintel.trust.network import store
from codeintel.trust.network.store import record

REPOSITORY = {"repository": "github.com/o/r"}


def edge(source: str, target: str, kind: str = "depends_on") -> tuple[str, str, str]:
    return (f"p|npm:{source}", target if "|" in target else f"p|npm:{target}", kind)


def test_facts_become_nodes_and_edges_once(each_engine: Engine, each_writer: Writer) -> None:
    every = (depending("b ^1", "c"), maintained("ann", "bob"), REPOSITORY)
    assert put(each_writer, "a", *every)
    expected = {
        edge("a", "b"): "^1",
        edge("a", "c"): "",
        edge("a", "m|npm:ann", "maintained_by"): "",
        edge("a", "m|npm:bob", "maintained_by"): "",
        edge("a", "r|github.com/o/r", "hosted_at"): "",
    }
    assert edges_of(each_engine) == expected
    before = dump(each_engine)
    assert put(each_writer, "a", *every)
    assert dump(each_engine) == before
    assert put(each_writer, "a", depending("b ^2", "d"), maintained("bob"), at=AT + 1)
    assert edges_of(each_engine) == {
        edge("a", "b"): "^2",
        edge("a", "d"): "",
        edge("a", "m|npm:bob", "maintained_by"): "",
        edge("a", "r|github.com/o/r", "hosted_at"): "",
    }


@pytest.mark.parametrize(
    ("later", "remaining"),
    [
        (depending(), set()),
        (depending("c"), {"c"}),
        (depending("c", is_complete=False), {"b", "c"}),
        (maintained(), {"b"}),
        ({}, {"b"}),
    ],
)
def test_what_facts_delete(
    engine: Engine, writer: Writer, later: dict[str, Any], remaining: set[str]
) -> None:
    put(writer, "a", depending("b"))
    put(writer, "other", depending("b"))
    put(writer, "a", later, at=AT + 1)
    expected = {edge("a", name) for name in remaining} | {edge("other", "b")}
    assert set(edges_of(engine)) == expected


def test_older_facts_change_nothing(engine: Engine, writer: Writer) -> None:
    put(writer, "a", depending("b"))
    before = dump(engine)
    assert not put(writer, "a", depending("c"), maintained("x"), at=AT - 1)
    assert dump(engine) == before
    assert put(writer, "b", depending("d"), at=AT - 1), "b's own facts were not known"


def test_versions_are_one_package(engine: Engine, writer: Writer) -> None:
    facts = facts_of(depending("b"))
    for version in ("", "1.0.0", "2.0.0"):
        writer.run(partial(record, target=npm("a", version), facts=facts, observed_ms=AT))
    assert set(edges_of(engine)) == {edge("a", "b")}


def test_a_maintainer_is_renamed_and_observed_times_are_kept(
    engine: Engine, writer: Writer
) -> None:
    put(writer, "a", {"maintainers": [{"id": "x", "name": "Old"}]}, depending("b"))
    put(writer, "a", {"maintainers": [{"id": "x", "name": "New"}]}, depending("b"), at=AT + 5)
    nodes, edges = dump(engine)
    rows = {key: (label, observed) for _, _, key, label, observed in nodes}
    assert rows == {"npm:a": ("a", AT + 5), "npm:b": ("b", 0), "npm:x": ("New", 0)}
    assert {observed for *_, observed in edges} == {AT + 5}


def test_many_more_than_fit_into_one_statement(each_engine: Engine, each_writer: Writer) -> None:
    names = [f"n{number}" for number in range(3 * store.CHUNK + 1)]
    put(each_writer, "a", depending(*names))
    assert len(edges_of(each_engine)) == len(names)
    put(each_writer, "a", depending(names[7]))
    assert set(edges_of(each_engine)) == {edge("a", names[7])}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("abc"),
            st.dictionaries(st.sampled_from("abcde"), st.sampled_from(["", "^1", "^2"])),
            st.none() | st.sets(st.sampled_from(["ann", "bob", "cyn"])),
        ),
        max_size=8,
    )
)
def test_the_last_facts_of_each_package_stand(
    puts: list[tuple[str, dict[str, str], set[str] | None]],
) -> None:
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    expected: dict[tuple[str, str], dict[tuple[str, str, str], str]] = {}
    for number, (name, requirements, logins) in enumerate(puts):
        values = depending(*(f"{target} {text}" for target, text in requirements.items()))
        expected[name, "d"] = {
            edge(name, target): text for target, text in requirements.items() if target != name
        }
        if logins is not None:
            values |= maintained(*logins)
            expected[name, "m"] = {edge(name, f"m|npm:{x}", "maintained_by"): "" for x in logins}
        with engine.begin() as connection:
            record(connection, npm(name), facts_of(values), AT + number)
    assert edges_of(engine) == {key: text for of in expected.values() for key, text in of.items()}
    engine.dispose()
