"""`/trust` of several packages, and of none."""

from __future__ import annotations

from typing import Any

import pytest
import trust_samples as made
from flask.testing import FlaskClient
from trust_pages import Look, page_on, part, read, tables

from codeintel.contracts import Axis, Ecosystem
from codeintel.trust.network import NetworkOverview
from codeintel.trust.scores import Failure, Status
from codeintel.trust.shapes import Verdict
from codeintel.web.trust.pages import comparison_view
from codeintel.web.trust.report import rank_of


def zeros() -> Any:
    return tuple(
        made.changed(each, status=Status.MEASURED, score=0.0, contribution=0.0)
        for each in made.SIGNALS
    )


@pytest.mark.parametrize(
    ("rank", "percentile", "value", "note"),
    [
        (15, 0.0, "15 of 15", "Higher than no package of the cohort of November 22, 2026."),
        (1, 93.3, "1 of 15", "Higher than 93.3% of the cohort of November 22, 2026."),
    ],
)
def test_a_rank_counts_the_package_itself(
    rank: int, percentile: float, value: str, note: str
) -> None:
    found = rank_of(rank, percentile, 15, made.NOW, "npm")
    assert (found.value, found.note) == (value, note)


def test_packages_side_by_side(client: FlaskClient, show: Look) -> None:
    body = made.comparison(made.report("react"), made.report("vue", signals=zeros()))
    page = page_on(client, show, body, "?kind=comparison&target=package:react..vs..package:vue")
    assert page.root.one("h1").text == "react and vue"
    assert page.root.one("textarea").children == ["\nreact\nvue"]
    assert page.root.one(class_="verdict").text == (
        "react is clearly ahead. The lowest possible score of npm:react, 52.2, is above the "
        "highest possible score of npm:vue, 0.0, even with each weight 30% higher or lower."
    )
    scale = page.root.one("svg", id="scores")
    assert [each.text for each in scale.all("text", class_="plot-name")] == ["react", "vue"]
    (axes,) = tables(part(page, "axes")).values()
    assert axes[0] == ["Security", "react22.5 of 40 leads 10 unknown", "vue0 of 40 behind"]
    assert axes[-1] == ["Naming no clear difference", "react0 of 5.5 5.5 unknown", "vue0 of 5.5"]
    (signals,) = tables(part(page, "signals")).values()
    assert signals[0][1] == "react1 advisory 22.5 of 30 points"
    assert signals[1][:2] == ["Code review Security", "reactmissing 0 of 10 points"]
    (glance,) = tables(part(page, "glance")).values()
    assert glance[0] == [
        "Trust score of 100",
        "react52.2 leads 52.2 to 67.8 possible",
        "vue0 behind 0 possible",
    ]
    assert [each.one("h3").text for each in page.root.all(class_="column")] == ["react", "vue"]
    hrefs = [each["href"] for each in part(page, "axes").all("a")]
    assert hrefs == ["/trust?target=npm:react", "/trust?target=npm:vue"]


def test_an_imitation_is_not_compared(client: FlaskClient, show: Look) -> None:
    body = made.comparison(
        made.report("react"), made.report("vue", signals=zeros(), suspicion=made.SUSPICION)
    )
    page = page_on(client, show, body, "?kind=comparison&target=package:react..vs..package:vue")
    assert page.root.one(class_="verdict").text == (
        "No clear difference. npm:vue is excluded, because its name may imitate react. Fewer than "
        "two packages remain to compare."
    )
    assert "vue looks like the well-known react" in page.root.one("main").text
    view = comparison_view(body, made.NOW)
    assert not any(cell.standing for cell in view.parts[0].lines[0].cells)


def test_many_packages_are_counted_in_the_heading() -> None:
    view = comparison_view(made.comparison(*(made.report(name) for name in "abcd")), made.NOW)
    assert view.title == "4 packages side by side"


def test_no_clear_difference() -> None:
    body = made.comparison(made.report("a"), made.report("a", ecosystem=Ecosystem.PYPI))
    view = comparison_view(body, made.NOW)
    assert body.comparison.verdict is Verdict.NO_CLEAR_DIFFERENCE
    assert view.verdict == "No clear difference"
    assert view.names == ("npm:a", "pypi:a")
    assert not [
        cell for each in view.parts for line in each.lines for cell in line.cells if cell.standing
    ]


def spread(**spans: tuple[float, float]) -> Any:
    """Return a comparison of packages with scores within these intervals."""
    return made.comparison(
        *(
            made.report(
                name,
                low=low,
                score=low,
                high=high,
                signals=(made.signal("one", Axis.SECURITY, 100.0, low / 100, unproven=high - low),),
            )
            for name, (low, high) in spans.items()
        )
    )


@pytest.mark.parametrize(
    ("spans", "verdict", "standings"),
    [
        (
            {"left": (50, 70), "kit": (10, 40), "pkg3": (60, 80)},
            "No single leader. Clear results: left and pkg3 ahead of kit",
            ["", "behind", ""],
        ),
        ({"a": (50, 70), "b": (60, 80)}, "No clear difference", ["", ""]),
        (
            {"a": (50, 70), "b": (60, 80), "c": (10, 50)},
            "No single leader. Clear results: b ahead of c",
            ["", "", "behind"],
        ),
        (
            {"a": (50, 80), "b": (50, 70), "c": (20, 30), "d": (1, 10)},
            "No single leader. Clear results: a and b ahead of c and d",
            ["", "", "behind", "behind"],
        ),
        ({"a": (80, 90), "b": (10, 20), "c": (30, 40)}, "a is clearly ahead", None),
        (
            {"a": (20, 30), "b": (5, 15), "c": (10, 25), "d": (24, 60), "e": (1, 3), "f": (22, 23)},
            "No single leader. Clear results: 3 of 6 packages are clearly behind others",
            None,
        ),
    ],
)
def test_packages_that_are_clearly_behind_are_named(
    spans: Any, verdict: str, standings: list[str] | None
) -> None:
    view = comparison_view(spread(**spans), made.NOW)
    assert view.verdict == verdict
    cells = view.parts[0].lines[0].cells
    if standings is not None:
        assert [each.standing for each in cells] == standings
    else:
        assert [each.standing for each in cells][1] == "behind"


def test_an_axis_says_who_is_behind(client: FlaskClient, show: Look) -> None:
    body = made.comparison(
        made.report("left"), made.report("kit", signals=zeros()), made.report("pkg3")
    )
    page = page_on(client, show, body)
    (axes,) = tables(part(page, "axes")).values()
    assert axes[0] == [
        "Security left and pkg3 ahead of kit",
        "left22.5 of 40 10 unknown",
        "kit0 of 40 behind",
        "pkg322.5 of 40 10 unknown",
    ]
    assert axes[2][0] == "Provenance no clear difference"


def test_columns_tell_versions(client: FlaskClient, show: Look) -> None:
    one = made.report("kit")
    target = made.changed(one.target, key="npm:kit@1.0.0", version="1.0.0")
    body = made.comparison(made.report("left"), made.changed(one, target=target))
    view = comparison_view(
        made.changed(body, packages=(made.report("left"), made.changed(one, target=target))),
        made.NOW,
    )
    assert view.names == ("left", "kit@1.0.0")
    page = page_on(client, show, made.comparison(made.report("left"), one))
    heads = [each.text for each in part(page, "axes").one("thead").all("th")]
    assert heads == ["Axes", "left npm, version 1.2.6", "kit npm, version 1.2.6"]


def test_an_upstream_that_fails_is_told_once(client: FlaskClient, show: Look) -> None:
    other = Failure("depsdev", made.FAILURE.code, "deps.dev did not answer.")
    body = made.comparison(
        made.report("a", unavailable=(made.FAILURE, other)),
        made.report("b", unavailable=(made.FAILURE, made.FAILURE)),
    )
    page = page_on(client, show, body)
    (failed,) = page.root.all(class_="notice-failed")
    assert [each.text for each in failed.all("li")] == [
        "It did not answer within 5 seconds.",
        "deps.dev did not answer. of a",
    ]
    assert "The data from these sources is missing" in failed.text
    single = page_on(client, show, made.package(unavailable=(made.FAILURE,)))
    assert "The data from this source is missing" in single.root.one(class_="notice-failed").text


def test_the_overview(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.overview(), "")
    assert page.root.one("textarea").text == ""
    counts = [each.text for each in part(page, "network").all(class_="figure")]
    assert counts[:4] == [
        "packages 2,010",
        "maintainers 301",
        "repositories 1,200",
        "dependencies 12,345",
    ]
    (top,) = tables(part(page, "network")).values()
    assert top[0] == ["1", "npm:react", "Share of trust3.45%", "Score81.2"]
    assert top[1][3] == "not looked up"
    (cohorts,) = tables(part(page, "cohorts")).values()
    assert cohorts == [["npm", "Packages480", "Frozen onNovember 20, 2026", "1-3f2b8c0d9e1a"]]
    weights = tables(part(page, "weights"))
    assert weights["40 points"] == [
        ["Known advisories", "Weight30", "It is so."],
        ["Code review", "Weight10", "It is so."],
    ]


def test_an_empty_network_has_one_thing_to_do(client: FlaskClient) -> None:
    answer = client.get("/trust")
    page = read(answer)
    (link,) = part(page, "network").all("a")
    assert (link.text, link["href"]) == ("Look up react", "/trust?target=react")
    assert "There is no cohort yet" in part(page, "cohorts").text
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_an_overview_without_signals(client: FlaskClient, show: Look) -> None:
    network = NetworkOverview(nodes={}, edges={}, top=(), ranking=None)
    page = page_on(client, show, made.overview(network=network, cohorts=(), signals=()), "")
    assert "No trust signals are installed" in part(page, "weights").text
