"""Measure every page of a running service in a browser.

    python benchmarks/pages.py URL --sign-in-link LINK [--each 1] [--only TEXT] [--pictures FOLDER]

Follows links from the home page. Visits the first page of every route without and with a query,
and every `--path`. Load the demo data first, otherwise many pages are empty. The columns are the
uncompressed HTML, the height at 1440 px, violations of WCAG 2.2 A and AA that axe-core finds,
messages in the console, the width that the page needs at 320 px, and the words of the page without
JavaScript. Exits with 1 if a page exceeds a budget.

The script needs Chromium and the packages of the extra `test`.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Page,
    Response,
    ViewportSize,
    sync_playwright,
)
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter
from werkzeug.routing.exceptions import RequestRedirect

from codeintel import create_app

MOST_KB, MOST_HEIGHT, FEWEST_WORDS = 250, 15_000, 10
WIDE: ViewportSize = {"width": 1440, "height": 900}
NARROW: ViewportSize = {"width": 320, "height": 780}
AXE = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
}
# The `href` of a link in an SVG is an object, so the address comes from the attribute.
LINKS = """() => [...document.querySelectorAll("a[href]:not([download])")]
  .map((link) => new URL(link.getAttribute("href"), document.baseURI).href)"""
HEIGHT = "() => document.documentElement.scrollHeight"
WIDTH = "() => document.documentElement.scrollWidth"


@dataclass(frozen=True)
class Measured:
    """The size and the problems of a page."""

    path: str
    kilobytes: float
    height: int
    broken_rules: tuple[str, ...]
    messages: tuple[str, ...]
    narrow_width: int
    words: int

    @property
    def is_within_budget(self) -> bool:
        """Return whether the page meets every budget."""
        return (
            self.kilobytes <= MOST_KB
            and self.height <= MOST_HEIGHT
            and self.narrow_width <= NARROW["width"]
            and self.words >= FEWEST_WORDS
            and not self.broken_rules
            and not self.messages
        )

    def row(self) -> str:
        """Return the line of the table."""
        return (
            f"{self.path[:70]:<71}{self.kilobytes:>6.0f}{self.height:>8}{len(self.broken_rules):>5}"
            f"{len(self.messages):>9}{self.narrow_width:>8}{self.words:>7}"
            f"{'' if self.is_within_budget else '  over'}"
        )


class Routes:
    """Tells which route of the service serves an address."""

    def __init__(self, routes: MapAdapter) -> None:
        self._routes = routes

    def kind(self, path: str, query: str) -> str:
        """Return the route and whether there is a query, empty for an unknown route."""
        try:
            endpoint, _ = self._routes.match(path, method="GET")
        except (HTTPException, RequestRedirect):
            return ""
        return f"{endpoint}{'-query' if query else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("url")
    parser.add_argument("--sign-in-link", help="from `codeintel accounts invite`")
    parser.add_argument("--path", action="append", default=[], help="another address to start at")
    parser.add_argument("--each", type=int, default=1, help="pages per route, default 1")
    parser.add_argument("--only", default="", help="measure only addresses with this text")
    parser.add_argument("--pictures", type=Path, help="save pictures, light and dark")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        routes = Routes(create_app({"CODEINTEL_INSTANCE": folder}).url_map.bind("localhost"))
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    print(f"{'page':<71}{'kB':>6}{'height':>8}{'axe':>5}{'console':>9}{'at 320':>8}{'words':>7}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
        if options.sign_in_link:
            sign_in(context, options.sign_in_link)
        plain = browser.new_context(
            viewport=WIDE, java_script_enabled=False, storage_state=context.storage_state()
        )
        found = [
            each
            for each in visit(context, plain, routes, options)
            if print(each.row(), flush=True) is None
        ]
        browser.close()
    report(found)


def sign_in(context: BrowserContext, link: str) -> None:
    """Use a sign-in link."""
    page = context.new_page()
    page.goto(link)
    page.locator("main button[type=submit], main button").first.click()
    page.wait_for_load_state()
    page.close()


def visit(
    context: BrowserContext, plain: BrowserContext, routes: Routes, options: argparse.Namespace
) -> Iterator[Measured]:
    """Measure the pages that are linked, directly or by other pages, from the home page."""
    waiting = deque(urljoin(options.url, path) for path in ["/", *options.path])
    host = urlsplit(options.url).netloc
    seen, visited, wanted = set(waiting), Counter[str](), set(waiting)
    while waiting:
        url = waiting.popleft()
        parts = urlsplit(url)
        kind = routes.kind(parts.path, parts.query)
        if not kind or (visited[kind] >= options.each and url not in wanted):
            continue
        page = context.new_page()
        messages = listen(page)
        html = load(page, url)
        if html:
            visited[kind] += 1
            links = [link.partition("#")[0] for link in page.evaluate(LINKS)]
            new = [each for each in links if urlsplit(each).netloc == host and each not in seen]
            waiting.extend(dict.fromkeys(new))
            seen.update(new)
            if options.only in url:
                yield measure(page, plain, html, messages)
                if options.pictures:
                    take_pictures(page, f"{kind}-{visited[kind]}", options.pictures)
        page.close()


def listen(page: Page) -> list[str]:
    """Return a list that collects a page's errors.

    A page that reports an error has an error status itself, which is not a failed request.
    """
    messages: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if "Failed to load resource" not in message.text:
            messages.append(message.text)

    def check(response: Response) -> None:
        if response.status >= 400 and not response.request.is_navigation_request():
            messages.append(f"{response.status} {response.url}")

    page.on("console", hear)
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("response", check)
    return messages


def load(page: Page, url: str) -> bytes:
    """Open a page and return its HTML, empty if the address is no page."""
    response = page.request.get(url)
    if not response.headers.get("content-type", "").startswith("text/html"):
        return b""
    if "attachment" in response.headers.get("content-disposition", ""):
        return b""
    page.goto(url)
    page.wait_for_load_state("networkidle")
    return response.body()


def measure(page: Page, plain: BrowserContext, html: bytes, messages: list[str]) -> Measured:
    """Measure an open page, at two widths and without JavaScript."""
    height = page.evaluate(HEIGHT)
    broken = Axe().run(page, options=AXE).response["violations"]
    page.set_viewport_size(NARROW)
    page.wait_for_timeout(100)
    narrow = page.evaluate(WIDTH)
    page.set_viewport_size(WIDE)
    still = plain.new_page()
    still.goto(page.url)
    text = still.locator("main").first.inner_text() if still.locator("main").count() else ""
    still.close()
    parts = urlsplit(page.url)
    return Measured(
        path=parts.path + (f"?{parts.query}" if parts.query else ""),
        kilobytes=len(html) / 1000,
        height=height,
        broken_rules=tuple(
            f"{rule['id']}: {node['html'][:120]}" for rule in broken for node in rule["nodes"]
        ),
        messages=tuple(messages),
        narrow_width=narrow,
        words=len(text.split()),
    )


def take_pictures(page: Page, kind: str, folder: Path) -> None:
    """Save the page in both themes."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.screenshot(path=folder / f"{kind}-{theme}.png", full_page=True)


def report(found: list[Measured]) -> None:
    """Print what is wrong and the largest values, and exit with 1 if a page exceeds a budget."""
    for each in found:
        for problem in (*each.broken_rules, *each.messages):
            print(f"{each.path}: {problem}")
    if not found:
        sys.exit("no pages found")
    over = [each for each in found if not each.is_within_budget]
    largest, highest = max(each.kilobytes for each in found), max(each.height for each in found)
    print(
        f"\n{len(found)} pages, {len(over)} over a budget; "
        f"largest {largest:.0f} kB, highest {highest} px"
    )
    if over:
        sys.exit(1)


if __name__ == "__main__":
    main()
