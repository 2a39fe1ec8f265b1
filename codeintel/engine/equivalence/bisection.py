"""Which of several rules' changes can be kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def passing(rules: Sequence[str], passes: Callable[[frozenset[str]], bool]) -> frozenset[str]:
    """As many of the rules as pass together, found by halving: for few culprits among many rules it
    takes about `k * log2(n)` attempts.

    :param passes: whether what these rules change passes. It need not be asked of none.
    """
    return _added(frozenset(), tuple(dict.fromkeys(rules)), passes)


def _added(
    kept: frozenset[str], more: tuple[str, ...], passes: Callable[[frozenset[str]], bool]
) -> frozenset[str]:
    """The kept ones, and those of `more` that pass with them."""
    together = kept.union(more)
    if not more or passes(together):
        return together
    if len(more) == 1:
        return kept
    half = len(more) // 2
    return _added(_added(kept, more[:half], passes), more[half:], passes)
