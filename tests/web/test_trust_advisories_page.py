"""`/trust` shows known vulnerabilities and malware."""

from __future__ import annotations

from typing import Any

import pytest
import trust_samples as made
from flask.testing import FlaskClient
from trust_pages import Look, page_on, part, tables

from codeintel.trust.shapes import Advisory
from codeintel.web.trust.concerns import flaws


def test_open_advisories_are_told_beside_the_score(client: FlaskClient, show: Look) -> None:
    page = page_on(client, show, made.package(advisories=made.ADVISORIES[:1]))
    notice = page.root.one(class_="notice-flaws")
    assert notice.one(class_="notice-title").text == "1 high advisory affects this version"
    assert notice.one("a")["href"] == "#advisories"
    assert page.root.one(id="advisories").tag == "h3"
    found = tables(part(page, "signals"))["1 high advisory affects this version"]
    assert found == [
        [
            "GHSA-1 CVE-2026-1 and CVE-2026-2 May 3, 2026",
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
        "The package is known to be malicious. Do not install it. See the advisories"
    ]
    other = page_on(client, show, made.package(settled_by="archived"))
    assert "Only “Archived” counts." in other.root.one(class_="notice-alarm").text


def test_a_comparison_tells_of_advisories_too(client: FlaskClient, show: Look) -> None:
    body = made.comparison(made.report("a"), made.report("b", advisories=made.ADVISORIES[:1]))
    page = page_on(client, show, body)
    (notices,) = page.root.all(class_="of-package")
    assert notices["aria-label"] == "Notices on b"
    assert notices.one("a")["href"] == "/trust?target=npm:b#advisories"
