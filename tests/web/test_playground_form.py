"""`/playground` in a browser without scripts, and the data for its scripts."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from scripted_runs import Scripted, result
from signed_browser import OWN, SignedBrowser
from signed_pages import checked, page_of
from web_pages import Page, assert_sound
from werkzeug.test import TestResponse

import codeintel.web.blueprint
from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.contracts import AnalysisTask, RunContext
from codeintel.platform.db.models import now_ms
from codeintel.web.playground.examples import examples

PATH = "/playground"
BAD = "import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n"
HOSTILE = "</script><b>&amp;\"'{{ 7 * 7 }}"


@pytest.fixture
def account(services: Services) -> str:
    return services.accounts.create("ann@example.org", Tier.FREE, 3, False).id


@pytest.fixture
def browser(app: Flask, services: Services, account: str) -> SignedBrowser:
    return SignedBrowser(app, services, account)


@pytest.fixture
def scripted(services: Services) -> Scripted:
    """Return an engine that records its tasks in `tasks`."""
    engine = Scripted(lambda _task, _context: result())
    services.runs.registry.engines.registrar("tests")(engine)
    return engine


def send(browser: SignedBrowser, **fields: Any) -> TestResponse:
    """Send the form as the page has it, with what was filled in."""
    form = page_of(browser, PATH).root.one("form", action=PATH)
    filled = {each["name"]: each["value"] for each in form.all("input", type="hidden")}
    filled["model"] = next(
        each["value"] for each in form.all("input", type="radio") if "checked" in each.attributes
    )
    for select in form.all("select"):
        filled[select["name"]] = select.all("option")[0]["value"]
    assert {each["name"] for each in form.all("textarea") if "name" in each.attributes} >= {"code"}
    return browser.client.post(PATH, data={**filled, "words": "", **fields}, headers=OWN)


def result_of(browser: SignedBrowser, answer: TestResponse) -> Page:
    """Return the page of the run that an answer redirects to."""
    assert answer.status_code == 303, answer.text
    return page_of(browser, answer.headers["Location"])


def settings_of(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.root.one("div", class_="pg")["data-playground"])
    return found


@pytest.mark.usefixtures("scripted")
def test_a_form_that_is_sent_twice_runs_once(
    browser: SignedBrowser, services: Services, account: str
) -> None:
    form = page_of(browser, PATH).root.one("form", action=PATH)
    filled = {each["name"]: each["value"] for each in form.all("input", type="hidden")}
    for fields in ({"code": BAD}, {"code": "x = 1", "model": "pro"}):
        sent = [browser.client.post(PATH, data={**filled, **fields}, headers=OWN) for _ in range(2)]
        assert {each.status_code for each in sent} == {303}
        assert len({each.headers["Location"] for each in sent}) == 1
    assert services.ledger.balance(account).posted == 3 - 1 - 2
    assert page_of(browser, PATH).root.one("input", name="number")["value"] != filled["number"]


def test_everybody_sees_it_and_signing_in_leads_back(client: FlaskClient) -> None:
    answer = client.get(PATH)
    page = Page(answer.text)
    assert_sound(page)
    assert page.root.one("textarea", id="code")
    assert [each["href"] for each in page.root.one("p", class_="pg-hint").all("a")] == [
        "/signin?next=/playground"
    ]
    assert settings_of(page)["signedIn"] is False
    assert not page.root.all("input", name="csrf")
    assert "Balance" not in page.text
    again = client.post(PATH, data={"code": BAD}, headers=OWN)
    assert (again.status_code, again.headers["Location"][:12]) == (303, "/signin?next")


def test_it_says_what_things_cost_and_what_there_is_to_do(browser: SignedBrowser) -> None:
    page = page_of(browser, PATH)
    tasks = [each["value"] for each in page.root.one("select", id="task").all("option")]
    assert tasks == ["analyse", "convert", "document", "modernize", "optimize", "refactor"]
    assert [each.text for each in page.root.one("dl", class_="pg-costs").all("dd")] == [
        "1 credit or more",
        "3 credits",
    ]
    told = settings_of(page)
    assert told["prices"]["analyse"] == {
        "flash": {"full": 1, "long": 2},
        "pro": {"full": 2, "long": 3},
    }
    assert [name for name in tasks if told["tasks"][name]["changesLanguage"]] == ["convert"]
    assert (told["extensions"]["py"], told["token"]) == ("python", "/playground/token")
    rows = page.root.one("details", class_="pg-prices").all("th", scope="row")
    assert len(rows) == len(tasks)
    targets = {each["value"] for each in page.root.one("select", id="target").all("option")}
    assert {"yaml", "postgres", "javascript"} <= targets
    assert "python" not in targets  # no engine here writes it


@pytest.mark.parametrize("language", sorted(examples()))
def test_an_example_to_start_with(client: FlaskClient, language: str) -> None:
    page = Page(client.get(f"{PATH}?example={language}").text)
    assert_sound(page)
    assert page.root.one("textarea", id="code").text == " ".join(examples()[language].code.split())
    chosen = page.root.one("select", id="language").one("option", value=language)
    assert "selected" in chosen.attributes
    links = [each["href"] for each in page.root.one("p", class_="pg-examples").all("a")]
    assert f"{PATH}?example={language}" in links
    assert settings_of(page)["examples"][language]["file"]


def test_no_question_box_without_a_model(browser: SignedBrowser, services: Services) -> None:
    assert not page_of(browser, PATH).root.all("textarea", id="words")
    engine = Scripted(lambda _task, _context: result())
    services.runs.registry.engines.registrar("tests")(engine)
    assert page_of(browser, PATH).root.one("textarea", id="words")


def test_targets_are_those_that_an_engine_can_write(browser: SignedBrowser) -> None:
    targets = settings_of(page_of(browser, PATH))["tasks"]["convert"]["targets"]
    assert "yaml" in targets["json"]
    assert all(name not in found for name, found in targets.items())
    assert "python" not in {each for found in targets.values() for each in found}


def test_an_analysis_without_scripts(browser: SignedBrowser, services: Services) -> None:
    page = result_of(browser, send(browser, code=BAD, language="python"))
    assert "CWE-502" in page.root.one("main").text
    assert services.ledger.balance(browser.account_id).available == 2


def test_a_transformation_without_scripts(browser: SignedBrowser) -> None:
    code = "def f(x):\r\n    return not x in [1, 2]\r\n"
    page = result_of(browser, send(browser, code=code, task="refactor"))
    diff = page.root.one("pre", class_="run-diff")
    assert "+ return x not in [1, 2]" in diff.text
    assert len(diff.all("span", class_="added")) == 1  # the ends of lines are not changes
    assert "Parses: passed" in page.root.one("ul", class_="checks").text


def test_the_target_counts_only_where_the_language_changes(browser: SignedBrowser) -> None:
    page = result_of(
        browser, send(browser, code='{"a": 1}', task="convert", language="json", target="yaml")
    )
    assert "JSON to YAML" in page.text


def test_what_the_form_says_reaches_the_engine(browser: SignedBrowser, scripted: Scripted) -> None:
    seen: list[AnalysisTask] = []

    def look(task: AnalysisTask, _: RunContext) -> Any:
        seen.append(task)
        return result()

    scripted.script = look
    answer = send(browser, code="a\r\nb", language="go", words="Why?", model="pro")
    assert answer.status_code == 303
    assert seen == [AnalysisTask("a\nb", "go", "Why?", seen[0].model)]
    assert seen[0].model == "pro"


@pytest.mark.parametrize(
    ("fields", "field", "told"),
    [
        ({"code": ""}, "code", "missing"),
        ({"code": " \n"}, "code", "The code"),
        ({"code": "x" * 100_001}, "code", "100,000"),
        ({"code": "x", "model": "huge"}, "model", "The depth"),
        ({"code": "x", "words": "y" * 1_001}, "words", "The text"),
        ({"code": "x", "task": "bless"}, "task", "The task"),
        ({"code": "x", "task": "refactor", "language": "klingon"}, "", "Code in klingon"),
        (
            {"code": "{}", "task": "convert", "language": "json", "target": "json"},
            "target",
            "The t",
        ),
    ],
)
def test_what_is_wrong_stands_at_its_field(
    browser: SignedBrowser, services: Services, fields: dict[str, str], field: str, told: str
) -> None:
    if field == "words":  # which is there for a model alone
        services.runs.registry.engines.registrar("tests")(Scripted(lambda _t, _c: result()))
    page = checked(send(browser, **fields), 400)
    wrong = page.root.one("p", class_="wrong")
    assert told in wrong.text
    assert wrong.attributes.get("id") == (f"{field}-wrong" if field else None)
    assert page.root.one("title").text.startswith("Error: ")
    typed = page.root.one("textarea", id="code")
    assert "".join(map(str, typed.children)).strip() == fields["code"].strip()
    if field not in {"", "model"}:
        marked = next(each for each in page.root.all(id=field))
        assert marked["aria-invalid"] == "true"
        assert marked["aria-describedby"].split()[0] == f"{field}-wrong"
    assert services.ledger.balance(browser.account_id).available == 3


def test_what_was_typed_is_no_markup(browser: SignedBrowser) -> None:
    page = checked(send(browser, code=HOSTILE, words=HOSTILE, task="bless"), 400)
    assert page.root.one("textarea", id="code").text == HOSTILE
    assert not page.root.one("main").all("b")


def test_no_credits_and_too_many_runs(
    browser: SignedBrowser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = {"code": "x = 1\n" * 4_000, "language": "python", "task": "optimize", "model": "pro"}
    page = checked(send(browser, **long), 402)
    assert "5 credits, but the account has 3" in page.root.one("p", class_="wrong").text
    monkeypatch.setattr(services.runs, "draining", True)
    answer = send(browser, code=BAD)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "shutting down" in answer.text


def test_a_token_for_the_scripts(browser: SignedBrowser, app: Flask) -> None:
    headers = {**OWN, "X-CSRF-Token": browser.csrf()}
    answer = browser.client.post("/playground/token", headers=headers)
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    ends = datetime.fromisoformat(answer.json["expiresAt"])
    lasts = ends - datetime.fromtimestamp(now_ms() / 1000, UTC)
    assert timedelta(minutes=9) < lasts <= timedelta(minutes=10, seconds=1)
    asked = app.test_client().get(
        "/api/v1/account", headers={"Authorization": f"Bearer {answer.json['token']}"}
    )
    assert asked.json["data"]["email"] == "ann@example.org"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({**OWN, "X-CSRF-Token": "0" * 64}, 403),
        (OWN, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({}, 403),
    ],
)
def test_no_token_for_others(browser: SignedBrowser, headers: dict[str, str], status: int) -> None:
    answer = browser.client.post("/playground/token", headers=headers)
    assert answer.status_code == status
    assert "eyJ" not in answer.text


def test_bundles_are_asked_for_with_the_nonce_or_not_at_all(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: dict[str, str] = {"playground.js": "playground-ABC.js"}
    monkeypatch.setattr(codeintel.web.blueprint, "_manifest", lambda: files)
    answer = client.get(PATH)
    script = Page(answer.text).root.one("script", type="module")
    assert script["src"] == "/static/web/dist/playground-ABC.js"
    assert f"'nonce-{script['nonce']}'" in answer.headers["Content-Security-Policy"]
    files.clear()
    assert not Page(client.get(PATH).text).root.all("script", type="module")
