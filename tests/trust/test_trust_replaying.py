"""Equal inputs and rules result in equal bytes. Changed ones result in other hashes and
versions."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from made_up_facts import FACTS, TARGETS, VALUES
from trust_cases import FLAWLESS, SHIPPED, Fixed, fact, inputs_of, judged

from codeintel.contracts import Axis, Ecosystem, Scorer, SourceProblem, Target
from codeintel.trust.scores import (
    Failure,
    Inputs,
    Score,
    decode_inputs,
    decode_score,
    encode_inputs,
    encode_score,
    score,
    scorer_version,
)


@settings(max_examples=60, deadline=None)
@given(FACTS, TARGETS, st.sets(st.sampled_from(sorted(VALUES))))
def test_a_replay_gives_the_same_bytes(
    values: dict[str, Any], target: Target, stale: set[str]
) -> None:
    """Check that the order of keys and indented JSON do not matter."""
    inputs = inputs_of(values, target, stale=tuple(sorted(stale)))
    first = encode_score(score(inputs, SHIPPED))
    encoded = encode_inputs(inputs)
    assert encode_score(score(decode_inputs(encoded), SHIPPED)) == first
    assert encode_score(decode_score(first)) == first
    text = json.dumps({"inputs": json.loads(encoded), "score": json.loads(first)}, indent=2)
    document = msgspec.json.decode(text)
    again = msgspec.convert(document["inputs"], Inputs)
    assert encode_inputs(again) == encoded
    assert encode_score(score(again, SHIPPED)) == first
    assert encode_score(msgspec.convert(document["score"], Score)) == first
    backwards = {
        name: dict(reversed(value.items())) if isinstance(value, dict) else value
        for name, value in reversed(values.items())
    }
    assert encode_score(judged(backwards, target, stale=inputs.stale)) == first


def test_the_hash_is_of_all_inputs() -> None:
    plain = inputs_of({"status": "active"})
    others = [
        msgspec.structs.replace(plain, as_of="2026-11-22T10:00:01Z"),
        msgspec.structs.replace(plain, target=Target(Ecosystem.NPM, "kat")),
        msgspec.structs.replace(plain, stale=("status",)),
        msgspec.structs.replace(plain, givers={"status": ("a",)}),
        msgspec.structs.replace(plain, failures=(Failure("a", SourceProblem.BROKEN, "b"),)),
        msgspec.structs.replace(plain, facts=(fact("status", "active", url="u"),)),
        msgspec.structs.replace(plain, facts=(fact("status", "active", at="2026"),)),
    ]
    hashes = {score(each, SHIPPED).inputs_hash for each in [plain, *others]}
    assert len(hashes) == len(others) + 1


# By its version alone: the name of a class counts as well.
Newer = type("Fixed", (Fixed,), {"version": "2"})
Newer.__qualname__ = Fixed.__qualname__


class Other(Fixed):
    pass


class NotForDocker(Fixed):
    def applies_to(self, target: Target) -> bool:
        return target.ecosystem is not Ecosystem.DOCKER


NotForDocker.__qualname__ = Fixed.__qualname__


@pytest.mark.parametrize(
    "changed",
    [
        [Fixed("a", 2, 1.0)],
        [Fixed("b", 1, 1.0)],
        [Fixed("a", 1, 1.0, Axis.NAMING)],
        [Newer("a", 1, 1.0)],
        [Other("a", 1, 1.0)],
        [NotForDocker("a", 1, 1.0)],
        [Fixed("a", 1, 1.0), Fixed("b", 1, 1.0)],
        [],
    ],
)
def test_another_version_of_the_scorers(changed: list[Scorer]) -> None:
    assert scorer_version(changed) != scorer_version([Fixed("a", 1, 1.0)])


def test_the_order_of_scorers_is_no_other_version() -> None:
    assert scorer_version(SHIPPED) == scorer_version(SHIPPED[::-1])
    backwards = judged(FLAWLESS | {"advisories": [{"severity": 3.3}]}, by=SHIPPED[::-1])
    forwards = judged(FLAWLESS | {"advisories": [{"severity": 3.3}]})
    assert encode_score(backwards) == encode_score(forwards)
    assert [each.axis for each in forwards.signals] == sorted(
        (each.axis for each in forwards.signals), key=list(Axis).index
    )


def test_what_is_scored_is_never_changed() -> None:
    values = deepcopy(FLAWLESS)
    before = msgspec.json.encode(values)
    judged(values)
    assert msgspec.json.encode(values) == before
