"""The accepted samples of a metric family, and the table in the documentation."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from metric_reading import families, told

from codeintel.platform.limits import service as limits
from codeintel.platform.metrics import families as made, table
from codeintel.platform.metrics.families import Counter, Family, Gauge, Histogram

DOCS = Path(__file__).parents[2] / "docs" / "metrics.md"
NAME = re.compile(r"codeintel_[a-z]+(_[a-z]+)*")


def test_what_is_not_in_a_closed_set_is_other() -> None:
    count = Counter("test_closed_total", "Test.", method=frozenset({"GET", "other"}))
    for method in ("GET", "BREW", "get", "", "\n", "other"):
        count.add(method)
    text = told()
    assert 'test_closed_total{method="GET"} 1.0' in text
    assert 'test_closed_total{method="other"} 5.0' in text
    assert text.count("\ntest_closed_total{") == 2
    assert len(count._series) == 2  # nor is memory anybody's to fill


def test_there_is_an_end_of_series(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "MOST_SERIES", 3)
    count = Counter("test_open_total", "Test.", tool="anything")
    for number in range(10):
        count.add(f"n{number}")
    text = told()
    assert 'test_open_total{tool="other"} 7.0' in text
    assert text.count("\ntest_open_total{") == 4


def test_levels_and_spreads() -> None:
    level = Gauge("test_level", "Test.")
    spread = Histogram("test_seconds", "Test.", (1.0, 2.0))
    level.up()
    level.up()
    level.down()
    with level.while_in():
        assert "\ntest_level 2.0\n" in told()
    with pytest.raises(ZeroDivisionError), level.while_in():
        raise ZeroDivisionError
    spread.observe(1.5)
    text = told()
    assert "\ntest_level 1.0\n" in text
    assert 'test_seconds_bucket{le="1.0"} 0.0' in text
    assert 'test_seconds_bucket{le="2.0"} 1.0' in text
    assert "_created" not in text


@pytest.mark.parametrize("family", table.TABLE, ids=lambda family: family.name)
def test_names_follow_the_conventions(family: Family) -> None:
    assert NAME.fullmatch(family.name)
    assert family.help.endswith(".")
    assert family.name.endswith("_total") == isinstance(family, Counter)
    assert not isinstance(family, Histogram) or family.name.endswith("_seconds")
    for label, values in family.labels.items():
        assert re.fullmatch("[a-z]+", label)
        assert values


def test_names_are_their_own() -> None:
    names = [family.name for family in table.TABLE]
    assert len(set(names)) == len(names) > 30


def test_every_limit_has_its_figure() -> None:
    assert frozenset(limits._COUNTED) == table.LIMITS


def test_the_documentation_has_the_same_table() -> None:
    row = re.compile(r"^\| `(codeintel_\w+)` \| (\w+) \| (.*?) \| (.*?) \|$", re.MULTILINE)
    rows = row.findall(DOCS.read_text())
    assert rows == [
        (
            family.name,
            family.kind,
            ", ".join(f"`{label}`" for label in family.labels),
            family.help,
        )
        for family in table.TABLE
    ]


def test_what_is_told_can_be_parsed() -> None:
    for family in table.TABLE:
        if not family.labels:
            family.series()
    found = families(told())
    assert found["codeintel_streams_open"].type == "gauge"
    assert found["codeintel_writer_retries"].type == "counter"


def test_commands_import_no_prometheus() -> None:
    script = (
        "import sys; import codeintel.platform.metrics.table, codeintel.app, codeintel.cli.output; "
        "sys.exit('prometheus_client' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
