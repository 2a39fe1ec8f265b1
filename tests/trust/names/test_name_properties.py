"""Properties of any name, and of the package's tables."""

from __future__ import annotations

import csv
import re
from collections import Counter
from importlib import resources
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import given, settings, strategies as st

from codeintel.trust.names import ALIASES, KNOWN, detector, suspicion
from codeintel.trust.names.detector import MAX_NAME_CHARACTERS
from codeintel.trust.names.tables import famous_names, famous_owners, own_words
from codeintel.trust.names.weighing import OTHER, model

DATA = resources.files("codeintel.trust.names").joinpath("data")
FAMOUS = [(each, one.name) for each in ("npm", "pypi") for one in famous_names(each).all]
ecosystems = st.sampled_from([*sorted(KNOWN), *sorted(ALIASES), "hex", "", "\0"])
name_like = st.text("abelnorst018-_.@/:I\u0435\u200b", max_size=24)


@given(ecosystems, st.text() | name_like)
@settings(max_examples=300, deadline=None)
def test_any_text_is_answered_and_the_same_each_time(ecosystem: str, name: str) -> None:
    found = suspicion(ecosystem, name)
    assert found == suspicion(ecosystem, name)
    if found is not None:
        assert 0 <= found.probability <= 1
        assert found.suspicious == (found.probability >= model().threshold)
        assert found.target
        assert found.edit.detail


@pytest.mark.parametrize("ecosystem", ["npm", "pypi"])
def test_a_famous_name_is_never_suspicious(ecosystem: str) -> None:
    assert {suspicion(*each) for each in FAMOUS if each[0] == ecosystem} == {None}


@given(st.sampled_from([name for each, name in FAMOUS if each == "pypi"]), st.data())
@settings(max_examples=100, deadline=None)
def test_a_famous_name_in_a_spelling_that_pypi_takes_for_it_is_not_suspicious(
    name: str, data: st.DataObject
) -> None:
    joints = st.text("-_.", min_size=1, max_size=3)
    parts = [
        data.draw(joints) if part in "-_." else data.draw(st.sampled_from([part, part.upper()]))
        for part in re.split("([-_.])", name)
        if part
    ]
    assert suspicion("pypi", "".join(parts)) is None


@pytest.mark.parametrize(
    ("ecosystem", "name"),
    [("cargo", "Serde-JSON"), ("gem", "Rails"), ("nuget", "Newtonsoft.Json"), ("go", "golang/go")],
)
def test_a_well_known_name_in_another_case_is_not_suspicious(ecosystem: str, name: str) -> None:
    assert suspicion(ecosystem, name) is None


@pytest.mark.parametrize("character", "a-1@\u0435")
def test_a_name_longer_than_any_registry_allows_is_not_compared(character: str) -> None:
    with patch.object(detector, "candidates", side_effect=AssertionError("compared")):
        for ecosystem in KNOWN:
            assert suspicion(ecosystem, character * (MAX_NAME_CHARACTERS + 1)) is None
            assert suspicion(ecosystem, character * 10_000) is None


@pytest.mark.parametrize("part", ["a", "ab-", "json", "request", "@a/", "aI1.", "\u0435", "-"])
def test_the_longest_names_have_few_candidates(part: str) -> None:
    name = (part * MAX_NAME_CHARACTERS)[:MAX_NAME_CHARACTERS]
    for ecosystem in KNOWN:
        assert len(list(detector.candidates(ecosystem, name))) < 400


def test_the_list_has_the_first_thousand_of_each_ecosystem_and_no_other() -> None:
    lines = DATA.joinpath("famous.csv").read_text("utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert Counter((row["ecosystem"], int(row["rank"])) for row in rows) == Counter(
        product(("npm", "pypi"), range(1, 1001))
    )
    assert len({(row["ecosystem"], row["name"]) for row in rows}) == len(rows)
    origin = "\n".join(line for line in lines if line.startswith("#"))
    for stated in ("hugovk/top-pypi-packages", "2026-04", "wooorm/npm-high-impact", "2025-12"):
        assert stated in origin


def test_the_tables_written_by_hand_are_whole() -> None:
    words = own_words()
    sections = (words.technologies, words.software, words.plain)
    assert all(sections)
    assert not words.technologies & words.software | words.software & words.plain
    assert all(re.fullmatch("[a-z0-9]+", word) for section in sections for word in section)
    for ecosystem in KNOWN:
        assert famous_names(ecosystem).all or famous_owners(ecosystem).all


def test_the_model_says_how_it_was_made() -> None:
    weights = model()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", weights.trained)
    assert "benchmarks/typosquats.py" in weights.method
    assert set(weights.intercepts) == {"npm", "pypi", OTHER}
    assert weights.threshold == 0.5
    assert weights.false_positives <= 0.01
    names = {one.name for each in ("npm", "pypi") for one in famous_names(each).all}
    assert not names & set(weights.coefficients) - {"words", "short", "first"}


def test_more_famous_is_more_probable() -> None:
    weights = model()
    seen = [weights.probability("npm", {"famous": 1.0, "rank": rank}) for rank in (0.0, 0.5, 1.0)]
    assert seen == sorted(set(seen))
