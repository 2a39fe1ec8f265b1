"""How much of all trust reaches each package. Pure; for the child process alone: it has matrices.

Personalised PageRank (Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999,
section 6): trust begins where the personalisation puts it, and each package passes on a part of
what it has, the damping, in equal shares to what it depends on. With dangling packages, which
depend on nothing, treated as in Langville and Meyer, "Deeper Inside PageRank", 2004, section 3:

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
"""The part of the personalisation that all packages share: without it, what no scored package
leads to would have no rank at all."""
_EQUAL = 1e-9
"""Ranks that differ by less than this part of the mean are equal: sums in another order do."""
Floats = NDArray[np.float64]
Indices = NDArray[np.int32]


class PageRank(NamedTuple):
    """`values` add up to 1; `residual` is the last round's change, the sum over all nodes."""

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
    """The ranks of nodes 0 to `len(scores)` - 1, by power iteration.

    :param sources: nodes that depend on those in the same place of `targets`. An edge that is given
        twice counts twice.
    :param scores: of each node; 0 for none. Only their proportions count.
    :param tolerance: the iteration ends when a round changes the ranks by less, added up.
    :param rounds: it ends after so many in any case.
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
    """Where trust begins: in proportion to the scores, but for what all share.

    :raises ValueError: for scores that are negative or not finite.
    """
    if not np.isfinite(scores).all() or (scores < 0).any():
        raise ValueError("scores must be finite numbers, and 0 or more")
    total = scores.sum()
    uniform = np.full(len(scores), 1 / len(scores))
    return UNIFORM * uniform + (1 - UNIFORM) * scores / total if total > 0 else uniform


def positions(values: Floats) -> NDArray[np.int64]:
    """The place of each, 1 for the highest; equal ones share the first of theirs."""
    steps = np.rint(values * (len(values) / _EQUAL))
    order = np.argsort(-steps, kind="stable")
    ordered = steps[order]
    begins = np.ones(len(values), dtype=bool)
    begins[1:] = ordered[1:] != ordered[:-1]
    places = np.maximum.accumulate(np.where(begins, np.arange(1, len(values) + 1), 0))
    found = np.empty(len(values), dtype=np.int64)
    found[order] = places
    return found
