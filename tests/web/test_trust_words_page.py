"""How `/trust` puts things: the parts of its pages by themselves."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import genome_samples as genomes
import pytest
import trust_samples as made

from codeintel.trust.network import GraphSummary
from codeintel.trust.shapes import TrustQuery
from codeintel.web.trust.forecasts import forecast_view
from codeintel.web.trust.network import network_view
from codeintel.web.trust.pages import package_view
from codeintel.web.trust.signals import sentence
from codeintel.web.trust.words import amount, figure, listed, page_of, percentage, rate, told_day

KIT = TrustQuery(target="kit")


def test_the_past_of_a_forecast() -> None:
    def at(days: int) -> int:
        when = datetime(2026, 11, 22, 9, tzinfo=UTC) - timedelta(days=days)
        return int(when.timestamp() * 1_000)

    counts = [(at(900), 1.0), (at(21), 5.0), (at(7), 6.0), (at(7), 7.0)]
    found = forecast_view(genomes.forecast(metric="downloads_total"), {"downloads_total": counts})
    assert found.counts == (("November 1, 2026", "5"), ("November 15, 2026", "7"))
    path = genomes.forecast().path[:1]
    first = path[0].date - date(2026, 11, 22)
    cadence = genomes.forecast(metric="releaseCadence", path=path)
    releases = [(at(days - first.days + 30), 1.0) for days in (95, 60, 31, 29, 29, 0)]
    shown = forecast_view(cadence, {"release": releases})
    assert [value for _, value in shown.counts] == ["1", "1", "2"]


def test_a_forecast_that_cannot_be_drawn_has_its_table() -> None:
    huge = genomes.forecast()
    path = tuple(genomes.Point(each.date, 1e200, 1e199, 1e201) for each in huge.path)
    view = forecast_view(genomes.forecast(path=path), {})
    assert view.plot is None
    assert len(view.rows) == 13


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ((62.5, 62.5, 78.0), "62.5 of 100; between 62.5 and 78, as 15.5 points are unknown"),
        ((62.5, 62.5, 63.5), "62.5 of 100; between 62.5 and 63.5, as 1 point is unknown"),
        ((100.0, 100.0, 100.0), "100 of 100; nothing is unknown"),
    ],
)
def test_scores_in_words(scores: tuple[float, float, float], text: str) -> None:
    assert sentence(*scores) == text


def test_pages_of_the_network() -> None:
    body = made.package()
    summary = GraphSummary(50, 0, 120, 100, 10, 10, 3, 0, 2, is_truncated=True)
    query = TrustQuery(target="kit", depth=2, limit=50, offset=50)
    view = network_view(made.changed(body, nodes=body.nodes[1:], summary=summary), query, str.upper)
    assert view is not None
    assert view.page == "Nodes 51 to 100 of 120."
    assert [(each.text, each.parameters) for each in view.pages] == [
        ("Previous nodes", {"target": "kit", "depth": 2, "limit": 50}),
        ("Next nodes", {"target": "kit", "depth": 2, "limit": 50, "offset": 100}),
    ]
    assert "NPM:PART-0" in view.picture
    assert "net-root" in view.picture  # the package itself is on another page


def test_a_version_is_asked_for_by_package_url() -> None:
    body = made.package()
    versioned = made.changed(body.target, key="npm:kit@1.2.6", purl="pkg:npm/kit@1.2.6")
    asks = [
        package_view(made.changed(body, target=target), KIT, {}, made.NOW, str).report.ask
        for target in (body.target, versioned)
    ]
    assert asks == ["npm:kit", "pkg:npm/kit@1.2.6"]


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (figure(1_234_567), "1,234,567"),
        (figure(62.5), "62.5"),
        (figure(0.125), "0.12"),
        (figure(True), "yes"),
        (figure(float("nan")), "unknown"),
        (amount(1, "people"), "1 person"),
        (amount(2, "people"), "2 people"),
        (amount(True, ""), "yes"),
        (amount(None, "days"), ""),
        (rate(0.0), "none"),
        (rate(0.01), "under 0.1"),
        (rate(0.56), "0.6"),
        (rate(9.96), "10"),
        (rate(1_234.5), "1,234"),
        (percentage(0.004), "under 1%"),
        (percentage(0.996), "over 99%"),
        (percentage(1.0), "100%"),
        (listed(["a"]), "a"),
        (listed(["a", "b", "c"]), "a, b and c"),
        (told_day("2026-11-22T10:00:00Z"), "November 22, 2026"),
        (told_day("yesterday"), ""),
        (page_of("javascript:alert(1)"), ""),
        (page_of("https://[x"), ""),
        (page_of("https://x.test/a"), "https://x.test/a"),
    ],
)
def test_words(told: str, wanted: str) -> None:
    assert told == wanted
