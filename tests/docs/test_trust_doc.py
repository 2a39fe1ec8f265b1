"""`docs/trust.md` says what is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from codeintel_plugins.trust.scorers import CHECKS, SIGNALS, maintenance, provenance
from codeintel_plugins.trust.scorers.weighted import published_weights

from codeintel.platform.config.settings import Settings
from codeintel.trust import cohorts, collection, genome, scores as scoring, service, store

TEXT = (Path(__file__).parents[2] / "docs" / "trust.md").read_text()


def test_the_weights_are_those_of_the_file() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \| ([\d.]+) \| (.*) \|$", TEXT, re.MULTILINE)
    assert [(id_, axis, float(weight), why) for id_, axis, weight, why in rows] == [
        (each.id, each.axis, each.weight, each.reason) for each in published_weights()
    ]


def test_every_signal_has_its_formula() -> None:
    section = TEXT.partition("### Each signal")[2].partition("###")[0]
    assert set(re.findall(r"`([a-z-]+)`", section)) == {*CHECKS, *SIGNALS}


@pytest.mark.parametrize(
    "fact",
    [
        f"`CODEINTEL_TRUST_FRESH` seconds ({Settings.trust_fresh:,.0f})",
        f"`CODEINTEL_TRUST_REQUESTS_PER_HOUR` ({Settings.trust_requests_per_hour:,})",
        f"for at most {collection.COLLECT_SECONDS:g} s",
        f"{scoring.GRID}ths",  # codespell:ignore ths
        f"the newest {store.KEPT_SNAPSHOTS} snapshots",
        f"{maintenance.HALF_YEAR_DAYS} days after",
        f"0 from {maintenance.THREE_YEARS_DAYS:,} days",
        f"{genome.GROWTH_DAYS} days older",
        f"{provenance.UNCLEAR:g}".lstrip("0") + " if not",
        f"{maintenance.ALONE:g}".lstrip("0") + " for one person",
        f"over {maintenance.YEAR_DAYS}",
    ],
)
def test_numbers_are_the_real_ones(fact: str) -> None:
    assert fact in TEXT


def test_words_for_numbers_are_the_real_ones() -> None:
    assert (service.STALE_DAYS, service.PARTIAL_SECONDS) == (7, 300), "seven days, five minutes"
    assert cohorts.FEWEST == 10, "at least ten packages"
