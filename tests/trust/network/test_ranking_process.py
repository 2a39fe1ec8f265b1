"""The child process that computes ranks: limited, monitored, and at low priority."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from array import array
from io import BytesIO
from pathlib import Path

import gevent
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sqlalchemy import Engine
from stored_rankings import SECONDS, STAR, rankings
from trust_networks import build, score

from codeintel.platform.db.writer import Writer
from codeintel.trust.network import child
from codeintel.trust.network.pagerank import pagerank
from codeintel.trust.network.ranking import RankingError, compute


@pytest.mark.parametrize("seconds", [0, 0.02])
def test_too_little_time(engine: Engine, writer: Writer, seconds: float) -> None:
    build(writer, STAR)
    with pytest.raises(RankingError, match=r"takes (more than|too long)"):
        compute(engine, writer, seconds=seconds)
    assert rankings(engine) == []


def test_a_child_that_hangs_is_ended(
    engine: Engine, writer: Writer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hanging, started = tmp_path / "python", tmp_path / "pid"
    hanging.write_text(f"#!/bin/sh\necho $$ > {started}\nexec sleep 600\n")
    hanging.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(hanging))
    with pytest.raises(RankingError, match="ranking 0 packages takes too long"):
        compute(engine, writer, seconds=0.5)
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
    assert rankings(engine) == []


def test_a_child_that_fails_is_told_of(
    engine: Engine, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(writer, STAR)
    score(writer, a=-1.0)
    with pytest.raises(
        RankingError,
        match=r"ended with 1: ValueError: scores must be finite numbers, and 0 or more",
    ):
        compute(engine, writer, seconds=SECONDS)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(OSError, match="/nowhere/python"):
        compute(engine, writer, seconds=SECONDS)
    assert rankings(engine) == []


def test_others_run_while_the_child_works(engine: Engine, writer: Writer) -> None:
    build(writer, STAR)
    turns = 0

    def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            gevent.sleep(0.001)

    greenlet = gevent.spawn(other)
    try:
        compute(engine, writer, seconds=SECONDS)
    finally:
        greenlet.kill()
    assert turns > 20


def test_servers_import_no_matrices_and_the_child_no_server() -> None:
    program = """if 1:
        import sys
        import codeintel.trust.network.ranks, codeintel.trust.network.ranking
        import codeintel.trust.network.store, codeintel.trust.network.child
        print(sorted({"numpy", "scipy"} & sys.modules.keys()))
    """
    in_child = """if 1:
        import sys
        import codeintel.trust.network.child, codeintel.trust.network.pagerank
        print(sorted({"flask", "sqlalchemy", "gevent"} & sys.modules.keys()))
    """
    for text in (program, in_child):
        ended = subprocess.run([sys.executable, "-c", text], capture_output=True, check=True)
        assert ended.stdout.strip() == b"[]"


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.integers(1, 9), unique=True, max_size=6).map(sorted),
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=12),
    st.dictionaries(st.integers(1, 9), st.floats(0, 100), max_size=5),
)
def test_what_the_child_reads(
    nodes: list[int], edges: list[tuple[int, int]], scores: dict[int, float]
) -> None:
    given_file = BytesIO(
        array("q", nodes).tobytes()
        + array("q", [end for edge in edges for end in edge]).tobytes()
        + array("q", scores).tobytes()
        + array("d", scores.values()).tobytes()
    )
    told = BytesIO()
    with pytest.MonkeyPatch.context() as context:
        context.setattr(child, "_EDGES_AT_ONCE", 5)
        child.work_out(given_file, told, len(nodes), len(edges), len(scores))
    known = [edge for edge in edges if set(edge) <= set(nodes)]
    places = {node: place for place, node in enumerate(nodes)}
    begins, ends = (np.array([places[edge[at]] for edge in known], dtype=np.int32) for at in (0, 1))
    expected = pagerank(begins, ends, np.array([scores.get(node, 0.0) for node in nodes]))
    content = told.getvalue()
    assert content[: 8 * len(nodes)] == expected.values.tobytes()
    outcome = json.loads(content[16 * len(nodes) :])
    assert (outcome["edges"], outcome["scored"]) == (len(known), len(set(scores) & set(nodes)))
    with pytest.raises(ValueError, match="too short"):
        child.work_out(BytesIO(b"1234"), BytesIO(), 1, 0, 0)
