"""The page `/trust`, over reports that are made up and over upstreams that are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import trust_samples as made
from flask.testing import FlaskClient
from support import MakeApp
from trust_upstreams import fake_upstreams
from web_pages import Element, Page, assert_sound
from werkzeug.test import TestResponse

from codeintel.contracts import Axis, Ecosystem
from codeintel.errors import ErrorCode, ServiceError
from codeintel.trust.advisories import Advisory
from codeintel.trust.network.shapes import GraphNode, GraphSummary, NetworkOverview
from codeintel.trust.scoring import Failure, Status
from codeintel.trust.shapes import PackageSnapshot, Popularity, TrustQuery, Verdict
from codeintel.web.trust_advisories import flaws
from codeintel.web.trust_comparison import comparison_view
from codeintel.web.trust_forecasts import forecast_view
from codeintel.web.trust_network import network_view
from codeintel.web.trust_report import rank_of
from codeintel.web.trust_signals import sentence
from codeintel.web.trust_views import package_view
from codeintel.web.trust_words import (
    age,
    amount,
    figure,
    listed,
    page_of,
    percentage,
    rate,
    told_day,
)

KIT = TrustQuery(target="kit")
Look = Callable[[Any], None]


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Look:
    """Has the page show something, or raise it."""

    def put(body: Any) -> None:
        def look(_query: TrustQuery) -> Any:
            if isinstance(body, Exception):
                raise body
            return body

        monkeypatch.setattr("codeintel.web.trust.look", look)

    return put


def read(answer: TestResponse, status: int = 200) -> Page:
    """The page, which must be sound whatever it shows."""
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    page = Page(answer.text)
    assert_sound(page)
    assert_told(page)
    return page


def assert_told(page: Page) -> None:
    """Plots have names, tables have captions and scopes, links to elsewhere tell nothing."""
    inner = {id(each) for svg in page.root.all("svg") for each in svg.all("svg")}
    for svg in (each for each in page.root.all("svg") if id(each) not in inner):
        assert svg["role"] == ("group" if svg.all("a") else "img") or svg["class"] == "net"
        assert page.root.one(id=svg["aria-labelledby"]).text
        assert page.root.one(id=svg["aria-describedby"]).text
    for table in page.root.all("table"):
        assert table.one("caption").text
        assert all(each["scope"] in ("col", "row") for each in table.all("th"))
        columns = len(table.one("thead").all("th"))
        for row in table.one("tbody").all("tr"):
            assert len(row.all("th")) == 1
            assert len(row.all("th") + row.all("td")) == columns
    for link in page.root.all("a"):
        if not link["href"].startswith(("/", "#")):
            assert {"noreferrer", "noopener"} <= set(link["rel"].split())


def part(page: Page, id_: str) -> Element:
    """A section of the page."""
    return page.root.one("section", **{"aria-labelledby": id_})


def rows(table: Element) -> list[list[str]]:
    return [
        [cell.text for cell in row.all() if cell.tag in ("th", "td")]
        for row in table.one("tbody").all("tr")
    ]


def tables(element: Element) -> dict[str, list[list[str]]]:
    return {each.one("caption").text: rows(each) for each in element.all("table")}


# The form


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("react", {"target": "react"}),
        ("  pypi:requests \n", {"target": "pypi:requests"}),
        ("pkg:npm/%40babel/core@7.28.0", {"target": "pkg:npm/%40babel/core@7.28.0"}),
        ("react, vue", {"kind": "comparison", "target": "package:react..vs..package:vue"}),
        ("react\r\nvue ,", {"kind": "comparison", "target": "package:react..vs..package:vue"}),
        ("package:kit", {"target": "kit"}),
        ("https://www.npmjs.example/package/kit", {"target": "npm:kit"}),
        (
            "https://www.npmjs.example/package/%40a/b/v/1.0.0?x=y",
            {"target": "pkg:npm/%40a/b@1.0.0"},
        ),
        ("https://pypi.example/project/x/", {"target": "pypi:x"}),
        ("pypi.example/project/x/1.2", {"target": "pkg:pypi/x@1.2"}),
        ("http://github.com/o/r.git", {"target": "github:o/r"}),
        ("https://github.com/o/r/tree/main#readme", {"target": "github:o/r"}),
        ("https://crates.io/crates/x", {"target": "cargo:x"}),
        ("https://pkg.go.dev/b.test/x@v1.0.0/y", {"target": "pkg:golang/b.test/x@v1.0.0"}),
        ("https://hub.docker.com/_/redis", {"target": "docker:redis"}),
        (
            "https://pypi.example/project/x/ https://crates.io/crates/x",
            {"kind": "comparison", "target": "package:pypi:x..vs..package:cargo:x"},
        ),
        (
            "package:a..vs..package:go:b.test/x",
            {"kind": "comparison", "target": "package:a..vs..package:go:b.test/x"},
        ),
    ],
)
def test_the_form_leads_to_an_address_that_can_be_shared(
    client: FlaskClient, typed: str, address: dict[str, str]
) -> None:
    answer = client.get("/trust", query_string={"packages": typed})
    assert answer.status_code == 303
    found = urlsplit(answer.headers["Location"])
    assert found.path == "/trust"
    assert {name: values[0] for name, values in parse_qs(found.query).items()} == address


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "Name a package, such as react"),
        (" , ", "Name a package"),
        ("ada@1", "This is no name of npm"),
        ("react ada@1", "ada@1: This is no name of npm"),
        ("klingon:x", "There is no ecosystem klingon"),
        ("https://x.test/kit", "https://x.test/kit is no address of a package"),
        ("https://github.com/o", "is no address of a package"),
        ("https://[x", "is no address of a package"),
        ("vue react npm:vue", "npm:vue is there more than once"),
        (" ".join(f"p{i}" for i in range(11)), "At most 10 packages can be compared; these are 11"),
        ("x" * 401, "The name has 401 characters; at most 400"),
        (made.HOSTILE, "<script>"),
    ],
)
def test_what_is_wrong_is_told_at_the_field(client: FlaskClient, typed: str, message: str) -> None:
    answer = client.get("/trust", query_string={"packages": typed})
    page = read(answer, 400)
    field = page.root.one("textarea")
    assert "".join(map(str, field.children)) == "\n" + typed
    assert field["aria-invalid"] == "true"
    assert field["aria-describedby"] == "packages-hint packages-wrong"
    assert message in page.root.one(id="packages-wrong").text
    assert page.root.one("title").text == "Error: Trust · codeintel"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("target", "kept", "message"),
    [
        ("foo@@x", "foo@@x", "no name of npm"),
        ("", "", "The field is empty"),
        ("pkg:npm", "pkg:npm", "The field is no valid package URL"),
        ("a" * 401, "a" * 401, "The field has 401 characters"),
    ],
)
def test_a_wrong_address_fills_the_form(
    client: FlaskClient, target: str, kept: str, message: str
) -> None:
    page = read(client.get("/trust", query_string={"target": target}), 400)
    assert page.root.one("textarea").text == kept
    assert message in page.root.one(id="packages-wrong").text


def test_a_wrong_comparison_fills_the_form(client: FlaskClient) -> None:
    found = client.get("/trust?kind=comparison&target=package:react..vs..package:react")
    page = read(found, 400)
    assert page.root.one("textarea").children == ["\nreact\nreact"]
    assert "more than once" in page.root.one(id="packages-wrong").text


@pytest.mark.parametrize(
    "query",
    ["depth=9&target=a", "kind=odd&target=a", "kind=package", "limit=x", "target=a&target=b"],
)
def test_other_parameters_are_refused_below_the_form(client: FlaskClient, query: str) -> None:
    page = read(client.get(f"/trust?{query}"), 400)
    if "target=b" in query:
        assert page.root.one(id="packages-wrong").text == "The field is given more than once."
        return
    assert page.root.one("h1").text == "This address is not understood"
    assert "aria-invalid" not in page.root.one("textarea").attributes


# Failures


@pytest.mark.parametrize(
    ("error", "heading", "link"),
    [
        (
            ServiceError(
                ErrorCode.NOT_FOUND, "No registry knows `npm:x<y`.", details={"target": "npm:x<y"}
            ),
            "No such package",
            "/search?q=x%3Cy",
        ),
        (
            ServiceError(
                ErrorCode.UPSTREAMS_UNAVAILABLE,
                "No registry can be reached.",
                details={"target": "npm:x", "unavailable": [made.FAILURE]},
                retry_after=30,
            ),
            "No registry can be reached",
            "/trust?target=x",
        ),
        (
            ServiceError(ErrorCode.OVERLOADED, "Too many.", retry_after=1),
            "Too much is going on",
            "/trust?target=x",
        ),
    ],
)
def test_failures_say_what_to_do_next(
    client: FlaskClient, show: Look, error: ServiceError, heading: str, link: str
) -> None:
    show(error)
    answer = client.get("/trust?target=x")
    page = read(answer, error.code.status)
    main = page.root.one("main")
    assert main.one("h1").text == heading
    assert link in [each["href"] for each in main.all("a")]
    assert main.one("textarea").text == "x"
    assert answer.headers["Cache-Control"] == "no-store"
    told = None if error.retry_after is None else str(error.retry_after)
    assert answer.headers.get("Retry-After") == told
    unit = "second." if told == "1" else "seconds."
    assert (told is None) or f"Try again in {told} {unit}" in main.text
    assert ("did not answer" in main.text) == bool(error.details.get("unavailable"))


def test_too_many_requests_are_a_page(make_app: MakeApp) -> None:
    browser = make_app({"CODEINTEL_LIMIT_DEFAULT": "1/minute"}).test_client()
    assert [browser.get("/trust").status_code for _ in range(2)] == [200, 429]
    assert read(browser.get("/trust"), 429).root.one("h1").text == "Too many requests"


def test_a_slip_of_the_pen_leads_to_what_is_meant(client: FlaskClient, show: Look) -> None:
    details = {"target": "npm:lodahs", "suggestion": "npm:lodash"}
    show(ServiceError(ErrorCode.NOT_FOUND, "No registry knows it.", details=details))
    page = read(client.get("/trust?target=lodahs"), 404)
    told = page.root.one(class_="suggestion")
    assert told.text == "Did you mean npm:lodash?"
    assert told.one("a")["href"] == "/trust?target=npm:lodash"


# A package


def page_on(client: FlaskClient, show: Look, body: Any, query: str = "?target=kit") -> Page:
    show(body)
    return read(client.get(f"/trust{query}"))


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
    assert facts[0].startswith("Rank among npm packages 12 of 481 Higher than 97.5% of a cohort")
    assert facts[0].endswith("frozen on 20 November 2026.")
    assert facts[1].startswith("Network trust 14 of 2,010")
    assert facts[2:] == [
        "downloads in the last month 2,500,000",
        "packages depend on it 1,200",
        "stars 4,821",
    ]
    assert "None of it is part of the score." in part(page, "moat").text
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
            "measured 22 November 2026",
        ],
        ["Code review", "No source tells it of this package.", "Points0 of 10", "missing"],
    ]
    assert found["25 of 25 points"] == [
        [
            "Latest release",
            "1,234,567 days evidence of Latest release",
            "Points25 of 25 scored 100%",
            "measured 22 November 2026",
        ],
        ["Archived", "No such.", "", "does not apply"],
    ]
    assert found["0 of 20 points"][0][1] == "no"  # its evidence is no page
    assert found["4.8 of 9.5 points"][0][3] == "stale 20 November 2026"
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
        "+20 by doing better Attestations. Publish with provenance.",
        "+10 by evidence Code review. Nobody tells it today: no.",
    ]
    (moat,) = tables(part(page, "moat")).values()
    assert moat == [
        [
            "Packages that depend on it",
            "1,200 packages",
            "22 November 2026 evidence of Packages that depend on it",
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
        "A weak point: attestations. Attestations: no",
        "Hardly anybody may publish it: nobody may be there to take over. Maintainers: 1 person",
        "Nothing proves that the repository it names is its own: what is told of that repository "
        "may be of another project. 2.5 more points depend on that proof",
        "Nobody tells of code review and own name.",
    ]
    assert "2.5 more if it were proven" in part(page, "signals").text
    assert "points are unknown or unproven." in part(page, "score").text


def test_nothing_speaks_against_a_flawless_package(client: FlaskClient, show: Look) -> None:
    best = tuple(made.signal(each.id, each.axis, each.weight, 1.0) for each in made.SIGNALS)
    page = page_on(client, show, made.package(signals=best))
    assert "Nothing that is known speaks against it." in part(page, "before").text


def test_releases_are_counted_in_words() -> None:
    quiet = made.forecast(metric="releaseCadence", value=0.0, low=0.0, high=0.5623)
    view = forecast_view(quiet, {})
    assert (view.value, view.band) == ("none", "none to 0.6")
    assert view.horizon == "in the 30 days up to 21 February 2027, 91 days ahead"


def test_forecasts_have_plots_tables_and_a_record(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.package())
    downloads, dormancy = part(page, "forecasts").all("article")
    assert downloads.one("h3").text == "Downloads of a month"
    assert downloads.one(class_="forecast-value").text == (
        "2,630,000 on 21 February 2027, 91 days ahead; 80% band 2,240,000 to 3,085,000"
    )
    record = downloads.one(class_="forecast-record").text
    assert "a combination of methods (the Theta method 60%, drift 40%)." in record
    assert "From 16 past dates its errors were 0.72 times" in record
    assert "Its 80% bands held 81% of what came." in record
    assert record.endswith("Daily counts were folded into weeks.")
    assert downloads.one(class_="plot-band")["points"].count(",") == 26
    (steps,) = tables(downloads).values()
    assert len(steps) == 13
    assert steps[-1] == ["21 February 2027", "2,630,000", "2,240,000 to 3,085,000"]
    assert dormancy.one(class_="forecast-value").text == (
        "12% that no release comes within 365 days; 80% band 5% to 30%"
    )
    assert "(Brier score) was 0.05, against 0.11" in dormancy.text
    assert not dormancy.all("svg")
    found = tables(part(page, "forecasts"))["Figures without a forecast"]
    assert found == [["Stars of its repository", "2 weekly observations, 40 are needed."]]


def test_the_network_is_a_picture_and_two_tables(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.package())
    section = part(page, "network")
    links = [each["href"] for each in section.one("svg", id="network-picture").all("a")]
    names = [f"part-{i}" for i in range(3)] + [f"user-{i}" for i in range(2)]
    assert sorted(links) == [f"/trust?target=npm:{name}" for name in names]
    ties = section.one("svg", id="network-picture").all("path", class_="net-tie")
    assert len(ties) == len(made.package().edges) + 2
    nodes, edges = section.all("table")
    assert rows(nodes)[0] == ["kit", "package", "Stepsthis package", "Score62.5", "Network rank14"]
    assert [row[0] for row in rows(nodes)][-1] == "user-1"
    assert rows(edges)[0] == ["kit", "depends on", "part-0", "^1.0"]
    assert rows(edges)[-1] == ["kit", "lies in", "github.com/example-org/kit", ""]
    assert "4 packages, 2 maintainers and 1 repository within reach" in section.text
    depths = section.one(class_="choices-row").all("a")
    assert [(each["href"], "aria-current" in each.attributes) for each in depths] == [
        ("/trust?target=kit&depth=0#network", False),
        ("/trust?target=kit#network", True),
        ("/trust?target=kit&depth=2#network", False),
        ("/trust?target=kit&depth=3#network", False),
    ]


def test_names_in_the_network_have_their_ecosystem_if_there_are_several() -> None:
    body = made.package()
    other = GraphNode("pypi:kit", body.nodes[0].kind, "kit", 1, is_collected=False)
    view = network_view(made.changed(body, nodes=(*body.nodes, other)), KIT, str)
    assert view is not None
    assert [each.label for each in view.nodes][:2] == ["npm:kit", "npm:part-0"]
    assert "pypi:kit" in [each.label for each in view.nodes]
    assert "ada" in [each.label for each in view.nodes]
    assert view.edges[0].source == "npm:kit"


def test_dependents_that_are_not_drawn_are_counted() -> None:
    body = made.package()
    cyclic = made.changed(body.nodes[1], depth=-1)
    summary = made.changed(body.summary, dependents=1_200)
    shown = made.changed(body, dependents=(*body.dependents, cyclic), summary=summary)
    view = network_view(shown, KIT, str)
    assert view is not None
    assert ">and 1 in other columns<" in view.picture
    assert ">and 1,197 more<" in view.picture
    assert ">One step<" in view.picture
    plain = network_view(body, KIT, str)
    assert plain is not None
    assert "net-more" not in plain.picture


def test_a_dependent_that_is_a_dependency_too_leaves_its_column_empty() -> None:
    body = made.package()
    cyclic = made.changed(body.nodes[1], depth=-1)
    summary = made.changed(body.summary, dependents=1)
    view = network_view(made.changed(body, dependents=(cyclic,), summary=summary), KIT, str)
    assert view is not None
    assert ">Depends on it<" in view.picture
    assert ">1 in other columns<" in view.picture


def test_warnings_come_first(client: FlaskClient, show: Look) -> None:
    page = page_on(
        client, show, made.package(suspicion=made.SUSPICION, unavailable=(made.FAILURE,))
    )
    alarm = page.root.one(class_="notice-alarm")
    assert "kit looks like the well-known react: the letters ea are swapped." in alarm.text
    assert "97%" in alarm.text
    assert alarm.one("a")["href"] == "/trust?target=npm:react"
    failed = page.root.one(class_="notice-failed")
    assert "Some of this is missing" in failed.text
    assert "It did not answer within 5 seconds." in failed.text
    assert failed.one("a")["href"] == "/trust?target=kit"


@pytest.mark.parametrize("unavailable", [(), (made.FAILURE,)])
def test_what_is_old_says_so(client: FlaskClient, show: Look, unavailable: Any) -> None:
    page = page_on(client, show, made.package(is_stale=True, unavailable=unavailable))
    assert "Some of this is older than it should be" in page.text


def test_only_what_is_whole_is_kept(client: FlaskClient, show: Look) -> None:
    show(made.package(collected_at=datetime.now(UTC)))
    whole = client.get("/trust?target=kit")
    assert whole.headers["Cache-Control"] == "public, max-age=60"
    again = client.get("/trust?target=kit", headers={"If-None-Match": whole.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    show(made.package(unavailable=(made.FAILURE,)))
    broken = client.get("/trust?target=kit", headers={"If-None-Match": whole.headers["ETag"]})
    assert (broken.status_code, broken.headers["Cache-Control"]) == (200, "no-store")
    assert "ETag" not in broken.headers


def test_open_advisories_are_told_beside_the_score(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.package(advisories=made.ADVISORIES[:1]))
    notice = page.root.one(class_="notice-flaws")
    assert notice.one(class_="notice-title").text == "1 high advisory affects this version"
    assert notice.one("a")["href"] == "#advisories"
    assert page.root.one(id="advisories").tag == "h3"
    found = tables(part(page, "signals"))["1 high advisory affects this version"]
    assert found == [
        [
            "GHSA-1 CVE-2026-1 and CVE-2026-2 3 May 2026",
            "Severityhigh, 7.5 of 10",
            "A `crafted` name leads outside.",
            "Fixed in1.2.7 and 2.0.1",
        ]
    ]
    assert "https://advisories.test/GHSA-1" in [
        each["href"] for each in part(page, "signals").all("a")
    ]
    first = part(page, "before").all("li")[0]
    assert first.text == (
        "1 high advisory affects this version. See the advisories GHSA-1: fixed in 1.2.7 and 2.0.1"
    )


@pytest.mark.parametrize(
    ("found", "headline"),
    [
        (made.ADVISORIES, "2 advisories affect this version: 1 high and 1 of unknown severity"),
        (made.ADVISORIES[1:], "1 advisory affects this version"),
        (made.ADVISORIES[:1] * 2, "2 high advisories affect this version"),
        (made.ADVISORIES[:1] * 50, "50 or more high advisories affect this version"),
        ((Advisory("X", level="MODERATE"),), "1 medium advisory affects this version"),
        ((Advisory("X", severity=0.0),), "1 low advisory affects this version"),
    ],
)
def test_advisories_are_counted_by_level(found: Any, headline: str) -> None:
    counted = flaws(found)
    assert counted is not None
    assert counted.headline == headline


def test_advisories_are_listed_without_signals_of_security(client: FlaskClient, show: Look) -> None:
    body = made.package(signals=made.SIGNALS[2:], advisories=made.ADVISORIES)
    page = page_on(client, show, body)
    assert page.root.one(id="advisories").text == "Advisories"


def test_known_malware_is_an_alarm(client: FlaskClient, show: Look) -> None:
    body = made.package(
        settled_by="known-advisories",
        score=0.0,
        low=0.0,
        high=0.0,
        advisories=(Advisory("MAL-2026-1"),),
    )
    page = page_on(client, show, body)
    alarm = page.root.one(class_="notice-alarm")
    assert alarm.one(class_="notice-title").text == "Known to be malicious"
    assert alarm.one("a")["href"] == "#advisories"
    assert not page.root.all(class_="notice-flaws")
    assert "0 of 100; one signal decides alone." in part(page, "score").text
    assert [each.text for each in part(page, "before").all("li")] == [
        "It is known to be malicious: do not install it. See the advisories"
    ]
    other = page_on(client, show, made.package(settled_by="archived"))
    assert "Archived: nothing else counts." in other.root.one(class_="notice-alarm").text


def test_a_comparison_tells_of_advisories_too(client: FlaskClient, show: Look) -> None:
    body = made.comparison(made.report("a"), made.report("b", advisories=made.ADVISORIES[:1]))
    page = page_on(client, show, body)
    (notices,) = page.root.all(class_="of-package")
    assert notices["aria-label"] == "Notices on b"
    assert notices.one("a")["href"] == "/trust?target=npm:b#advisories"


def hostile() -> PackageSnapshot:
    """With markup wherever somebody else has a say."""
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
    genome = made.genome(
        unforecast=(), forecasts=(made.forecast(metric=text, method=text, notes=(text,)),)
    )
    return made.changed(body, nodes=nodes, target=target, code_genome=genome)


def test_markup_of_others_is_text(client: FlaskClient, show: Look) -> None:
    show(hostile())
    answer = client.get("/trust?target=kit")
    assert "<img" not in answer.text
    assert "<script" not in answer.text
    page = Page(answer.text)
    assert made.HOSTILE in page.text
    assert not [name for name, _ in page.tags if name in {"script", "img"}]
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
        code_genome=made.genome(rank=None, percentile=None, cohort=None, **nothing),
    )
    page = page_on(client, show, body)
    assert page.root.one(class_="score-number").text == "0 of 100"
    facts = [each.text for each in page.root.all(class_="figure")]
    assert facts[0].startswith("Rank among npm packages none No cohort of npm")
    assert facts[1].startswith("Network trust unranked")
    assert "Its place in the network is not known yet." in part(page, "network").text
    assert "Nothing is forecast of it." in part(page, "forecasts").text


# Views


def test_the_past_of_a_forecast() -> None:
    def at(days: int) -> int:
        when = datetime(2026, 11, 22, 9, tzinfo=UTC) - timedelta(days=days)
        return int(when.timestamp() * 1_000)

    counts = [(at(900), 1.0), (at(21), 5.0), (at(7), 6.0), (at(7), 7.0)]
    found = forecast_view(made.forecast(metric="downloads_total"), {"downloads_total": counts})
    assert found.counts == (("1 November 2026", "5"), ("15 November 2026", "7"))
    path = made.forecast().path[:1]
    first = path[0].date - date(2026, 11, 22)
    cadence = made.forecast(metric="releaseCadence", path=path)
    releases = [(at(days - first.days + 30), 1.0) for days in (95, 60, 31, 29, 29, 0)]
    shown = forecast_view(cadence, {"release": releases})
    assert [value for _, value in shown.counts] == ["1", "1", "2"]


def test_a_forecast_that_cannot_be_drawn_has_its_table() -> None:
    huge = made.forecast()
    path = tuple(made.Point(each.date, 1e200, 1e199, 1e201) for each in huge.path)
    view = forecast_view(made.forecast(path=path), {})
    assert view.plot is None
    assert len(view.rows) == 13


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ((62.5, 62.5, 78.0), "62.5 of 100; between 62.5 and 78, as 15.5 points are unknown"),
        ((62.5, 62.5, 63.5), "62.5 of 100; between 62.5 and 63.5, as 1 point is unknown"),
        ((100.0, 100.0, 100.0), "100 of 100; all of it is known"),
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
        (age(59), "less than a minute ago"),
        (age(61), "1 minute ago"),
        (age(12_000), "3 hours ago"),
        (age(200_000), "2 days ago"),
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
        (told_day("2026-11-22T10:00:00Z"), "22 November 2026"),
        (told_day("yesterday"), ""),
        (page_of("javascript:alert(1)"), ""),
        (page_of("https://[x"), ""),
        (page_of("https://x.test/a"), "https://x.test/a"),
    ],
)
def test_words(told: str, wanted: str) -> None:
    assert told == wanted


# Comparisons and the overview


def zeros() -> Any:
    return tuple(
        made.changed(each, status=Status.MEASURED, score=0.0, contribution=0.0)
        for each in made.SIGNALS
    )


@pytest.mark.parametrize(
    ("rank", "percentile", "value", "note"),
    [
        (15, 0.0, "15 of 15", "Higher than no package of a cohort frozen on 22 November 2026."),
        (1, 93.3, "1 of 15", "Higher than 93.3% of a cohort frozen on 22 November 2026."),
    ],
)
def test_a_rank_counts_the_package_itself(
    rank: int, percentile: float, value: str, note: str
) -> None:
    found = rank_of(rank, percentile, 15, made.NOW, "npm")
    assert (found.value, found.note) == (value, note)


def test_packages_side_by_side(client: FlaskClient, show: Look) -> None:
    body = made.comparison(
        made.report("react"), made.report("vue", signals=zeros(), suspicion=made.SUSPICION)
    )
    page = page_on(client, show, body, "?kind=comparison&target=package:react..vs..package:vue")
    assert page.root.one("h1").text == "react and vue"
    assert page.root.one("textarea").children == ["\nreact\nvue"]
    assert page.root.one(class_="verdict").text == (
        "react is clearly ahead. The least that npm:react can have, 52.2, is above the most that "
        "npm:vue can have, 0.0."
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
    assert "vue looks like the well-known react" in page.root.one("main").text
    assert [each.one("h3").text for each in page.root.all(class_="column")] == ["react", "vue"]
    hrefs = [each["href"] for each in part(page, "axes").all("a")]
    assert hrefs == ["/trust?target=npm:react", "/trust?target=npm:vue"]


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
    """A comparison of packages whose scores lie between these."""
    return made.comparison(
        *(
            made.report(name, low=low, score=low, high=high, signals=())
            for name, (low, high) in spans.items()
        )
    )


@pytest.mark.parametrize(
    ("spans", "verdict", "standings"),
    [
        (
            {"left": (50, 70), "kit": (10, 40), "pkg3": (60, 80)},
            "No single leader, but this is clear: left and pkg3 before kit",
            ["", "behind", ""],
        ),
        ({"a": (50, 70), "b": (60, 80)}, "No clear difference", ["", ""]),
        (
            {"a": (50, 70), "b": (60, 80), "c": (10, 50)},
            "No single leader, but this is clear: b before c",
            ["", "", "behind"],
        ),
        (
            {"a": (50, 80), "b": (50, 70), "c": (20, 30), "d": (1, 10)},
            "No single leader, but this is clear: a and b before c and d",
            ["", "", "behind", "behind"],
        ),
        ({"a": (80, 90), "b": (10, 20), "c": (30, 40)}, "a is clearly ahead", None),
        (
            {"a": (20, 30), "b": (5, 15), "c": (10, 25), "d": (24, 60), "e": (1, 3), "f": (22, 23)},
            "No single leader, but this is clear: 3 of 6 packages clearly behind others",
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
        "Security left and pkg3 before kit",
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
    assert "What these would have told" in failed.text
    single = page_on(client, show, made.package(unavailable=(made.FAILURE,)))
    assert "What it would have told" in single.root.one(class_="notice-failed").text


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
    assert top[0] == ["1", "npm:react", "Part of all trust3.45%", "Score81.2"]
    assert top[1][3] == "not looked up"
    (cohorts,) = tables(part(page, "cohorts")).values()
    assert cohorts == [["npm", "Packages480", "Frozen on20 November 2026", "1-3f2b8c0d9e1a"]]
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
    assert "None is frozen yet" in part(page, "cohorts").text
    assert answer.headers["Cache-Control"] == "public, max-age=60"


def test_an_overview_without_signals(client: FlaskClient, show: Look) -> None:
    network = NetworkOverview(nodes={}, edges={}, top=(), ranking=None)
    page = page_on(client, show, made.overview(network=network, cohorts=(), signals=()), "")
    assert "No signal is installed here" in part(page, "weights").text


# The whole way


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
        assert read(down, 503).root.one("h1").text == "No registry can be reached"
        assert int(down.headers["Retry-After"]) > 0
        assert "packages 4" in part(read(browser.get("/trust")), "network").text
