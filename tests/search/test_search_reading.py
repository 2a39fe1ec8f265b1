"""The parts of a registry's answer that may be shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec import UNSET

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceError, SourceRequest
from codeintel.search.reading import read_answer

ANSWER = SourceAnswer(200, {}, b"")


class Listing(SearchSource):
    """Returns the given results."""

    kind = "listing"

    def __init__(self, found: Iterable[Any]) -> None:
        super().__init__("listing", "http://listing.test")
        self._found = found

    def request(self, query: str, limit: int) -> SourceRequest:
        raise NotImplementedError

    def hits(self, answer: SourceAnswer) -> Iterable[Hit]:  # noqa: ARG002 - told before
        return self._found


def read(*found: Any, limit: int = 10) -> Any:
    return read_answer(Listing(found), ANSWER, limit, 0.0)


def hit(**changes: Any) -> Hit:
    return Hit(**{"id": "a", "name": "a", "url": "https://a.test/", **changes})


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "ftp://a.test/",
        "//a.test/",
        "/a",
        "https://",
        "https://[a.test/",
        "https://a.test/ b",
        "https://a.test/\n",
        "https://a.test/\u202e",
        "https://a.test/" + "x" * 2_000,
        None,
        5,
    ],
)
def test_only_pages_of_the_web_are_linked_to(url: Any) -> None:
    assert read(hit(url=url)) == ()


@pytest.mark.parametrize("url", ["http://a.test", "HTTPS://a.test:81/b?c#d", "https://[::1]/"])
def test_pages_of_the_web(url: str) -> None:
    assert [each.url for each in read(hit(url=url))] == [url]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\ntwo\tthree", "one two three"),
        ("\x00a\x1b[31mb\x7f", "a[31mb"),
        ("a\u202eb\u200bc\ufeff", "abc"),
        ("\ud800a", "a"),
        ("x" * 2_000, "x" * 1_000),
        ("<script>", "<script>"),  # the page must escape it
        (None, ""),
    ],
)
def test_descriptions_are_one_line_that_shows_what_it_says(text: Any, shown: str) -> None:
    assert [each.description for each in read(hit(description=text))] == [shown]


@pytest.mark.parametrize("count", [-1, 2**53, True, 1.5, "7", None])
def test_counts_that_are_none_are_left_out(count: Any) -> None:
    (found,) = read(hit(stars=count, downloads=count))
    assert (found.stars, found.downloads) == (UNSET, UNSET)


def test_rows_without_a_name_and_repeats_are_passed_over() -> None:
    rows = [hit(), hit(name="again"), hit(id=""), hit(id="b", name="\n"), hit(id="c", name="c")]
    nameless: Any = (hit(id=None), hit(id="d", name=None))
    assert [each.id for each in read(*rows, *nameless)] == ["a", "c"]
    many = [hit(id=str(number)) for number in range(99)]
    assert [each.id for each in read(*many, limit=3)] == ["0", "1", "2"]


@pytest.mark.parametrize("row", [None, "a", {"id": "a"}, object()])
def test_what_is_no_hit_makes_the_answer_malformed(row: Any) -> None:
    with pytest.raises(SourceError) as error:
        read(hit(), row)
    assert error.value.problem == "malformed"


@given(st.text(), st.text(), st.text(), st.text())
def test_whatever_comes_can_be_sent(id_: str, name: str, description: str, url: str) -> None:
    for each in read(hit(id=id_, name=name, description=description, url=f"https://a.test/{url}")):
        assert "\n" not in each.name + each.description
        f"{each.id}{each.name}{each.description}{each.url}".encode()
