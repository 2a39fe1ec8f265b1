"""The helpers that other tests of this folder rely on: every error must be detected."""

from __future__ import annotations

import pytest
from page_checks import moving, too_wide, violations
from page_watch import Watch
from playwright.sync_api import Browser, Page, Route

SITE = "http://site.test"
POLICY = "default-src 'none'; script-src 'nonce-n'; style-src 'nonce-n'; connect-src *; img-src *"
GOOD = '<!doctype html><html lang="en"><title>A page</title><h1>A page</h1>'


def seen(chromium: Browser, body: str, expected: tuple[str, ...] = ()) -> list[str]:
    """Return the errors of a page with this body."""
    context = chromium.new_context()

    def answer(route: Route) -> None:
        if route.request.url == f"{SITE}/":
            headers = {"Content-Type": "text/html", "Content-Security-Policy": POLICY}
            route.fulfill(body=GOOD + body, headers=headers)
        elif "cut" in route.request.url:
            route.abort()
        else:
            route.fulfill(status=404, body="", headers={"Access-Control-Allow-Origin": "*"})

    try:
        watch = Watch(context, SITE, expected)
        page = context.new_page()
        page.route("**/*", answer)
        page.goto(f"{SITE}/", wait_until="networkidle")
        return watch.troubles
    finally:
        context.close()


def test_a_quiet_page_is_no_trouble(chromium: Browser) -> None:
    assert seen(chromium, "<script nonce=n>console.log('fine')</script>") == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<script nonce=n>console.error('no good')</script>", "console: no good"),
        ("<script nonce=n>console.warn('no good')</script>", "console: no good"),
        ("<script nonce=n>throw new Error('broken')</script>", "script: broken"),
        ("<script nonce=n>Promise.reject(new Error('late'))</script>", "script: late"),
        ("<script>1</script>", "policy: script-src-elem refused inline"),
        ("<p style='color: red'>x</p>", "policy: style-src-attr refused inline"),
        ("<p onclick='x()'>x</p>", "policy: script-src-attr refused inline"),
        ("<script nonce=n>eval('1')</script>", "policy: script-src refused eval"),
        ("<img alt='' src='/gone.png'>", f"response: 404 GET {SITE}/gone.png"),
        ("<img alt='' src='/cut.png'>", f"request: GET {SITE}/cut.png failed"),
        ("<img alt='' src='//other.test/a.png'>", "request: http://other.test/a.png is elsewhere"),
    ],
)
def test_trouble_is_noticed(chromium: Browser, body: str, told: str) -> None:
    assert any(each.startswith(told) for each in seen(chromium, body))


def test_what_is_expected_is_no_trouble(chromium: Browser) -> None:
    body = "<script nonce=n>console.error('no good'); console.error('worse')</script>"
    (left,) = seen(chromium, body, ("no good",))
    assert left.startswith("console: worse")


@pytest.fixture
def page(chromium: Browser) -> Page:
    context = chromium.new_context(viewport={"width": 360, "height": 780})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("<p>Readable</p>", ""),
        ("<img src='data:,'>", "image-alt"),
        ("<p style='color: #999; background: #fff'>Pale</p>", "color-contrast"),
        ("<input>", "label"),
        ("<button></button>", "button-name"),
        ("<div style='width: 500px'>Wide</div>", "wide"),
        ("<div style='width: 340px'>Narrow</div>", ""),
        ("<style>@keyframes a { to { opacity: 0.9 } }</style>"
         "<p style='animation: a 60s infinite'>Restless</p>", "moving"),
    ],
)  # fmt: skip
def test_checks_of_pages(page: Page, body: str, rule: str) -> None:
    page.set_content(GOOD + body)
    found = [each.partition(":")[0] for each in violations(page)]
    found += ["wide"] * bool(too_wide(page, 360)) + ["moving"] * bool(moving(page))
    assert found == ([rule] if rule else [])
