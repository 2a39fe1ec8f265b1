"""Files that are hard to follow, by what analysers have measured. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from codeintel.contracts import AnalysisResult
from codeintel.workspaces.proof.shapes import HotSpot

MOST = 20
SIMPLE = 5
"""Up to so many ways through its most complex function a file is no hot spot."""
SCORE = "complexityMax"
"""The metric: ways through the function that has most, of the analysers `complexity` and
`metrics`."""


def hot_spots(results: Mapping[str, AnalysisResult]) -> tuple[HotSpot, ...]:
    """The files with the most complex functions, the worst first, at most 20.

    :param results: by path.
    """
    found = [
        HotSpot(path=path, score=float(result.metrics[SCORE]), metrics=dict(result.metrics))
        for path, result in results.items()
        if result.metrics.get(SCORE, 0) > SIMPLE
    ]
    return tuple(sorted(found, key=lambda each: (-each.score, each.path))[:MOST])
