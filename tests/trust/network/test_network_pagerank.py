"""PageRank: small cases worked out by hand, and what holds for all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose

from codeintel.trust.network.pagerank import (
    DAMPING,
    PageRank,
    pagerank,
    personalisation,
    positions,
)

D = DAMPING
NONE: list[tuple[int, int]] = []
Edges = list[tuple[int, int]]


def ranked(edges: Edges, scores: list[float], **options: Any) -> PageRank:
    sources = np.array([source for source, _ in edges], dtype=np.int32)
    targets = np.array([target for _, target in edges], dtype=np.int32)
    return pagerank(sources, targets, np.array(scores, dtype=np.float64), **options)


@pytest.mark.parametrize(
    ("edges", "scores", "expected"),
    [
        # No edges: each round returns everything that it passes on to the trust seeds.
        (NONE, [0], [1]),
        (NONE, [0, 0], [1 / 2, 1 / 2]),
        (NONE, [3, 1], [0.1 / 2 + 0.9 * 3 / 4, 0.1 / 2 + 0.9 / 4]),
        # a = D b/2 + (1-D)/2 and a + b = 1.
        ([(0, 1)], [0, 0], [1 / (2 + D), (1 + D) / (2 + D)]),
        ([(0, 1), (1, 0)], [0, 0], [1 / 2, 1 / 2]),
        # Trust begins at .95 and .05: a = D b + .95 (1-D) and a + b = 1.
        (
            [(0, 1), (1, 0)],
            [7, 0],
            [(D + 0.95 * (1 - D)) / (1 + D), (D + 0.05 * (1 - D)) / (1 + D)],
        ),
        # a = D (b + c)/3 + (1-D)/3, b = c and all three are 1.
        ([(0, 1), (0, 2)], [0, 0, 0], [1 / (3 + D)] + [(2 + D) / (3 + D) / 2] * 2),
        # A leaf of the star has D hub/4 + (1-D)/4.
        (
            [(0, 3), (1, 3), (2, 3)],
            [0, 0, 0, 0],
            [1 / (4 + 3 * D)] * 3 + [(1 + 3 * D) / (4 + 3 * D)],
        ),
        # The same edge twice and another once: two thirds go there.
        (
            [(0, 1), (0, 1), (0, 2), (1, 0), (2, 0)],
            [0, 0, 0],
            [
                (1 / 3 + 2 * D / 3) / (1 + D),
                (1 - D) / 3 + 2 / 3 * D * (1 / 3 + 2 * D / 3) / (1 + D),
                (1 - D) / 3 + 1 / 3 * D * (1 / 3 + 2 * D / 3) / (1 + D),
            ],
        ),
    ],
)
def test_cases_by_hand(edges: Edges, scores: list[float], expected: list[float]) -> None:
    found = ranked(edges, scores)
    assert_allclose(found.values, expected, rtol=0, atol=1e-9)
    assert found.residual < 1e-10


def test_no_nodes() -> None:
    assert ranked(NONE, []).values.size == 0


def test_rounds_are_bounded() -> None:
    found = ranked([(0, 1), (1, 0)], [7, 0], rounds=3)
    assert (found.rounds, found.residual > 1e-10) == (3, True)


@pytest.mark.parametrize("score", [-1.0, float("nan"), float("inf")])
def test_scores_that_are_none(score: float) -> None:
    with pytest.raises(ValueError, match="finite numbers, and 0 or more"):
        ranked(NONE, [1.0, score])


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Edges, list[float]]:
    size = draw(st.integers(2, 8))
    node = st.integers(0, size - 1)
    edge = st.tuples(node, node).filter(lambda pair: pair[0] != pair[1])
    edges = draw(st.lists(edge, max_size=20, unique=True))
    score = st.just(0.0) | st.floats(0.5, 100)
    return edges, draw(st.lists(score, min_size=size, max_size=size))


@settings(max_examples=40, deadline=None)
@given(graphs())
def test_ranks_add_up_and_solve_the_equation(graph: tuple[Edges, list[float]]) -> None:
    edges, scores = graph
    found = ranked(edges, scores).values
    assert found.sum() == pytest.approx(1, abs=1e-12)
    base = personalisation(np.array(scores))
    assert base.sum() == pytest.approx(1)
    matrix = np.zeros((len(scores), len(scores)))
    for source, target in edges:
        matrix[target, source] = 1
    out = matrix.sum(axis=0)
    matrix = np.where(out, matrix / np.where(out, out, 1), base[:, None])
    solved = np.linalg.solve(np.eye(len(scores)) - D * matrix, (1 - D) * base)
    assert_allclose(found, solved, rtol=0, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_nodes_is_nothing(graph: tuple[Edges, list[float]], random: Any) -> None:
    edges, scores = graph
    order = list(range(len(scores)))
    random.shuffle(order)
    moved = [(order[source], order[target]) for source, target in edges]
    random.shuffle(moved)
    placed = [0.0] * len(scores)
    for old, new in enumerate(order):
        placed[new] = scores[old]
    before, after = ranked(edges, scores).values, ranked(moved, placed).values
    assert_allclose(after[order], before, rtol=0, atol=1e-10)
    assert list(positions(after)[order]) == list(positions(before))


@settings(max_examples=40, deadline=None)
@given(graphs(), st.data())
def test_one_more_dependent_does_not_lower_a_rank(
    graph: tuple[Edges, list[float]], data: st.DataObject
) -> None:
    edges, scores = graph
    target = data.draw(st.integers(0, len(scores) - 1))
    source = data.draw(st.integers(0, len(scores) - 1).filter(lambda node: node != target))
    before = ranked([edge for edge in edges if edge != (source, target)], scores).values
    after = ranked([*{*edges, (source, target)}], scores).values
    assert after[target] >= before[target] - 1e-9


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], []),
        ([0.5, 0.2, 0.3], [1, 3, 2]),
        ([0.2, 0.4, 0.2, 0.2], [2, 1, 2, 2]),
        ([0.3, 0.3, 0.4 - 1e-17, 0.0], [2, 2, 1, 4]),
        ([0.1 + 0.2, 0.3, 0.4], [2, 2, 1]),
    ],
)
def test_positions(values: list[float], expected: list[int]) -> None:
    assert list(positions(np.array(values, dtype=np.float64))) == expected
