"""Compute how much of all trust reaches each package.

Only the child process uses these pure functions, because they need matrices.

Personalized PageRank (Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999,
section 6): trust starts according to the personalization. Each package passes on a fraction of its
trust, the damping, in equal shares to its dependencies. Dangling packages, which have no
dependencies, are treated as in Langville and Meyer, "Deeper Inside PageRank", 2004, section 3:

    x = d (Aᵀ x + (sum of x over the dangling) p) + (1 - d) p,    A[i, j] = 1 / (edges out of i)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array  # type: ignore[import-untyped]

DAMPING = 0.85
TOLERANCE = 1e-10
ROUNDS = 200
UNIFORM = 0.1
"""The fraction of the personalization that all packages share.

Without it, packages that no scored package leads to would have no rank.
"""
_EQUAL = 1e-9
"""Ranks that differ by less than this fraction of the mean are equal, because the order of
summation can cause such differences.
"""
Floats = NDArray[np.float64]
Indices = NDArray[np.int32]


class PageRank(NamedTuple):
    """`values` add up to 1. `residual` is the last round's change, summed over all nodes."""

    values: Floats
    rounds: int
    residual: float


def pagerank(
    sources: Indices,
    targets: Indices,
    scores: Floats,
    *,
    damping: float = DAMPING,
    tolerance: float = TOLERANCE,
    rounds: int = ROUNDS,
) -> PageRank:
    """Return the ranks of nodes 0 to `len(scores)` - 1, by power iteration.

    :param sources: nodes that depend on the nodes at the same positions of `targets`. A duplicate
        edge counts twice.
    :param scores: of each node; 0 for none. Only their proportions count.
    :param tolerance: the iteration ends when the total change in a round is smaller.
    :param rounds: maximum number of rounds.
    :raises ValueError: for scores that are negative or not finite.
    """
    size = len(scores)
    if not size:
        return PageRank(scores, 0, 0.0)
    base = personalisation(scores)
    out = np.bincount(sources, minlength=size).astype(np.float64)
    ends_here = out == 0
    shares = np.divide(damping, out, out=np.zeros(size), where=~ends_here)
    into = coo_array(
        (np.ones(len(sources)), (targets, sources)), shape=(size, size), dtype=np.float64
    ).tocsr()
    values, residual, done = base, np.inf, 0
    while done < rounds and residual >= tolerance:
        stranded = float(values[ends_here].sum())
        following = into @ (values * shares)
        following += (damping * stranded + 1 - damping) * base
        residual = float(np.abs(following - values).sum())
        values, done = following, done + 1
    return PageRank(values / values.sum(), done, residual)


def personalisation(scores: Floats) -> Floats:
    """Return where trust starts: in proportion to the scores, except for the shared fraction.

    :raises ValueError: for scores that are negative or not finite.
    """
    if not np.isfinite(scores).all() or (scores < 0).any():
        raise ValueError("scores must be finite numbers, and 0 or more")
    total = scores.sum()
    uniform = np.full(len(scores), 1 / len(scores))
    return UNIFORM * uniform + (1 - UNIFORM) * scores / total if total > 0 else uniform


def positions(values: Floats) -> NDArray[np.int64]:
    """Return the positions, with 1 for the highest.

    Equal values share the first of their positions.
    """
    steps = np.rint(values * (len(values) / _EQUAL))
    order = np.argsort(-steps, kind="stable")
    ordered = steps[order]
    begins = np.ones(len(values), dtype=bool)
    begins[1:] = ordered[1:] != ordered[:-1]
    places = np.maximum.accumulate(np.where(begins, np.arange(1, len(values) + 1), 0))
    found = np.empty(len(values), dtype=np.int64)
    found[order] = places
    return found
