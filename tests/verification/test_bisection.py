"""Which rules' changes can be kept."""

from __future__ import annotations

import math

from hypothesis import given, strategies as st

from codeintel.runs.judge import passing

RULES = [f"R{number}" for number in range(40)]


@given(st.sets(st.sampled_from(RULES)), st.lists(st.sampled_from(RULES), max_size=40))
def test_all_but_the_culprits_are_kept(culprits: set[str], rules: list[str]) -> None:
    attempts: list[frozenset[str]] = []

    def passes(kept: frozenset[str]) -> bool:
        attempts.append(kept)
        return not kept & culprits

    assert passing(rules, passes) == set(rules) - culprits
    few = len(culprits & set(rules))
    assert len(attempts) <= 1 + 2 * few * (math.ceil(math.log2(max(2, len(rules)))) + 1)


def test_rules_that_only_fail_together() -> None:
    kept = passing(RULES, lambda some: not {"R3", "R30"} <= some)
    assert len(kept) == len(RULES) - 1


def test_nothing_passes() -> None:
    assert passing(RULES[:5], lambda _: False) == frozenset()
    assert passing([], lambda _: False) == frozenset()
