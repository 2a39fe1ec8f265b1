"""Reports as self-contained HTML."""

from __future__ import annotations

from html.parser import HTMLParser

import gevent
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from report_samples import HOSTILE, finding, many, report, session
from web_pages import Page

from codeintel.base.greenlets import give_way
from codeintel.contracts.workspaces.records import SkippedFile
from codeintel.web.workspaces.report_pages import printed_report
from codeintel.workspaces.proof.reading import packed, unpacked
from codeintel.workspaces.proof.shapes import ReportedFinding


class Tags(HTMLParser):
    """All tags with their attributes."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def assert_alone(source: str) -> None:
    """Check that the page has no script, no loaded resource, no outgoing link and no character
    that changes the text direction."""
    tags = Tags(source).found
    names = {tag for tag, _ in tags}
    assert not names & {"script", "link", "img", "iframe", "object", "a", "form", "base", "image"}
    attributes = {name for _, found in tags for name in found}
    assert not [name for name in attributes if name.startswith("on")]
    assert not attributes & {"src", "href", "style", "xlink:href", "srcset", "action"}
    assert "@import" not in source
    assert not set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\x00\x1b") & set(source)
    fills = {found["fill"] or "" for _, found in tags if "fill" in found}
    assert all(fill.startswith("url(#") for fill in fills)


def test_it_stands_alone() -> None:
    source = printed_report(report(), session(name=HOSTILE, branch_name=HOSTILE))
    assert source.startswith("<!doctype html>")
    assert_alone(source)
    page = Page(source)
    policies = [each["content"] for each in page.all("meta") if "http-equiv" in each]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    assert "@media print" in source
    text = " ".join(page.text.split())
    for told in (
        *("<script>alert(1)</script>", "[U+202E]", "{{ 7*7 }}", "Fixed since revision 2"),
        *("/src/shop/gone.py", "81 of 100", "One file was not analyzed.", "JavaScript", "dotenv"),
    ):
        assert told in text, told
    assert "correct horse" not in text


def test_every_plot_has_a_table() -> None:
    page = Page(printed_report(report(), session()))
    plots = [each for each in page.root.all("svg") if each.attributes.get("role") == "img"]
    assert [each["id"] for each in plots] == ["by-severity", "by-file", "by-language"]
    headings = {
        each.one("thead").all("th")[0].text for each in page.root.all("table") if each.all("thead")
    }
    assert {"Severity", "File", "Language"} <= headings


def test_an_empty_report_and_a_large_one() -> None:
    empty = report(
        before=False,
        findings=(),
        languages=(),
        hot_spots=(),
        secrets=(),
        unchecked=(),
        manifests=(),
        notes=(),
    )
    source = printed_report(empty, session())
    assert_alone(source)
    assert "No findings." in source
    large = Page(printed_report(many(1_000), session()))
    assert len(large.root.all("li", class_="finding")) == 1_000


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=60))
def test_nothing_becomes_markup(text: str) -> None:
    one = ReportedFinding(
        path=f"/{text}",
        finding=finding(message=text, remedy=text, rule_id=text, engine=text),
        fingerprint="f",
        excerpt=text,
    )
    made = report(
        findings=(one,), secrets=(SkippedFile(f"/{text}", text),), notes=(text,), engine=text
    )
    source = printed_report(made, session(name=text, branch_name=text))
    assert_alone(source)
    Page(source)


def test_others_run_while_a_large_one_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    # A fast machine does it within one turn.
    monkeypatch.setattr("codeintel.base.greenlets.TURN_SECONDS", 0.0)
    ticks = []

    def tick() -> None:
        while True:
            ticks.append(1)
            give_way()

    other = gevent.spawn(tick)
    try:
        made = many(3_000, 400)
        document = packed(made)
        for work in (
            lambda: printed_report(made, session()),
            lambda: packed(made),
            lambda: unpacked(document),
        ):
            before = len(ticks)
            work()
            assert len(ticks) > before
    finally:
        other.kill()
