"""Input never becomes markup or code: that of upstreams, models, identity providers, users who
push workspaces, and the visitor."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import msgspec
import pytest
import report_samples as samples
from browser_site import ANALYZE, SETTINGS, Browse, Person, Site, made_app
from page_scenes import open_page
from planted_texts import PLUGIN, TEXTS, plant_upstreams, text
from playwright.sync_api import Browser, Page, expect
from report_pages import path_of, pushed
from report_storage import keep
from trust_upstreams import fake_upstreams

from codeintel.base.entitlements import Tier
from codeintel.identity.audit import Actor
from codeintel.testing.server import LiveServer
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.requests import SyncBody

EMAIL = '"><img/data-planted/src=x/onerror=window.__planted(1)>@example.org'
NAMES = (
    "<img data-planted src=x onerror=window.__planted('name')>.py",
    "a'\"><b data-planted>.html",
)
NUMBERS = count(1)
ACTOR = Actor(text(2)[:60], text(3)[:40])
FOUND = """() => ({
  elements: [...document.querySelectorAll("[data-planted]")].map((each) => each.outerHTML),
  links: [...document.querySelectorAll("[href], [src], [action], [formaction]")]
    .flatMap((each) => ["href", "src", "action", "formaction"].map((name) => each[name]))
    .filter((each) => /^\\s*(?:javascript|vbscript|data:text)/i.test(String(each ?? ""))),
  handlers: [...document.querySelectorAll("*")].flatMap((each) =>
    each.getAttributeNames().filter((name) => name.startsWith("on"))),
  computed: document.body.innerText.includes("4949"),
  is_told: document.documentElement.outerHTML.includes("data-planted"),
})"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a site whose upstreams and model are all malicious."""
    instance = tmp_path_factory.mktemp("planted")
    (instance / "plugins").mkdir()
    (instance / "plugins/planted.py").write_text(PLUGIN.format(texts=TEXTS))
    with fake_upstreams() as upstreams:
        upstreams.add(
            "kit", advisories=(("GHSA-1", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"),)
        )
        settings = SETTINGS | upstreams.settings() | plant_upstreams(upstreams)
        with LiveServer(instance, **settings) as server, made_app(instance, settings) as app:
            yield Site(server, app)


@pytest.fixture
def eve(site: Site) -> Person:
    """Return a user whose account, keys and browsers all have planted names."""
    services = site.services
    account = services.accounts.create(
        EMAIL.replace("(1)", f"({next(NUMBERS)})"), Tier.PRO, 500, False
    )
    for number in range(len(TEXTS)):
        services.keys.create(account.id, text(number)[:80], ["api:v1"])
        services.sessions.open(
            account.id, "https://evil.example/" + text(number), agent=text(number)
        )
    subject = f"{text(1)} {account.id}"
    services.identities.join(account.id, "https://evil.example/", subject, text(0), ACTOR)
    yield Person(account.email, account.id)
    services.sessions.end_all(account.id, ACTOR)


def workspace(site: Site, person: Person) -> WorkspaceRecord:
    """Push a workspace with planted names, files and report."""
    body = SyncBody(
        files={f"/{name}": "\n".join(TEXTS) for name in NAMES},
        name=text(0),
        source=text(1)[:64],
        local_root_name=text(2),
        branch_name=text(3),
        remote_url="https://evil.example/'\"><b>/x.git",
    )
    session = site.services.workspaces.sync(person.account_id, Tier.PRO, body).session
    wait_for = pushed(site, person)  # another one: the proof loop works on both in turn
    assert wait_for.id != session.id
    report = samples.report()
    findings = tuple(
        msgspec.structs.replace(
            each,
            path=f"/{NAMES[number % 2]}",
            excerpt=text(number),
            finding=msgspec.structs.replace(
                each.finding,
                message=text(number),
                remedy=text(number + 1),
                rule_id=text(number + 2),
            ),
        )
        for number, each in enumerate(report.findings)
    )
    changed = msgspec.structs.replace(report, findings=findings, notes=TEXTS)
    keep(site.engine, session, samples.renumbered(changed, 9))
    return session


def look(page: Page, path: str) -> bool:
    """Open a page and check that planted texts cause no markup, links or handlers. Return
    whether the page shows one as text."""
    open_page(page, path)
    page.wait_for_load_state("networkidle")
    found = page.evaluate(FOUND)
    is_told = bool(found.pop("is_told"))
    assert found == {"elements": [], "links": [], "handlers": [], "computed": False}, path
    return is_told


@pytest.fixture
def page(browse: Browse, eve: Person) -> Iterator[Page]:
    """Return a page of a signed-in user that records scripts that run, and dialogs.

    The fixture itself fails the test if the policy blocks a request, or if a request goes to
    another host.
    """
    page = browse(eve, expected=("response: 400 GET",))  # for what is no target, no language
    ran: list[str] = []
    page.expose_function("__planted", lambda what: ran.append(str(what)))
    page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    yield page
    assert ran == []


def test_what_is_not_escaped_is_found(chromium: Browser) -> None:
    for each in TEXTS:
        page = chromium.new_page()
        page.set_content(f"<p title='{each}'>{each}</p>")
        assert page.evaluate(FOUND)["elements"], each
        page.close()


def test_upstreams(page: Page) -> None:
    told = [
        look(page, path)
        for path in (
            "/search?q=legit",
            "/search?q=stellar&sources=npm",
            "/trust?target=npm:kit",
            "/trust?target=github:example-org/kit",
        )
    ]
    assert told[:3] == [True, True, True], "it was asked, and what it said is shown"


def test_people(page: Page) -> None:
    paths = ("/account", "/account/keys", "/account/activity", "/", "/runs", "/playground")
    told = [look(page, path) for path in paths]
    assert all(told), "the address is on every page"


def test_visitors(page: Page) -> None:
    for path in (
        "/search?q=",
        "/trust?target=",
        "/docs/rules?language=",
        "/signin?next=",
        "/runs?before=",
    ):
        for each in TEXTS[:3]:
            page.goto(path + each.replace("#", "%23").replace("%=", "%25=").replace("&", "%26"))
            found = page.evaluate(FOUND)
            assert (found["elements"], found["links"], found["handlers"]) == ([], [], []), path


def test_models(page: Page, site: Site, eve: Person) -> None:
    run = site.run(eve, ANALYZE, code="\n".join(TEXTS))
    assert look(page, f"/runs/{run}")
    open_page(page, "/playground")
    page.locator("[data-source] .cm-content").fill("x = 1\n")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("[data-status]")).to_contain_text("Done.")
    found = page.evaluate(FOUND)
    assert (found["elements"], found["links"], found["handlers"]) == ([], [], [])
    assert found["is_told"]


def test_workspaces(page: Page, site: Site, eve: Person) -> None:
    session = workspace(site, eve)
    here = f"/workspace/{session.id}"
    report = path_of(session, 9)
    ways = ["/workspace", here, f"{here}?revision=1", f"{here}?revision=1&q=planted"]
    ways += [f"{here}/history", f"{here}/diff", f"{here}/delete", f"{here}/restore?revision=1"]
    ways += [path_of(session), report, f"{report}?path=/%3Cimg"]
    ways += [f"{here}?revision=1&path=/{NAMES[0].replace('<', '%3C').replace(' ', '%20')}"]
    told = [look(page, way) for way in ways]
    assert all(told)
