"""The page `/trust` of one package, over reports that are made up and over upstreams that are."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any

import genome_samples as genomes
import pytest
import trust_samples as made
from flask.testing import FlaskClient
from support import MakeApp
from trust_pages import Look, page_on, part, read, tables
from trust_upstreams import fake_upstreams
from web_pages import Page

from codeintel.base.extras import FORECASTS, RANKS
from codeintel.contracts import Axis
from codeintel.trust.network import GraphNode, GraphSummary
from codeintel.trust.scores import Status
from codeintel.trust.shapes import PackageSnapshot, Popularity
from codeintel.web.trust.forecasts import forecast_view


def test_the_score_is_a_number_an_interval_and_a_sentence(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.package())
    score = part(page, "score")
    assert page.root.one("h1").text == "kit"
    assert page.root.one("head").one("title").text == "kit · Trust · codeintel"
    assert score.one(class_="score-number").text == "52.2 of 100"
    assert "52.2 of 100; between 52.2 and 67.8, as 15.6 points are unknown." in score.text
    assert "Evidence covers 84% of the weight." in score.text
    assert score.one("rect", class_="plot-proven")["width"] == "52.25%"
    assert score.one("rect", class_="plot-unknown")["x"] == "52.25%"
    assert score.one("rect", class_="plot-unknown")["width"] == "15.5%"
    facts = [each.text for each in page.root.all(class_="figure")]
    assert facts[0].startswith("Rank among npm packages 12 of 481 Higher than 97.5% of the cohort")
    assert facts[0].endswith("the cohort of November 20, 2026.")
    assert facts[1].startswith("Network trust 14 of 2,010")
    assert facts[2:] == [
        "downloads in the last month 2,500,000",
        "dependent packages 1,200",
        "stars 4,821",
    ]
    assert "None of this counts toward the score." in part(page, "moat").text
    assert "codeintel trust replay snap_kit" in part(page, "replay").text
    assert made.HASH in part(page, "replay").text
    assert "1-3f2b8c0d9e1a" in part(page, "replay").text


def test_signals_are_told_by_axis(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.package())
    found = tables(part(page, "signals"))
    assert found["22.5 of 40 points, 10 unknown"] == [
        [
            "Known advisories",
            "1 advisory GHSA-1 (7.5) evidence of Known advisories",
            "Points22.5 of 30 scored 75%",
            "measured November 22, 2026",
        ],
        ["Code review", "No source reports this for the package.", "Points0 of 10", "missing"],
    ]
    assert found["25 of 25 points"] == [
        [
            "Latest release",
            "1,234,567 days evidence of Latest release",
            "Points25 of 25 scored 100%",
            "measured November 22, 2026",
        ],
        ["Archived", "No such.", "", "does not apply"],
    ]
    assert found["0 of 20 points"][0][1] == "no"  # its evidence is no page
    assert found["4.8 of 9.5 points"][0][3] == "stale November 20, 2026"
    links = [each["href"] for each in part(page, "signals").all("a")]
    assert links == [
        f"https://evidence.test/{name}"
        for name in ("known-advisories", "latest-release", "publishers")
    ]
    bars = part(page, "signals").one("svg", id="axes-bars")
    assert bars.one("desc").text.startswith("Security 22.5 of 40, 10 unknown; Maintenance 25 of 25")


def test_advice_and_moat(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.package())
    assert [each.text for each in part(page, "advice").all("li")] == [
        "+20 by improving Attestations. Publish with provenance.",
        "+10 by providing evidence of Code review. This is unknown now: no.",
    ]
    (moat,) = tables(part(page, "moat")).values()
    assert moat == [
        [
            "Dependent packages",
            "1,200 packages",
            "November 22, 2026 evidence of Dependent packages",
        ],
        ["Repository's stars", "not known Nobody tells it.", ""],
    ]


def test_what_to_know_before_depending_on_it(client: FlaskClient, show: Look) -> None:
    more = (
        made.signal("maintainers", Axis.COMMUNITY, 6.0, 0.25, value=1),
        made.signal("code-quality", Axis.SECURITY, 4.0, 0.375, unproven=2.5),
    )
    page = page_on(client, show, made.package(signals=(*made.SIGNALS, *more)))
    assert [each.text for each in part(page, "before").all("li")] == [
        "Weakness: attestations. Attestations: no",
        "Few people can publish new versions. Maintainers: 1 person",
        "The named repository is not proven to belong to the package. Facts about the repository "
        "may be about another project. 2.5 more points need this proof",
        "No data: code review and own name.",
    ]
    assert "2.5 more if it were proven" in part(page, "signals").text
    assert "points are unknown or unproven." in part(page, "score").text


def test_nothing_speaks_against_a_flawless_package(client: FlaskClient, show: Look) -> None:
    best = tuple(made.signal(each.id, each.axis, each.weight, 1.0) for each in made.SIGNALS)
    page = page_on(client, show, made.package(signals=best))
    assert "There are no known concerns." in part(page, "before").text


def test_releases_are_counted_in_words() -> None:
    quiet = genomes.forecast(metric="releaseCadence", value=0.0, low=0.0, high=0.5623)
    view = forecast_view(quiet, {})
    assert (view.value, view.band) == ("no", "80% likely to be at most 0.6")
    assert view.horizon == "releases expected in the 30 days up to February 21, 2027, 91 days ahead"


def test_forecasts_have_plots_tables_and_a_record(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.package())
    downloads, dormancy = part(page, "forecasts").all("article")
    assert downloads.one("h3").text == "Downloads per month"
    assert downloads.one(class_="forecast-value").text == (
        "2,630,000 on February 21, 2027, 91 days ahead; "
        "80% likely to be between 2,240,000 and 3,085,000"
    )
    record = downloads.one(class_="forecast-record").text
    assert "a combination of methods (the Theta method 60%, drift 40%)." in record
    assert "At 16 past dates, forecast errors were 0.72 times" in record
    assert "Its 80% bands contained 81% of the actual values." in record
    assert record.endswith("Daily counts were folded into weeks.")
    assert downloads.one(class_="plot-band")["points"].count(",") == 26
    (steps,) = tables(downloads).values()
    assert len(steps) == 13
    assert steps[-1] == ["February 21, 2027", "2,630,000", "2,240,000 to 3,085,000"]
    assert dormancy.one(class_="forecast-value").text == (
        "12% chance of no release in the next 365 days; estimates range from 5% to 30%"
    )
    assert "Brier score was 0.05, compared with 0.11" in dormancy.text
    assert not dormancy.all("svg")
    found = tables(part(page, "forecasts"))["Figures without a forecast"]
    assert found == [["Repository stars", "2 weekly observations, 40 are needed."]]


def test_forecasts_of_recorded_evidence_name_the_end_of_its_history(
    client: FlaskClient, show: Look
) -> None:
    told = "The recorded history ends on November 22, 2026"
    show(made.package(snapshot_id="demo_1"))
    assert told in part(Page(client.get("/trust?target=kit").text), "forecasts").text
    page = page_on(client, show, made.package())
    assert told not in part(page, "forecasts").text


def test_warnings_come_first(client: FlaskClient, show: Look) -> None:
    page = page_on(
        client, show, made.package(suspicion=made.SUSPICION, unavailable=(made.FAILURE,))
    )
    alarm = page.root.one(class_="notice-alarm")
    assert "kit looks like the well-known react: the letters ea are swapped." in alarm.text
    assert "97%" in alarm.text
    assert alarm.one("a")["href"] == "/trust?target=npm:react"
    failed = page.root.one(class_="notice-failed")
    assert "Some data is missing" in failed.text
    assert "It did not answer within 5 seconds." in failed.text
    assert failed.one("a")["href"] == "/trust?target=kit"


@pytest.mark.parametrize("unavailable", [(), (made.FAILURE,)])
def test_what_is_old_says_so(client: FlaskClient, show: Look, unavailable: Any) -> None:
    page = page_on(client, show, made.package(is_stale=True, unavailable=unavailable))
    assert "Some data is out of date" in page.text


@pytest.mark.parametrize("unavailable", [(), (made.FAILURE,)])
def test_nobody_but_the_visitor_keeps_it(client: FlaskClient, show: Look, unavailable: Any) -> None:
    show(made.package(collected_at=datetime.now(UTC), unavailable=unavailable))
    answer = client.get("/trust?target=kit")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "Cookie" in answer.headers["Vary"]
    assert "ETag" not in answer.headers


def hostile() -> PackageSnapshot:
    """Return a snapshot with markup in every external text."""
    text = made.HOSTILE
    signals = tuple(
        made.changed(
            each, title=text, value=text, unit=text, note=text, evidence_url=f"https://x/{text}"
        )
        for each in made.SIGNALS
    )
    body = made.package(signals=signals, unavailable=(made.FAILURE,), suspicion=made.SUSPICION)
    advisory = made.changed(made.ADVISORIES[0], id=text, summary=text, fixed=(text,))
    body = made.changed(body, advisories=(advisory,))
    nodes = (
        *body.nodes,
        GraphNode(f"npm:{text}", body.nodes[0].kind, text, 1, is_collected=False),
    )
    target = made.changed(body.target, version=text, purl=text)
    genome = genomes.genome(
        unforecast=(), forecasts=(genomes.forecast(metric=text, method=text, notes=(text,)),)
    )
    return made.changed(body, nodes=nodes, target=target, code_genome=genome)


def test_markup_of_others_is_text(client: FlaskClient, show: Look) -> None:
    show(hostile())
    answer = client.get("/trust?target=kit")
    assert "<img" not in answer.text
    assert "<script>" not in answer.text
    page = Page(answer.text)
    assert made.HOSTILE in page.text
    body = page.root.one("body")
    assert body.all("script") == body.all("img") == []
    assert not [name for _, found in page.tags for name in found if name.startswith("on")]


def test_almost_nothing_is_known(client: FlaskClient, show: Look) -> None:
    signals = tuple(
        made.changed(each, status=Status.MISSING, score=None, contribution=0.0, value=None)
        for each in made.SIGNALS
    )
    nothing: dict[str, Any] = dict.fromkeys(
        ("forecasts", "unforecast", "recommendations", "moat_signals"), ()
    )
    body = made.package(
        signals=signals,
        popularity=Popularity(),
        network_trust=None,
        graph=((), (), ()),
        summary=GraphSummary(0, 0, 0, 0, 0, 0, 0, 0, 0, is_truncated=False),
        code_genome=genomes.genome(rank=None, percentile=None, cohort=None, **nothing),
    )
    page = page_on(client, show, body)
    assert page.root.one(class_="score-number").text == "0 of 100"
    facts = [each.text for each in page.root.all(class_="figure")]
    assert facts[0].startswith("Rank among npm packages none No npm cohort")
    assert facts[1].startswith("Network trust unranked")
    assert "Its position in the network is not known yet." in part(page, "network").text
    assert "There are no forecasts for this package." in part(page, "forecasts").text


def test_from_upstreams_to_the_page(make_app: MakeApp) -> None:
    with fake_upstreams() as fake:
        fake.add("express", dependencies=("left",))
        fake.add("expresss", attested=False)
        browser = make_app(fake.settings()).test_client()
        page = read(browser.get("/trust?target=expresss"))
        assert "expresss looks like the well-known express" in page.root.one(class_="notice").text
        assert part(page, "network").all("svg")
        assert "2,500,000" in part(page, "moat").text
        both = read(
            browser.get("/trust?kind=comparison&target=package:express..vs..package:expresss")
        )
        assert both.root.one("h1").text == "express and expresss"
        assert (
            read(browser.get("/trust?target=nosuch"), 404).root.one("h1").text == "No such package"
        )
        fake.down |= {"depsdev", "ecosystems"}
        down = browser.get("/trust?target=other")
        assert read(down, 503).root.one("h1").text == "The registries are unreachable"
        assert int(down.headers["Retry-After"]) > 0
        assert "packages 4" in part(read(browser.get("/trust")), "network").text


def test_it_says_what_to_install(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("scipy", "statsmodels"):
        monkeypatch.setitem(sys.modules, name, None)
    with fake_upstreams() as fake:
        fake.add("express", dependencies=("left",))
        browser = make_app(fake.settings()).test_client()
        page = read(browser.get("/trust?target=express"))
        assert FORECASTS.command in part(page, "forecasts").text
        assert RANKS.command in part(read(browser.get("/trust")), "network").text
        answer = browser.get("/api/trust/network?kind=package&target=express")
        assert FORECASTS.refusal in answer.get_data(as_text=True)
