"""The playground with its scripts: what comes back while it is made."""

from __future__ import annotations

import re
from pathlib import Path

from browser_site import Browse, Person, Site
from cut_line import cut_line
from page_checks import moving
from page_scenes import BAD_CODE, LOOP, open_page, paste, play
from playwright.sync_api import Locator, Page, expect

CUT = ("/events failed", "/stream failed", "/account failed")
WAIT_MS, MOST_TRIES = 9_000, 100
RUN_MS = 15_000
LATER = "word 9 "


def slowly(seconds: int) -> str:
    """Code that the engine of `plugins/slow.py` takes so long for."""
    return f"# seconds: {seconds}\nx = 1\n"


def part(page: Page, name: str) -> Locator:
    """Return a part of the page, as its scripts call it."""
    return page.locator(f"[data-{name}]")


def begin(page: Page, seconds: int) -> None:
    """Run something slow, until it speaks."""
    open_page(page, "/playground")
    paste(page, slowly(seconds))
    page.get_by_label("pro", exact=False).check()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(part(page, "summary-text")).to_contain_text(LATER)


def has_all_words(page: Page, seconds: int) -> None:
    """Check that the words of a slow run are complete and in order."""
    words = " ".join(f"word {number}" for number in range(seconds * 20))
    assert part(page, "summary-text").inner_text().split() == words.split()


def test_findings_are_in_the_list_and_in_the_gutter(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    play(page, "Analyze", BAD_CODE)
    findings = part(page, "finding-list").locator(".finding")
    count = findings.count()
    expect(part(page, "status")).to_contain_text(f"Done. {count} findings.")
    expect(part(page, "finding-count")).to_have_text(str(count))
    injection = findings.filter(has_text="CWE-89").first
    expect(injection.locator(".frame-marked")).to_have_text(BAD_CODE.splitlines()[6])
    lines = {re.findall(r"line (\d+)", each)[0] for each in findings.all_inner_texts()}
    expect(page.locator(".cm-gutter-lint .cm-lint-marker")).to_have_count(len(lines))
    injection.get_by_role("button", name=re.compile("Line 7")).last.click()
    expect(page.locator(".cm-content")).to_be_focused()
    expect(page.locator(".cm-activeLine")).to_contain_text("SELECT")
    page.keyboard.type("x")  # the place is selected: what is typed takes its place
    expect(page.locator(".cm-content")).not_to_contain_text("SELECT * FROM users")


def test_a_run_is_stopped(browse: Browse, ada: Person) -> None:
    page = browse(ada, reduced_motion="reduce")
    begin(page, 60)
    assert moving(page) == []
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Stop").click()
    expect(part(page, "status")).to_contain_text("Stopped.")
    expect(part(page, "status")).to_contain_text("credit")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    page.get_by_role("link", name="Open the run").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cancelled")


def test_the_page_of_a_run_shows_its_findings_with_code(
    browse: Browse, ada: Person, tmp_path: Path
) -> None:
    page = browse(ada)
    play(page, "Analyze", BAD_CODE)
    expect(part(page, "status")).to_contain_text("Done.")
    address = page.get_by_role("link", name="Open the run").get_attribute("href") or ""
    frames = page.locator("main .code-frame")
    page.goto(address)  # in the tab that has started it
    expect(frames.first).to_be_visible()
    shown = frames.count()
    marked = page.locator(".finding").filter(has_text="CWE-89").first.locator(".frame-marked")
    expect(marked).to_have_text(BAD_CODE.splitlines()[6])

    other = page.context.new_page()
    sent: list[str] = []
    other.on("request", lambda each: each.method == "POST" and sent.append(each.url))
    other.goto(address)
    frames = other.locator("main .code-frame")
    choose = other.get_by_label("Show code of").last
    status = other.locator("[data-code-status]")
    file = tmp_path / "app.py"
    file.write_text(BAD_CODE + "\n")
    choose.set_input_files(file)
    expect(status).to_contain_text("app.py is not the code of this run.")
    expect(frames).to_have_count(0)
    file.write_text(BAD_CODE.replace("\n", "\r\n"), newline="")
    choose.set_input_files(file)
    expect(status).to_have_text("The findings are shown with app.py.")
    expect(frames).to_have_count(shown)
    assert sent == []  # the file stays in the browser


def test_a_run_is_followed_and_stopped_on_its_own_page(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    begin(page, 60)
    own = page.context.new_page()
    own.goto(page.get_by_role("link", name="Open the run").get_attribute("href") or "")
    expect(part(own, "summary-text")).to_contain_text("word 0 word 1")
    own.get_by_role("button", name="Stop").click()
    expect(own.get_by_role("heading", level=1)).to_contain_text("Cancelled")
    expect(part(page, "status")).to_contain_text("Stopped.")


def test_a_run_goes_on_by_itself_after_the_line_was_cut(
    browse: Browse, site: Site, ada: Person
) -> None:
    with cut_line(site.url) as line:
        page = browse(ada, CUT, base_url=line.url)
        begin(page, 4)
        line.cut()
        expect(part(page, "status")).to_contain_text("Reconnecting")
        line.mend()
        expect(part(page, "status")).to_contain_text("Done.")
        has_all_words(page, 4)


def test_a_run_is_resumed_by_hand_after_a_longer_outage(
    browse: Browse, site: Site, ada: Person
) -> None:
    with cut_line(site.url) as line:
        page = browse(ada, CUT, base_url=line.url)
        page.clock.install()
        begin(page, 4)
        line.cut()
        resume = page.get_by_role("button", name="Resume")
        for _ in range(MOST_TRIES):
            expect(part(page, "status")).not_to_contain_text("Started")
            page.clock.fast_forward(WAIT_MS)  # skip the waits between tries
            if resume.is_visible():
                break
        expect(resume).to_be_visible()
        expect(part(page, "problem")).to_be_visible()
        line.mend()
        resume.click()
        expect(part(page, "status")).to_contain_text("Done.")
        has_all_words(page, 4)


def test_a_change_is_shown_in_both_layouts_with_its_checks(
    browse: Browse, ada: Person, tmp_path: Path
) -> None:
    page = browse(ada, permissions=["clipboard-write"])
    play(page, "Refactor", LOOP)
    expect(part(page, "status")).to_contain_text("Proven: the new code behaves like the original.")
    assert part(page, "check-list").locator("> li").count() >= 4
    for layout, editors in (("Side by side", 2), ("Unified", 1), ("Side by side", 2)):
        page.get_by_role("button", name=layout).click()
        expect(page.get_by_role("button", name=layout)).to_have_attribute("aria-pressed", "true")
        expect(part(page, "diff").locator(".cm-content")).to_have_count(editors)
        expect(part(page, "diff")).to_contain_text("names.append")
        expect(part(page, "diff")).to_contain_text("return [")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download").click()
    downloading.value.save_as(tmp_path / "result.py")
    changed = (tmp_path / "result.py").read_text()
    assert downloading.value.suggested_filename.endswith(".py")
    assert "return [" in changed
    page.get_by_role("button", name="Copy the result").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    paste(page, "")
    page.locator("[data-source] .cm-content").press("ControlOrMeta+v")
    expect(page.locator("[data-source] .cm-content")).to_contain_text("return [")


def test_the_same_from_a_terminal(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    open_page(page, "/playground")
    page.get_by_text("Run this from a terminal").click()
    paste(page, "print('it is')\n")
    expect(part(page, "curl")).to_contain_text("/api/v1/analyze/stream")
    expect(part(page, "curl")).to_contain_text("it is")
    expect(part(page, "command")).to_contain_text("codeintel analyze FILE")
    page.get_by_label("Task").select_option(label="Refactor")
    expect(part(page, "command")).to_contain_text("codeintel transform FILE --to refactor")
    expect(part(page, "curl")).to_contain_text("/api/v1/transform/stream")


def test_a_file_is_opened(browse: Browse, ada: Person, tmp_path: Path) -> None:
    page = browse(ada)
    (tmp_path / "load.py").write_text(BAD_CODE)
    open_page(page, "/playground")
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Open a file").click()
    choosing.value.set_files(tmp_path / "load.py")
    expect(page.locator(".cm-content")).to_contain_text("pickle.loads")
    expect(page.get_by_label("Language", exact=True)).to_have_value("python")


def test_an_example_runs_by_key_and_shows_the_path_of_a_value(browse: Browse, ada: Person) -> None:
    page = browse(ada, permissions=["clipboard-write"])
    open_page(page, "/playground")
    page.get_by_role("link", name="C", exact=True).click()
    expect(page.locator("[data-source] .cm-content")).to_be_focused()
    expect(page.get_by_label("Language", exact=True)).to_have_value("c")
    expect(page.get_by_label("pro", exact=False)).to_be_checked()
    page.get_by_label("flash", exact=False).check()  # the other one is slow here
    page.keyboard.press("ControlOrMeta+Enter")
    expect(part(page, "status")).to_contain_text("Done.", timeout=RUN_MS)
    finding = page.locator(".finding").filter(has_text="argv[1]").filter(has=page.locator(".step"))
    expect(finding.locator(".step")).to_have_count(2)
    expect(finding.locator(".step code").last).to_contain_text("strcat")
    finding.locator(".step").last.get_by_role("button").click()
    expect(page.locator(".cm-activeLine")).to_contain_text("strcat")
    finding.get_by_role("button", name="Copy").click()
    expect(finding.get_by_role("button", name="Copied")).to_be_visible()
    paste(page, "")
    page.locator("[data-source] .cm-content").press("ControlOrMeta+v")
    expect(page.locator("[data-source] .cm-content")).to_contain_text("CWE-")
    expect(page.locator("[data-source] .cm-content")).to_contain_text("strcat(command, argv[1]);")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".pg-link").get_by_role("button", name="Copied")).to_be_visible()
    paste(page, "")
    page.locator("[data-source] .cm-content").press("ControlOrMeta+v")
    expect(page.locator("[data-source] .cm-content")).to_contain_text("/runs/run_")


def test_findings_are_filtered_and_low_confidence_is_folded(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    play(page, "Analyze", BAD_CODE + "\n\ndef check(token):\n    assert token == 'x'\n")
    shown = page.locator(".finding:visible")
    count = page.locator(".finding").count()
    folded = page.locator(".findings-folded .finding").count()
    expect(shown).to_have_count(count - folded)
    if folded:
        expect(page.locator(".finding-count")).to_contain_text("folded away")
        page.locator(".findings-folded summary").first.click()
        expect(shown).to_have_count(count)
    chip = page.locator(".counters button").nth(1)
    chip.click()
    expect(page.locator(".counters button").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".counters button").nth(1)).to_be_focused()
    number = int(page.locator(".counters button").nth(1).locator("strong").inner_text())
    expect(page.locator(".finding")).to_have_count(number)
