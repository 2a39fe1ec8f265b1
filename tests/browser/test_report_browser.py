"""Reports in a browser: live, without scripts, by keyboard, and as a separate file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import report_samples as samples
from browser_site import Browse, Person, Site
from page_checks import too_wide, violations
from page_watch import Watch
from playwright.sync_api import Browser, Page, expect
from report_pages import path_of, pushed, show, with_reports
from report_storage import Going, keep
from test_keyboard import is_seen, stops

from codeintel.contracts.workspaces.records import ProofState
from codeintel.web.workspaces.report_pages import printed_report


@pytest.fixture
def page(browse: Browse, ada: Person) -> Page:
    """Return the page of a signed-in user. Dialogs fail the test."""
    found = browse(ada, reduced_motion="reduce")
    found.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    return found


def test_an_analysis_is_followed_to_its_end(page: Page, site: Site, ada: Person) -> None:
    session = pushed(site, ada)
    going = Going(site.engine, session)
    show(page, path_of(session))
    now = page.get_by_role("region", name=re.compile("Being analyzed"))
    expect(now).to_be_visible()
    expect(page.get_by_role("link", name="Refresh")).to_be_hidden()
    for done in (3, 17):
        going.at(done, 40)
        expect(now.get_by_role("status")).to_have_text(f"{done} of 40 files analyzed so far.")
        expect(page.get_by_role("progressbar")).to_have_attribute("value", str(done))
    report = samples.renumbered(samples.report(), 1)
    passed = msgspec.structs.replace(report.summary, status=ProofState.PASSED)
    going.end(msgspec.structs.replace(report, summary=passed))
    expect(page.get_by_role("heading", name="Revision 1: passed")).to_be_visible()
    expect(now).to_have_count(0)


def test_a_stream_that_breaks_is_opened_again(browse: Browse, site: Site, ada: Person) -> None:
    page = browse(ada, ("/proof/events",))
    session = pushed(site, ada)
    going = Going(site.engine, session)
    broken: list[str] = []

    def cut(route: object) -> None:
        broken.append("once")
        route.abort() if len(broken) < 3 else route.continue_()  # type: ignore[attr-defined]

    page.route("**/proof/events", cut)
    show(page, path_of(session))
    going.at(5, 9)
    expect(page.get_by_text("5 of 9 files analyzed so far.")).to_be_visible()
    assert len(broken) == 3


def test_what_went_wrong_is_said_and_can_be_tried_again(
    browse: Browse, site: Site, ada: Person
) -> None:
    page = browse(ada, ("/proof/events",))
    session = pushed(site, ada)
    going = Going(site.engine, session)
    refusal = {"error": {"code": "not_found", "message": "It cannot be read now.", "details": {}}}
    page.route("**/proof/events", lambda route: route.fulfill(status=404, json=refusal))
    show(page, path_of(session))
    expect(page.get_by_role("alert")).to_contain_text("It cannot be read now.")
    expect(page.get_by_role("link", name="Refresh")).to_be_visible()
    page.unroute("**/proof/events")
    going.at(2, 3)
    page.get_by_role("button", name="Try again", exact=True).click()
    expect(page.get_by_text("2 of 3 files analyzed so far.")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_new_analysis_is_begun_and_ends(page: Page, site: Site, ada: Person) -> None:
    session = pushed(site, ada)
    show(page, path_of(session))
    page.get_by_label("Look up direct dependencies").check()
    page.get_by_role("button", name="Analyze now").click()
    expect(page.locator(".rp-list tbody tr")).to_have_count(2)
    expect(page.get_by_label("Look up direct dependencies")).to_be_checked()
    page.get_by_role("link", name="Read the report").click()
    expect(page.get_by_role("heading", name=re.compile("Revision 1: "))).to_be_visible()


def test_hostile_names_and_contents_do_nothing(page: Page, site: Site, ada: Person) -> None:
    session = with_reports(site, ada)
    show(page, path_of(session, 9))
    main = page.get_by_role("main")
    expect(main.locator("script, img, iframe, svg[onload]")).to_have_count(0)
    text = main.inner_text()
    assert "<script>alert(1)</script>[U+202E]gpj.py" in text
    assert not set("\u202e\u2066\x1b") & set(text)
    heading = page.locator(".finding-place", has_text="gpj.py").first
    begin, end = (
        heading.evaluate(
            """(heading, word) => {
              const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
              for (let node; (node = walker.nextNode());) {
                const at = node.data.indexOf(word);
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + word.length);
                return range.getBoundingClientRect().x;
              }
            }""",
            word,
        )
        for word in ("/src/", "gpj.py")
    )
    assert begin < end, "the name is read from left to right"


def test_filters_and_links(page: Page, site: Site, ada: Person) -> None:
    session = with_reports(site, ada)
    show(page, path_of(session, 9))
    page.get_by_label("Severity", exact=True).select_option("medium")
    page.get_by_label("Compared").select_option("new")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.locator(".finding")).to_have_count(1)
    expect(page.get_by_label("Severity", exact=True)).to_have_value("medium")
    page.locator(".finding").get_by_role("link", name="F401").click()
    expect(page.locator("h1")).to_contain_text("Unused import")


def test_a_finding_leads_to_its_line(page: Page, site: Site, ada: Person) -> None:
    session = pushed(site, ada)
    show(page, path_of(session, 1))
    page.locator(".finding").first.get_by_role("link", name=re.compile("^Line 2, column")).click()
    expect(page).to_have_url(re.compile(r"path=(%2F|/)src(%2F|/)cart\.py"))
    expect(page.get_by_text("pickle.loads").first).to_be_visible()
    expect(page.locator("[data-place]")).to_have_text(re.compile("^Line 2, column"))


def test_without_scripts(browse: Browse, site: Site, ada: Person) -> None:
    page = browse(ada, java_script_enabled=False)
    session = with_reports(site, ada)
    going = Going(site.engine, session)
    going.at(1, 2)
    show(page, path_of(session))
    expect(page.get_by_text("1 of 2 files analyzed so far.")).to_be_visible()
    going.end(samples.renumbered(samples.report(before=False), 1))
    page.get_by_role("link", name="Refresh").click()
    page.get_by_role("link", name="Revision 9").click()
    page.get_by_label("Path begins with").fill("/src/shop/c")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.locator(".finding")).to_have_count(2)
    page.locator("summary", has_text="as a table").click()
    expect(page.get_by_role("table", name="Findings by file and severity")).to_be_visible()


@pytest.mark.parametrize("width", [1400, 360])
def test_every_stop_of_a_report_is_seen(
    browse: Browse, site: Site, ada: Person, width: int
) -> None:
    page = browse(ada, viewport={"width": width, "height": 780}, reduced_motion="reduce")
    session = pushed(site, ada)
    keep(site.engine, session, samples.renumbered(samples.report(), 2))
    for path in (path_of(session), path_of(session, 2)):
        show(page, path)
        page.get_by_role("link", name="Skip to main content").focus()
        page.keyboard.press("Shift+Tab")
        assert [stop["what"] for stop in stops(page) if not is_seen(stop)] == []


@pytest.fixture
def alone(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """Open the exported file of a report from disk."""
    file = tmp_path / "report.html"
    hostile = samples.session(name=samples.HOSTILE, branch_name=samples.HOSTILE)
    file.write_text(printed_report(samples.report(), hostile), "utf-8", "replace")
    context = chromium.new_context(accept_downloads=False)
    watch = Watch(context, file.as_uri(), ())
    found = context.new_page()
    found.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    found.goto(file.as_uri())
    yield found
    troubles = watch.troubles
    context.close()
    assert not troubles, "\n".join(troubles)


def test_an_exported_report_stands_alone(alone: Page) -> None:
    expect(alone.get_by_role("heading", level=1)).to_contain_text("[U+202E]")
    expect(alone.locator("script, link, img, iframe, a, form")).to_have_count(0)
    expect(alone.get_by_role("img", name="Findings by severity")).to_be_visible()
    assert too_wide(alone, 320) == []
    assert violations(alone) == []
    assert alone.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert len(alone.pdf()) > 10_000
