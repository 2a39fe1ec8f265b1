"""Working out ranks from the database into the database."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import IO

import gevent
import msgspec
import pytest
from sqlalchemy import Engine, insert, select
from stored_rankings import SECONDS, STAR, rankings
from trust_networks import AT, build, maintained, put, score

from codeintel.platform.db.writer import Writer
from codeintel.trust.network import child, ranking
from codeintel.trust.network.ranking import RankingError, RankingResult, RankingSummary, compute
from codeintel.trust.network.ranks import overview, rank_of
from codeintel.trust.network.reading import neighbourhood
from codeintel.trust.tables import TrustNode, TrustRanking

LEAF = 1 / (4 + 3 * 0.85)


@pytest.fixture
def _no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the child's work in this process, because starting a process takes half a second."""

    def work_out(
        given: IO[bytes], told: IO[bytes], numbers: tuple[int, int, int], _seconds: float
    ) -> RankingResult:
        given.seek(0)
        child.work_out(given, told, *numbers)  # type: ignore[arg-type]
        told.seek(16 * numbers[0])
        return msgspec.json.decode(told.read(), type=RankingResult)

    monkeypatch.setattr(ranking, "work_out", work_out)


def ranks(engine: Engine) -> dict[str, tuple[float, int]]:
    """Return values and positions of all ranked packages."""
    with engine.connect() as connection:
        keys = connection.scalars(select(TrustNode.key).where(TrustNode.kind == "package")).all()
        found = {key: rank_of(connection, key) for key in keys}
    return {key: (rank.value, rank.position) for key, rank in found.items() if rank is not None}


def test_ranks_of_a_star(each_engine: Engine, each_writer: Writer) -> None:
    build(each_writer, STAR)
    put(each_writer, "hub", maintained("ann"))
    with each_engine.connect() as connection:
        assert rank_of(connection, "npm:hub") is None
    summary = compute(each_engine, each_writer, seconds=SECONDS)
    assert (summary.packages, summary.edges, summary.scored) == (4, 3, 0)
    assert summary.residual < 1e-10
    assert rankings(each_engine) == [(summary.id, True, 4)]
    with each_engine.connect() as connection:
        hub, leaf = rank_of(connection, "npm:hub"), rank_of(connection, "npm:b")
        assert rank_of(connection, "npm:ann") is None
        shown = neighbourhood(connection, "npm:a")
        whole = overview(connection, limit=2)
    assert hub is not None
    assert leaf is not None
    assert (hub.position, hub.of, hub.percentile) == (1, 4, 75)
    assert (leaf.position, leaf.of, leaf.percentile) == (2, 4, 0)
    assert hub.value == pytest.approx(1 - 3 * LEAF)
    assert leaf.value == pytest.approx(LEAF)
    assert shown is not None
    assert [(node.id, node.rank) for node in shown.nodes] == [("npm:a", 2), ("npm:hub", 1)]
    assert [(each.id, each.position) for each in whole.top] == [("npm:hub", 1), ("npm:a", 2)]
    assert dict(whole.nodes) == {"package": 4, "maintainer": 1, "repository": 0}
    assert dict(whole.edges) == {"depends_on": 3, "maintained_by": 1, "hosted_at": 0}
    assert whole.ranking is not None
    assert (whole.ranking.packages, whole.ranking.damping) == (4, 0.85)
    assert whole.ranking.computed_at == hub.computed_at


@pytest.mark.usefixtures("_no_process")
def test_scores_are_where_trust_begins(engine: Engine, writer: Writer) -> None:
    build(writer, {"a": ["b"], "c": ["d"]})
    score(writer, a=90.0, c=30.0, stranger=50.0)
    assert compute(engine, writer, seconds=SECONDS).scored == 2
    found = ranks(engine)
    assert found["npm:b"] > found["npm:d"]
    assert found["npm:a"][0] / found["npm:c"][0] == pytest.approx(
        (0.1 / 4 + 0.9 * 0.75) / (0.1 / 4 + 0.9 * 0.25)
    )


@pytest.mark.usefixtures("_no_process")
def test_done_again_it_is_the_same(
    engine: Engine, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(writer, {f"n{number}": [f"n{number // 2}"] for number in range(1, 40)})
    first = compute(engine, writer, seconds=SECONDS)
    before = ranks(engine)
    monkeypatch.setattr(ranking, "PAGE", 7)
    monkeypatch.setattr(ranking, "CHUNK", 6)
    second = compute(engine, writer, seconds=SECONDS)
    assert ranks(engine) == before
    assert sum(value for value, _ in before.values()) == pytest.approx(1)
    assert first.id != second.id
    assert rankings(engine) == [(second.id, True, 40)]


@pytest.mark.usefixtures("_no_process")
def test_no_packages(engine: Engine, writer: Writer) -> None:
    summary = compute(engine, writer, seconds=SECONDS)
    assert (summary.packages, rankings(engine)) == (0, [(summary.id, True, 0)])


class KilledError(Exception):
    """The end of a process, as far as a test can have it."""


def killed_at(call: int) -> Callable[[], None]:
    """Return a checkpoint that raises at the given call."""
    calls = 0

    def checkpoint() -> None:
        nonlocal calls
        calls += 1
        if calls == call:
            raise KilledError

    return checkpoint


@pytest.mark.usefixtures("_no_process")
def test_wherever_it_is_killed_the_old_ranks_stay_and_the_next_run_cleans_up(
    engine: Engine, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "CHUNK", 2)
    build(writer, STAR)
    compute(engine, writer, seconds=SECONDS)
    before, kept, left = ranks(engine), 0, set()
    for call in range(1, 30):
        try:
            compute(engine, writer, seconds=SECONDS, checkpoint=killed_at(call))
        except KilledError:
            assert ranks(engine) == before
            assert sum(complete for _, complete, _ in rankings(engine)) == 1
            left.add(len(rankings(engine)))
            kept += 1
        else:
            break
    assert kept > 5
    assert left == {1, 2}
    assert ranks(engine) == before
    assert [(complete, size) for _, complete, size in rankings(engine)] == [(True, 4)]


@pytest.mark.usefixtures("_no_process")
def test_one_that_another_process_deletes_ends(
    each_engine: Engine, each_writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(each_writer, STAR)
    second: list[RankingSummary] = []

    def checkpoint() -> None:
        if rankings(each_engine) and not second:
            second.append(compute(each_engine, each_writer, seconds=SECONDS))

    monkeypatch.setattr(ranking, "CHUNK", 2)
    with pytest.raises(RankingError, match="another ranking"):
        compute(each_engine, each_writer, seconds=SECONDS, checkpoint=checkpoint)
    assert rankings(each_engine) == [(second[0].id, True, 4)]


def test_of_two_complete_ones_the_newer_stays(engine: Engine, writer: Writer) -> None:
    row = {"nodes": 0, "edges": 0, "parameters": "{}"}
    rows = [
        {"id": "old", "computed_ms": AT, "is_complete": True, **row},
        {"id": "new", "computed_ms": AT + 1, "is_complete": True, **row},
        {"id": "begun", "computed_ms": AT + 2, "is_complete": False, **row},
    ]
    writer.run(lambda connection: connection.execute(insert(TrustRanking), rows))
    assert set(writer.run(ranking._retire_others)) == {"old", "begun"}
    with pytest.raises(RankingError, match="another ranking"):
        writer.run(partial(ranking._complete, ranking_id="begun"))
    assert [(name, complete) for name, complete, _ in rankings(engine)] == [
        ("begun", False),
        ("new", True),
        ("old", False),
    ]


@pytest.mark.usefixtures("_no_process")
def test_timers_and_sockets_are_looked_at_between_steps(
    engine: Engine, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "PAGE", 1)
    build(writer, STAR)
    turns: list[int] = []
    loop = gevent.get_hub().loop
    compute(engine, writer, seconds=SECONDS, checkpoint=lambda: turns.append(loop.iteration))
    assert len(turns) > 6
    assert len(set(turns)) == len(turns)
