"""The pages of `/trust` as tests read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask.testing import FlaskClient
from web_pages import Element, Page, assert_sound
from werkzeug.test import TestResponse

Look = Callable[[Any], None]


def read(answer: TestResponse, status: int = 200) -> Page:
    """Return the page, and check that it is valid."""
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    page = Page(answer.text)
    assert_sound(page)
    assert_told(page)
    return page


def assert_told(page: Page) -> None:
    """Check that plots have names, that tables have captions and scopes, and that external links
    send no referrer."""
    inner = {id(each) for svg in page.root.one("main").all("svg") for each in svg.all("svg")}
    for svg in (each for each in page.root.one("main").all("svg") if id(each) not in inner):
        assert svg["role"] == ("group" if svg.all("a") else "img") or svg["class"] == "net"
        assert page.root.one(id=svg["aria-labelledby"]).text
        assert page.root.one(id=svg["aria-describedby"]).text
    for table in page.root.all("table"):
        assert table.one("caption").text
        assert all(each["scope"] in ("col", "row") for each in table.all("th"))
        columns = len(table.one("thead").all("th"))
        for row in table.one("tbody").all("tr"):
            assert len(row.all("th")) == 1
            assert len(row.all("th") + row.all("td")) == columns
    for link in page.root.all("a"):
        if not link["href"].startswith(("/", "#")):
            assert {"noreferrer", "noopener"} <= set(link["rel"].split())


def part(page: Page, id_: str) -> Element:
    """Return a section of the page."""
    return page.root.one("section", **{"aria-labelledby": id_})


def rows(table: Element) -> list[list[str]]:
    return [
        [cell.text for cell in row.all() if cell.tag in ("th", "td")]
        for row in table.one("tbody").all("tr")
    ]


def tables(element: Element) -> dict[str, list[list[str]]]:
    return {each.one("caption").text: rows(each) for each in element.all("table")}


def page_on(client: FlaskClient, show: Look, body: Any, query: str = "?target=kit") -> Page:
    show(body)
    return read(client.get(f"/trust{query}"))
