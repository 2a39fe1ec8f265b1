"""`/account`: credits, limits, use, prices, ledger, identities."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from hypothesis import given, settings, strategies as st
from signed_browser import SignedBrowser
from signed_pages import checked, page_of
from sqlalchemy import Connection, insert
from support import MakeApp, User, make_user
from web_pages import Page

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity.audit import OPERATOR
from codeintel.identity.ledger import DAY_MS, Entry, Ledger, hold, release
from codeintel.platform.db.models import LedgerEntry, now_ms
from codeintel.platform.limits.service import LimitState
from codeintel.web import account as account_page
from codeintel.web.account import columns, entry_view, limit_view

PATH = "/account"
ISSUER = "https://login.example.org"


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)


def charge(ledger: Ledger, account_id: str, run_id: str, amount: int, worth: int, at: int) -> None:
    """Add an entry of another time."""
    row = {
        "account_id": account_id,
        "kind": "charge",
        "amount": -amount,
        "metered": worth,
        "run_id": run_id,
        "reason": "analysis completed",
        "created_ms": at,
    }
    ledger._writer.run(lambda connection: connection.execute(insert(LedgerEntry).values(row)))


def figures(page: Page) -> dict[str, str]:
    found = page.root.all("div", class_="figure")
    return {each.one("dt").text: each.one("strong").text for each in found}


def test_credits_with_some_of_them_held(browser: SignedBrowser, services: Services) -> None:
    ledger = services.ledger

    def work(connection: Connection) -> None:
        assert hold(connection, "run_1", browser.account_id, 30, now_ms() + 60_000)

    ledger._writer.run(work)
    page = page_of(browser, PATH)
    assert figures(page) == {"Available": "70", "Reserved": "30", "Balance": "100"}
    assert "user@example.org FREE" in page.root.one("p", class_="who-am-i").text
    ledger._writer.run(
        lambda connection: release(connection, "run_1", charge=2, metered=2, reason="analyzed")
    )
    page = page_of(browser, PATH)
    assert figures(page) == {"Available": "98", "Reserved": "0", "Balance": "98"}
    rows = page.root.one("table", class_="ledger").one("tbody").all("tr")
    assert [row.one("td", class_="amount").text for row in rows] == [
        "Credits\u22122",
        "Credits+100",
    ]
    assert rows[0].one("a")["href"] == "/runs/run_1"
    assert "Run analyzed" in rows[0].text


def test_an_unlimited_account_is_told_what_it_did_not_pay(app: Flask, services: Services) -> None:
    account = services.accounts.create("boss@example.org", Tier.TEAM, 0, True)
    charge(services.ledger, account.id, "run_1", 0, 3, now_ms())
    page = page_of(SignedBrowser(app, services, account.id), PATH)
    assert figures(page)["Available"] == "Unlimited"
    amount = page.root.one("td", class_="amount").text
    assert amount == "Credits0 3 not charged"
    assert "Operations per day (not charged)" in page.text
    assert "Charges per day" not in page.text
    assert page.root.one("svg", id="use-credits")


def test_an_account_without_anything(app: Flask, services: Services) -> None:
    account = services.accounts.create("new@example.org", Tier.FREE, 0, False)
    page = page_of(SignedBrowser(app, services, account.id), PATH)
    assert "You have no credits left" in page.text
    assert "No usage yet" in page.text
    assert not page.root.all("figure")
    assert not page.root.all("table", class_="ledger")


def test_the_limits_of_the_hour(browser: SignedBrowser, services: Services) -> None:
    for _ in range(3):
        services.limits.hit_operation(browser.account_id, Tier.FREE, "analysis")
    analyses, transformations = page_of(browser, PATH).root.all("div", class_="limit")
    assert "27 of 30 left" in analyses.text
    assert "Resets at" in analyses.text
    assert analyses.one("time")
    assert "20 of 20 left" in transformations.text
    assert "Not used this hour" in transformations.text
    # Looking counts nothing.
    assert services.limits.peek_operation(browser.account_id, Tier.FREE, "analysis").remaining == 27


def test_the_use_of_thirty_days(browser: SignedBrowser, services: Services) -> None:
    now = now_ms()
    midnight = now - now % DAY_MS
    times = (now, midnight, midnight - 1, midnight - 29 * DAY_MS, midnight - 29 * DAY_MS - 1)
    for number, at in enumerate(times):
        charge(services.ledger, browser.account_id, f"run_{number}", 2, 2, at)
    stranger = make_user(services, "b@example.org").account.id
    charge(services.ledger, stranger, "run_b", 5, 5, now)
    page = page_of(browser, PATH)
    figure = page.root.one("figure")
    assert figure["data-chart"] == "bars"
    rows = figure.one("details").one("tbody").all("tr")
    assert len(rows) == 30
    today = datetime.fromtimestamp(now / 1000, UTC).date()
    found = {
        row.one("time")["datetime"]: [cell["data-value"] for cell in row.all("td")] for row in rows
    }
    used = {day: values for day, values in found.items() if values != ["0", "0"]}
    assert used == {
        today.isoformat(): ["4", "2"],
        (today - timedelta(days=1)).isoformat(): ["2", "1"],
        (today - timedelta(days=29)).isoformat(): ["2", "1"],
    }
    picture = figure.one("svg", id="use-credits")
    assert "8 credits in 30 days" in picture.one("desc").text
    assert len(picture.all("rect")) == 30


def test_prices_are_those_of_the_api(
    browser: SignedBrowser, services: Services, user: User
) -> None:
    kinds = services.plugins.registry.kinds
    rows = page_of(browser, PATH).root.one("table", class_="prices").one("tbody").all("tr")
    found = {row.one("th").text: [cell.text for cell in row.all("td")] for row in rows}
    assert found["Analysis"] == ["flash1 (long code: 2)", "pro2 (long code: 3)"]
    told = browser.client.get("/api/v1/account", headers=user.headers).json["data"]["prices"]
    prices = told["transformation"]
    assert prices["surcharges"] == {name: kind.surcharge for name, kind in kinds.items()}
    assert (prices["longCode"], prices["longCodeCharacters"]) == (1, 20_000)
    assert (prices["most"], prices["least"]) == (5, 2)
    for name, surcharge in prices["surcharges"].items():
        short, long = prices["flash"] + surcharge, prices["flash"] + surcharge + 1
        assert found[f"Transformation: {name}"][0] == f"flash{short} (long code: {long})"
    assert len(found) == 1 + len(kinds)
    steps = [
        f"{each['credits']} for up to {each['files']:,} files"
        for each in told["repository"]["upTo"]
    ]
    most = told["repository"]["most"]
    told_too = f"costs {', '.join(steps)}, and {most} for more files."
    assert told_too in page_of(browser, PATH).text


def test_pages_of_the_ledger(
    browser: SignedBrowser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_page, "ENTRIES", 3)
    for number in range(5):
        services.ledger.grant(browser.account_id, 1, f"gift {number}")
    path, pages = PATH, []
    while path:
        page = page_of(browser, path)
        table = page.root.one("table", class_="ledger").one("tbody")
        pages.append([row.one("span", class_="note").text for row in table.all("tr")])
        older = page.root.all("a", rel="next")
        path = older[0]["href"] if older else ""
    assert pages == [["gift 4", "gift 3", "gift 2"], ["gift 1", "gift 0", "account created"]]
    assert "There are no older entries." in page_of(browser, f"{PATH}?before=1").text


@pytest.mark.parametrize("before", ["0", "-1", "x", "", "1&before=2", str(2**63)])
def test_what_is_no_page(browser: SignedBrowser, before: str) -> None:
    checked(browser.client.get(f"{PATH}?before={before}"), 400)


def test_identities_and_how_to_connect_one(make_app: MakeApp) -> None:
    entry = {"issuer": ISSUER, "audience": "https://code.example.org", "name": "The Office"}
    calls = {"issuer": "https://calls.example.org", "audience": "https://code.example.org"}
    app = make_app({"CODEINTEL_OIDC_ISSUERS": [{**entry, "client_id": "c"}, calls]})
    services: Services = app.extensions["codeintel"]
    account_id = make_user(services).account.id
    browser = SignedBrowser(app, services, account_id)
    main = page_of(browser, PATH).root.one("main")
    assert "No identity is connected yet." in main.text
    (link,) = [each for each in main.all("a") if each["href"].startswith("/auth/login?")]
    assert link.text == "Connect The Office"
    assert link["href"] == "/auth/login?provider=the-office&next=%2Faccount"
    services.identities.join(account_id, ISSUER, "u1", "ann@office.example", OPERATOR)
    services.identities.join(account_id, "https://gone.example.org", "u2", "", OPERATOR)
    listed = page_of(browser, PATH).root.one("ul", class_="identity-list").all("li")
    assert "The Office ann@office.example" in listed[0].text
    assert "gone.example.org u2" in listed[1].text


def test_without_providers_nothing_can_be_connected(browser: SignedBrowser) -> None:
    main = page_of(browser, PATH).root.one("main")
    assert not [link for link in main.all("a") if "/auth/" in link["href"]]
    assert "a link from the operator" in main.text


def test_others_sign_in_first(app: Flask) -> None:
    answer = app.test_client().get(PATH)
    assert (answer.status_code, answer.location) == (303, "/signin?next=/account")


@pytest.mark.parametrize(
    ("kind", "amount", "metered", "shown", "note"),
    [
        ("grant", 1_000, 0, "+1,000", ""),
        ("charge", -2, 2, "\u22122", ""),
        ("charge", 0, 2, "0", "2 not charged"),
        ("something", 0, 0, "0", ""),
    ],
)
def test_entries(kind: str, amount: int, metered: int, shown: str, note: str) -> None:
    view = entry_view(Entry(kind, amount, metered, None, "", 0, 1))
    assert (view.amount, view.note, view.is_in) == (shown, note, amount > 0)
    assert view.title


@pytest.mark.parametrize(("limit", "remaining"), [(30, 0), (30, 30), (0, 0)])
def test_a_limit_without_anything_left_can_be_drawn(limit: int, remaining: int) -> None:
    state = LimitState("analysis", limit, remaining, 4_000_000_000, 3600)
    view = limit_view("x", "Analyses", "analyses", state)
    assert view.left == f"{remaining} of {limit} left"
    assert (view.resets_at is None) is (remaining == limit)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=60))
@settings(max_examples=50, deadline=None)
def test_columns_stay_in_their_picture(values: list[int]) -> None:
    first = date(2026, 1, 1)
    days = [(first + timedelta(days=place), value) for place, value in enumerate(values)]
    root: Any = Page(str(columns("plot", "Runs a day", "run", days))).root
    rects = root.all("rect")
    assert len(rects) == len(values)
    highest = max(range(len(values)), key=lambda place: float(rects[place]["height"]))
    assert values[highest] == max(values)
    for rect, value in zip(rects, values, strict=True):
        assert float(rect["y"]) >= 8
        assert float(rect["y"]) + float(rect["height"]) <= 143
        assert (float(rect["height"]) > 0) is (value > 0)
        assert rect.one("title").text.endswith(" run" if value == 1 else " runs")


def test_columns_of_nothing() -> None:
    with pytest.raises(ValueError, match="no values"):
        columns("plot", "Runs a day", "run", [])
