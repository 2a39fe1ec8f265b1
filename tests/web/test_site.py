"""The common parts of all pages: navigation, footer, files, colors."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from web_pages import Page, assert_sound

import codeintel.web
from codeintel import API_VERSION, __version__

SCRIPTS = Path(__file__).parents[2] / "frontend" / "src"
WEB = Path(codeintel.web.__file__).parent
SITE = (WEB / "static" / "site.css").read_text()
STYLES = "\n".join(path.read_text() for path in sorted((WEB / "static").glob("*.css")))
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
MARKUP = "\n".join(path.read_text() for path in sorted((WEB / "templates").glob("*.html")))
MARKUP += "\n".join(path.read_text() for path in sorted((WEB / "plots").glob("*.py")))
MARKUP += (WEB / "text.py").read_text()
MARKUP += "\n".join(path.read_text() for path in sorted(SCRIPTS.rglob("*.js")))


@pytest.mark.parametrize(
    ("path", "status", "current"),
    [
        ("/", 200, {}),
        ("/signin", 200, {}),
        ("/search", 200, {"Search": "page"}),
        ("/trust", 200, {"Trust": "page"}),
        ("/docs", 200, {"API": "page"}),
        ("/docs/api/analyze", 200, {"API": "true"}),
        ("/docs/guides", 200, {"Guides": "page"}),
        ("/docs/guides/quick-start", 200, {"Guides": "true"}),
        ("/docs/rules?language=go", 200, {"Rules": "page"}),
        ("/docs/rules?language=klingon", 400, {"Rules": "page"}),
        ("/docs/rules/taint/taint-sql", 200, {"Rules": "true"}),
        ("/docs/nothing", 404, {}),
        ("/nothing", 404, {}),
    ],
)
def test_the_same_frame(
    client: FlaskClient, path: str, status: int, current: dict[str, str]
) -> None:
    answer = client.get(path, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    page = Page(answer.text)
    assert_sound(page)
    links = page.root.one("nav", **{"aria-label": "Site"}).all("a")
    assert [(each.text, each["href"]) for each in links] == [
        ("Playground", "/playground"),
        ("Search", "/search"),
        ("Trust", "/trust"),
        ("Guides", "/docs/guides"),
        ("API", "/docs"),
        ("Rules", "/docs/rules"),
    ]
    marked = {
        each.text: each["aria-current"] for each in links if "aria-current" in each.attributes
    }
    assert marked == current
    footer = page.root.one("footer").text
    assert f"codeintel {__version__}" in footer
    assert f"API {API_VERSION}" in footer
    assert page.root.one("head").one("title").text.endswith(" · codeintel")
    for link in {*page.values("href")}:
        if link.startswith("/static/"):
            with client.get(link) as file:
                assert file.status_code == 200


def test_files_are_kept_as_long_as_their_address_is_the_same(client: FlaskClient) -> None:
    page = Page(client.get("/search").text)
    address = page.root.all("link", rel="stylesheet")[0]["href"]
    assert re.fullmatch(r"/static/web/site\.css\?v=[0-9a-f]{12}", address)
    with client.get(address) as kept, client.get("/static/web/site.css") as other:
        assert kept.headers["Cache-Control"] == "public, max-age=31536000"
        assert other.headers["Cache-Control"] == "no-cache"
        assert kept.data == other.data


def tokens(scheme: str) -> dict[str, str]:
    """Return the colors of a scheme, as hexadecimal digits."""
    pairs = re.findall(r"--([\w-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);", SITE)
    return {name: light if scheme == "light" else dark for name, light, dark in pairs}


def test_colours_are_tokens_that_have_both_schemes() -> None:
    rest = re.sub(r"--[\w-]+: light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\);", "", STYLES)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*;)", rest) == []


def luminance(colour: str) -> float:
    """Return the luminance, see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


GROUNDS = ("ground", "ground-side", "accent-wash", "code-ground", "caution-wash", "danger-wash")
TEXT = [
    *product(("ink", "ink-soft", "accent"), GROUNDS),
    *product(("caution",), ("ground", "ground-side", "caution-wash")),
    *product(("danger", "post", "critical", "high"), ("ground", "ground-side")),
    ("danger", "danger-wash"),
    ("high", "high-wash"),
    ("on-accent", "critical"),
    *product(("on-accent",), ("accent", "post", "caution", "danger", "ink-soft")),
    *product(("panel-ink", "panel-soft", "panel-accent", "panel-danger"), ("panel",)),
]
SHAPES = [*product(("line-strong", "focus", "accent", "danger"), ("ground", "ground-side"))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_told_apart(scheme: str) -> None:
    """WCAG 2.2 AA: 4.5 to 1 for text, 3 to 1 for fields, focus and what marks them."""
    colours = tokens(scheme)
    least = dict.fromkeys(TEXT, 4.5) | {pair: 3.0 for pair in SHAPES if pair not in TEXT}
    found = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in least}
    assert {pair: value for pair, value in found.items() if value < least[pair]} == {}


def test_styles_have_no_names_that_nobody_uses() -> None:
    told = set(re.findall(r"--([\w-]+):", STYLES))
    used = set(re.findall(r"var\(--([\w-]+)\)", STYLES))
    assert told == used
    rules = re.sub(r"/\*.*?\*/|\{[^{}]*\}", "", STYLES, flags=re.DOTALL)
    classes = set(re.findall(r"\.([a-z][\w-]*)", rules))
    words = set(re.findall(r"[\w-]+", MARKUP))
    classes -= {"get", "post", "put", "patch", "delete", "sink"}
    begun = ("cm-", *re.findall(r"\b((?:[a-z]+-)+)(?:\{\{|\$\{|\{_word|\{kind)", MARKUP))
    assert {each for each in classes - words if not each.startswith(begun)} == set()
    assert {"hit", "notice", "with-contents"} <= classes
