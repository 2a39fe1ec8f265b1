"""Shipped sources follow the contract of search sources, and sources that break it fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from registry_bodies import BODIES, source

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceRequest
from codeintel.testing.sources import SourceContract


def body(name: str) -> bytes:
    return (BODIES / f"{name}.json").read_bytes()


class TestGitHub(SourceContract):
    source, body, rows = source("github"), body("github"), 3


class TestGitHubForAccounts(SourceContract):
    source, body, rows = source("github", "token", "accounts"), body("github"), 3


class TestNpm(SourceContract):
    source, body, rows = source("npm"), body("npm"), 3


class TestDocker(SourceContract):
    source, body, rows = source("docker"), body("docker"), 3


class TestGitLab(SourceContract):
    source, body, rows = source("gitlab"), body("gitlab"), 3


class TestGitea(SourceContract):
    source, body, rows = source("gitea"), body("gitea"), 3


class TestCrates(SourceContract):
    source, body, rows = source("crates"), body("crates"), 3


class TestHuggingFace(SourceContract):
    source, body, rows = source("huggingface"), body("huggingface.full"), 2


GOOD = Hit(id="1", name="one", url="https://example.test/1")


class Sloppy(SearchSource):
    """A valid source, except for the given violation."""

    kind = "sloppy"

    def __init__(self, name: str = "sloppy", url: str = "https://h", **wrong: Any) -> None:
        super().__init__("sloppy", "https://h")
        self.name, self.base_url = name, url  # which the constructor itself would refuse
        self.visibility = wrong.get("visibility", self.visibility)
        self.wrong = wrong

    def request(self, query: str, limit: int) -> SourceRequest:
        made: dict[str, Any] = {"query": query, "limit": limit, "token": self.token}
        path = self.wrong.get("path", "/search").format(**made)
        asked = {"q": "{query} in:name", "n": "{limit}", **self.wrong.get("parameters", {})}
        headers = {"Token": "{token}", **self.wrong.get("headers", {})}
        return SourceRequest(
            path,
            {name: value.format(**made) for name, value in asked.items()},
            {name: value.format(**made) for name, value in headers.items()},
        )

    def hits(self, answer: SourceAnswer) -> Iterator[Hit]:
        if "raises" in self.wrong and answer.body != b"good":
            raise self.wrong["raises"]
        if answer.body == b"good" or self.wrong.get("finds_anywhere"):
            yield from self.wrong.get("hits", (GOOD,))

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        told: float | None = self.wrong.get("pause", super().pause(answer, now))
        return told

    def is_limit(self, answer: SourceAnswer) -> bool:
        return bool(self.wrong.get("is_limit", super().is_limit(answer)))


def contract(sloppy: Sloppy) -> SourceContract:
    class Contract(SourceContract):
        source, body, rows = sloppy, b"good", 1

    return Contract()


PLACE = "test_it_has_a_name_a_kind_and_a_place"
QUERY = "test_the_query_arrives_in_one_parameter_as_it_is"
LIMIT = "test_the_limit_arrives_in_one_parameter"
PATH = "test_the_path_stays_below_the_base"
SECRET = "test_a_token_stands_in_headers_only"
SENT = "test_headers_can_be_sent"
FINDS = "test_it_finds_what_is_in_the_body"
NOTHING = "test_in_what_is_no_list_there_is_nothing"
BROKEN = "test_in_a_broken_body_there_is_nothing"
STATUS = "test_a_status_tells_the_limit"
PAUSE = "test_a_pause_is_never_nonsense"
SECONDS = "test_a_pause_in_seconds_is_understood"
TESTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((PLACE, LIMIT, SECRET, SENT, FINDS, BROKEN, STATUS, SECONDS), ()),
    QUERY: ("a&b",),
    PATH: ("a/../b",),
    NOTHING: ("[]",),
    PAUSE: ("abc",),
}
"""With an argument for those that have a table."""


def test_the_table_has_every_test() -> None:
    assert TESTS.keys() == {name for name in vars(SourceContract) if name.startswith("test_")}


@pytest.mark.parametrize("test", TESTS)
def test_a_good_source_passes(test: str) -> None:
    getattr(contract(Sloppy()), test)(*TESTS[test])


@pytest.mark.parametrize(
    ("test", "wrong"),
    [
        (PLACE, {"name": "A source"}),
        (PLACE, {"name": "-"}),
        (PLACE, {"url": "https://h/"}),
        (PLACE, {"url": "ftp://h"}),
        (PLACE, {"visibility": "accounts"}),
        (QUERY, {"parameters": {"q": "fixed"}}),
        (QUERY, {"parameters": {"more": "{query}"}}),
        (QUERY, {"headers": {"Query": "{query}"}}),
        (LIMIT, {"parameters": {"n": "10"}}),
        (LIMIT, {"parameters": {"n": "0{limit}"}}),
        (PATH, {"path": "search"}),
        (PATH, {"path": "//elsewhere.test/search"}),
        (PATH, {"path": "https://elsewhere.test/search"}),
        (PATH, {"path": "/search/{query}"}),
        (PATH, {"path": "/a/../b"}),
        (PATH, {"path": "/search?a=b"}),
        (SECRET, {"parameters": {"key": "{token}"}}),
        (SECRET, {"path": "/{token}/search"}),
        (SENT, {"headers": {"Query": "{query}"}}),
        (FINDS, {"hits": ()}),
        (FINDS, {"hits": (GOOD, GOOD)}),
        (FINDS, {"hits": (Hit(id="", name="one", url="https://h/1"),)}),
        (FINDS, {"hits": (Hit(id="1", name="", url="https://h/1"),)}),
        (FINDS, {"hits": (Hit(id="1", name="one", url="javascript:alert(1)"),)}),
        (NOTHING, {"finds_anywhere": True}),
        (BROKEN, {"finds_anywhere": True}),
        (STATUS, {"is_limit": True}),
        (STATUS, {"is_limit": False}),
        (PAUSE, {"pause": -1.0}),
        (PAUSE, {"pause": float("nan")}),
        (PAUSE, {"pause": float("inf")}),
        (SECONDS, {"pause": 5.0}),
    ],
)
def test_a_bad_source_does_not_pass(test: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        getattr(contract(Sloppy(**wrong)), test)(*TESTS[test])


def test_values_of_the_wrong_type_do_not_pass() -> None:
    wrong: Any = {"id": "1", "name": "one", "url": "https://h/1", "stars": "5"}
    with pytest.raises(msgspec.ValidationError, match="stars"):
        contract(Sloppy(hits=(Hit(**wrong),))).test_it_finds_what_is_in_the_body()


@pytest.mark.parametrize("error", [ValueError(), RecursionError(), KeyError("a")])
def test_a_source_may_raise(error: Exception) -> None:
    contract(Sloppy(raises=error)).test_in_a_broken_body_there_is_nothing()


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_a_source_must_not_end_the_process(error: type[BaseException]) -> None:
    with pytest.raises(error):
        contract(Sloppy(raises=error())).test_in_a_broken_body_there_is_nothing()
