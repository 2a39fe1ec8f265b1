"""The page that `codeintel scan --output html` writes: filters, accessibility, and no network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from page_checks import too_wide, violations
from playwright.sync_api import Browser, Page, expect
from scan_samples import sample

from codeintel.cli.scan.formats import Format, render


@pytest.fixture
def address(tmp_path: Path) -> str:
    """Return the address of a written page."""
    path = tmp_path / "scan.html"
    path.write_text(render(sample(), Format.HTML))
    return path.as_uri()


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """Open the page without a network. Fail if it logs an error or asks for anything."""
    context = chromium.new_context(offline=True)
    opened = context.new_page()
    problems: list[str] = []
    opened.on("console", lambda message: problems.append(message.text))
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("request", lambda request: problems.append(request.url))
    opened.goto(address)
    yield opened
    context.close()
    assert problems == [address]


def test_filters(page: Page) -> None:
    articles = page.locator("article:visible")
    output = page.locator("output")
    expect(articles).to_have_count(2)  # the suppressed one is not selected
    expect(output).to_have_text("2 of 3 findings shown")
    page.get_by_label("Suppressed").check()
    expect(articles).to_have_count(3)
    page.get_by_label("High").uncheck()
    expect(articles).to_have_count(1)
    expect(page.locator("section[data-path='a.py']")).to_be_hidden()
    page.get_by_label("High").check()
    page.get_by_label("Search").fill("PYTHON/EXEC a.py")
    expect(articles).to_have_count(1)
    expect(output).to_have_text("1 of 3 findings shown")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.get_by_label("Suppressed").check()
    page.locator("summary").first.click()
    assert violations(page) == []
    assert too_wide(page, 320) == []


def test_it_works_without_scripts(chromium: Browser, address: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(address)
    expect(opened.locator("article:visible")).to_have_count(3)
    expect(opened.locator("form")).to_be_hidden()
    context.close()
