"""The API reference with scripts: sending requests, the language of the examples, former links."""

from __future__ import annotations

import re

import pytest
from browser_site import Browse, Person, Site
from page_scenes import open_page
from playwright.sync_api import Page, Route, expect

MOST_PIXELS, MOST_BYTES = 15_000, 250_000
WRONG_KEY = "ci_live_" + "A" * 30


def send(page: Page) -> None:
    page.get_by_role("button", name="Send request").click()


def status(page: Page) -> str:
    return page.locator("[data-try] [data-status]").inner_text()


def test_with_the_account_of_the_session(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    open_page(page, "/docs/api/account")
    expect(page.get_by_label("API key").last).to_be_hidden()
    send(page)
    expect(page.locator("[data-status]")).to_have_text(re.compile(r"^200 .*in \d+ ms$"))
    body = page.get_by_role("region", name="Response body")
    expect(body).to_contain_text('\n    "tier": "PRO"')
    headers = page.locator("[data-headers]")
    for name in ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Request-Id"):
        expect(headers).to_contain_text(name)
    sent = page.get_by_role("region", name="Request sent")
    expect(sent).to_have_text("GET /api/v1/account\nAuthorization: Bearer …")


def test_a_key_is_used_and_stored_nowhere(browse: Browse, site: Site, ada: Person) -> None:
    page = browse(expected=("response: 401 GET",))
    open_page(page, "/docs/api/account")
    send(page)
    expect(page.get_by_role("alert")).to_have_text("Enter an API key.")
    field = page.get_by_label("API key", exact=True).last
    expect(field).to_be_focused()
    field.fill(WRONG_KEY)
    field.press("Enter")
    expect(page.locator("[data-status]")).to_contain_text("401")
    expect(page.locator("[data-advice]")).to_contain_text("The API key is wrong")
    expect(page.get_by_role("region", name="Response body")).to_contain_text("unauthorized")
    field.fill(site.key(ada))
    send(page)
    expect(page.locator("[data-status]")).to_contain_text("200")
    expect(page.locator("[data-advice]")).to_be_hidden()
    kept = page.evaluate(
        "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    )
    assert "ci_" not in kept
    page.reload()
    expect(page.get_by_label("API key", exact=True).last).to_have_value("")


def test_events_of_a_run_appear_one_by_one(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    open_page(page, "/docs/api/analyze")
    send(page)
    expect(page.locator("[data-status]")).to_contain_text("The stream has ended.")
    events = page.locator("[data-events] li")
    expect(events.first.locator("summary")).to_have_text("1 run.created")
    expect(events.last.locator("summary")).to_contain_text("run.completed")
    events.first.locator("summary").click()
    expect(events.first.locator("pre")).to_contain_text('\n  "kind": "analysis"')
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()


def test_a_stream_is_stopped(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    open_page(page, "/docs/api/analyze")
    # The engine of `plugins/slow.py` takes this long.
    slow = '{"code": "# seconds: 60\\nx = 1\\n", "language": "python", "model": "pro"}'
    page.get_by_label("Body", exact=True).fill(slow)
    send(page)
    expect(page.locator("[data-events] li").first).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("[data-status]")).to_have_text("Stopped.")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    expect(page.get_by_role("button", name="Send request")).to_be_enabled()


@pytest.mark.parametrize(
    ("path", "label", "value", "message"),
    [
        ("/docs/api/analyze", "Body", '{"code": }', "The body is not JSON"),
        ("/docs/api/runs-read-run", "run_id", "", "Enter a value for run_id."),
        ("/docs/api/runs-read-run", "run_id", "../account", "must not have the parts"),
        ("/docs/api/analyze", "Idempotency-Key", "é", "must be printable ASCII"),
    ],
)
def test_mistakes_are_named_before_anything_is_sent(
    browse: Browse, ada: Person, path: str, label: str, value: str, message: str
) -> None:
    page = browse(ada)
    open_page(page, path)
    page.route("**/api/**", lambda route: route.abort())
    field = page.locator("[data-try]").get_by_label(re.compile(rf"^{label}\b(?! of)"))
    field.fill(value)
    send(page)
    expect(page.get_by_role("alert")).to_contain_text(message)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    assert status(page) == ""


def test_values_stay_in_their_place(browse: Browse, ada: Person) -> None:
    """A value cannot change the operation, and is sent only to this service."""
    page = browse(ada)
    open_page(page, "/docs/api/workspace-read-file")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=204)

    page.route("**/api/**", answer)
    form = page.locator("[data-try]")
    form.get_by_label(re.compile("^workspace_id")).fill("//evil.example?x#y")
    form.get_by_label(re.compile("^path")).fill("/src/a b.py")
    form.get_by_label(re.compile("^revision")).fill("1&format=x")
    send(page)
    expect(page.locator("[data-status]")).to_contain_text("204")
    (address,) = asked
    assert address.endswith(
        "/api/workspace/evil.example%3Fx%23y/files/src/a%20b.py?revision=1%26format%3Dx"
    )


def test_keys_are_listed_with_the_cookie(browse: Browse, site: Site, ada: Person) -> None:
    site.key(ada, "laptop")
    page = browse(ada)
    open_page(page, "/docs/api/api-keys-list")
    send(page)
    expect(page.get_by_role("region", name="Response body")).to_contain_text("laptop")


def test_an_archive_is_downloaded(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    open_page(page, "/docs/api/workspace-archive")
    page.route(
        "**/archive.zip", lambda route: route.fulfill(body=b"PK..", content_type="application/zip")
    )
    page.locator("[data-try]").get_by_label(re.compile("^workspace_id")).fill("ws_1")
    send(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the body (4 bytes)").click()
    assert download.value.path().read_bytes() == b"PK.."


def test_the_language_of_the_examples_stays(browse: Browse) -> None:
    page = browse()
    open_page(page, "/docs/api/health")
    page.get_by_label("Python", exact=True).check()
    expect(page.locator("#example-python")).to_be_visible()
    expect(page.locator("#example-curl")).to_be_hidden()
    page.get_by_role("link", name="Search registries").click()
    expect(page.get_by_role("heading", name="Search registries", level=1)).to_be_visible()
    expect(page.get_by_label("Python", exact=True)).to_be_checked()
    expect(page.locator("#example-python")).to_contain_text("import requests")


def test_without_scripts_the_tabs_work_and_no_form_is_shown(browse: Browse) -> None:
    page = browse(java_script_enabled=False)
    open_page(page, "/docs/api/analyze")
    for name in ("python", "javascript", "curl"):
        page.locator(f"#language-{name}").check()
        for other in ("curl", "python", "javascript"):
            expect(page.locator(f"#example-{other}")).to_be_visible(visible=other == name)
    expect(page.get_by_role("button", name="Send request")).to_be_hidden()
    page.get_by_role("link", name="Search", exact=True).last.click()
    page.get_by_label("Search the reference").fill("rate_limit")
    page.get_by_role("main").get_by_role("button", name="Search").click()
    page.get_by_role("link", name="rate_limit_exceeded").click()
    expect(page.locator("tr:target")).to_contain_text("rate_limit_exceeded")


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("#operation-analyze", "/docs/api/analyze"),
        ("#error-not_found", "/docs/errors#error-not_found"),
        ("#event-run-failed", "/docs/events#event-run-failed"),
        ("#object-Finding", "/docs/objects/Finding"),
        ("#limits", "/docs#limits"),
        ("#tag-trust", "/docs#tag-trust"),
    ],
)
def test_former_links_lead_to_the_new_pages(browse: Browse, former: str, now: str) -> None:
    page = browse()
    page.goto(f"/docs{former}")
    page.wait_for_url(f"**{now}")


def test_a_link_to_an_object_unfolds_it(browse: Browse) -> None:
    page = browse()
    open_page(page, "/docs/api/account")
    link = page.locator("#answer").locator("a[href^='#object-']").first
    target = page.locator(f"{link.get_attribute('href')}")
    expect(target).to_be_hidden()
    link.click()
    expect(target).to_be_visible()


def test_no_page_is_long(browse: Browse) -> None:
    page = browse(viewport={"width": 1440, "height": 900})
    open_page(page, "/docs")
    links = page.locator("nav.contents a")
    paths = [each.get_attribute("href") or "" for each in links.all()]
    assert len(paths) > 30
    for path in [*paths, "/docs/objects/Finding", "/docs/search?q=a"]:
        answer = page.goto(path)
        assert answer is not None
        assert len(answer.body()) < MOST_BYTES, path
        assert page.evaluate("document.documentElement.scrollHeight") < MOST_PIXELS, path
