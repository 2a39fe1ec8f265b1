"""Debian's Chromium, a site for it, and pages that may not go wrong unseen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from browser_site import Browse, Person, Site, running_site
from page_watch import Watch
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright
from servers import PATH, REQUIRE, binary

from codeintel import web

MILLISECONDS = 15_000
SHELL = "chromium-headless-shell"
"""Chromium without invisible windows: a page takes a third of the processor time."""
MANIFEST = Path(web.__file__).parent / "static/dist/manifest.json"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Run the installed browser, because Playwright downloads none.

    It keeps an event loop running in this thread until it ends, so it ends before tests that need
    another loop.
    """
    program = shutil.which(SHELL, path=PATH) or binary("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Provide the server of all tests in a browser."""
    if not MANIFEST.is_file():
        reason = "the front end is not built: `pip install -e .` says why"
        if os.environ.get(REQUIRE) == "1":
            pytest.fail(f"{reason}, and {REQUIRE}=1")
        pytest.skip(reason)
    with running_site(tmp_path_factory.mktemp("instance")) as site:
        yield site


@pytest.fixture
def ada(site: Site) -> Person:
    """Return a new user, for this test only."""
    return site.person()


@pytest.fixture
def browse(chromium: Browser, site: Site) -> Iterator[Browse]:
    """Return a function that opens pages, each in a separate browser: `browse(person)` is signed
    in.

    Options are those of Playwright's contexts. Errors in a page fail the test, except for expected
    ones: parts of the messages of :class:`Watch`.
    """
    opened: list[tuple[BrowserContext, Watch]] = []

    def open_page(
        person: Person | None = None, expected: tuple[str, ...] = (), **options: Any
    ) -> Page:
        context = chromium.new_context(**{"base_url": site.url, **options})
        context.set_default_timeout(MILLISECONDS)
        if person is not None:
            site.sign_in(context, person)
        watch = Watch(context, options.get("base_url", site.url), expected)
        opened.append((context, watch))
        return context.new_page()

    yield open_page
    troubles = []
    for context, watch in opened:
        with suppress(Error):
            context.close()
        troubles += watch.troubles
    assert not troubles, "\n".join(troubles)
