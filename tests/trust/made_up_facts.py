"""Facts, targets and scorers that Hypothesis makes up."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from trust_cases import CHECKS, HOSTILE, Fixed

from codeintel.contracts import Axis, Ecosystem, Target

days = st.datetimes().map(lambda at: f"{at:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0"))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "version": st.just("1.0.0"),
    "advisories": st.lists(
        st.fixed_dictionaries({"id": st.just("A"), "severity": st.none() | st.floats(0, 10)})
    ),
    "scorecard": st.dictionaries(
        st.sampled_from(CHECKS), st.fixed_dictionaries({"score": st.integers(-1, 10)})
    ).map(lambda checks: {"checks": checks}),
    "release_dates": st.fixed_dictionaries({"first": st.none() | days, "latest": st.none() | days}),
    "releases": st.lists(st.fixed_dictionaries({"version": st.just("1"), "at": days}), max_size=3),
    "status": st.sampled_from(["active", "deprecated"]),
    "pushed_at": days,
    "is_archived": st.booleans(),
    "attestations": st.fixed_dictionaries(
        {"verified": st.integers(0, 2), "total": st.integers(0, 2)}
    ),
    "repository": st.just("github.com/a/b"),
    "repository_proof": st.sampled_from(["attested", "declared"]),
    "licenses": st.lists(st.sampled_from(["MIT", "ours"]), max_size=2),
    "maintainers": st.lists(st.just({"id": "a"}), max_size=4),
    "contributors": st.fixed_dictionaries({"topShare": st.floats(0, 1)}),
    "created_at": days,
}
FACTS = st.fixed_dictionaries(
    {}, optional={name: each | st.sampled_from(HOSTILE) for name, each in VALUES.items()}
)
TARGETS = st.sampled_from([Target(each, "a/b") for each in Ecosystem])
FIXED = st.lists(
    st.builds(
        Fixed,
        st.text("abcdef", min_size=1, max_size=4),
        st.floats(1e-3, 1e3),
        st.none() | st.floats() | st.just(ValueError()),
        st.sampled_from(Axis),
    ),
    min_size=1,
    max_size=30,
    unique_by=lambda each: each.name,
)
