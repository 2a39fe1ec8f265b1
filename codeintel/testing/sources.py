"""The contract of every search source."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import copy
from math import inf
from typing import ClassVar

import msgspec
import pytest

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceRequest, Visibility

NO_LISTS = ("", "null", "{}", "[]", "5", "text", '"text"', "<html>", "[" * 50_000, "\ufeff[]")
QUERIES = (
    "x",
    "x" * 200,
    "a b",
    "a&b=c",
    "a#b",
    "a?b",
    "a/../b",
    '"a',
    "'a'",
    "a%20b",
    "\U0001f600",
)
NO_TIMES = (
    *("", "-1", "abc", "9" * 20, "9" * 400, "9" * 5_000, "1e400", "nan", "\N{SUPERSCRIPT TWO}"),
    *("Wed, 21 Oct 2015 07:28:00 GMT", "Wed Oct 21 07:28:00 2015"),
    "1 Jan 99999999999999999999 1:1:1 +1",
)
OTHER_QUERY = "other-query"
TOKEN = "t0ken-of-a-test"  # noqa: S105 - it opens nothing
NOW = 1_800_000_000.0
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_USED_UP = {"ratelimit-remaining": "0", "x-ratelimit-remaining": "0"}
_TIMES = ("retry-after", "x-retry-after", "ratelimit", "ratelimit-reset", "x-ratelimit-reset")


class SourceContract:
    """Subclass this with a source, and the body of an answer with `rows` results."""

    source: ClassVar[SearchSource]
    body: ClassVar[bytes]
    rows: ClassVar[int]
    takes_limit: ClassVar[bool] = True
    """Whether the registry has a parameter for the number of results.

    The core shortens longer lists.
    """

    def hits(self, body: bytes) -> list[Hit]:
        """Return all results of the source in a body."""
        return list(self.source.hits(SourceAnswer(200, {}, body)))

    def request(self, query: str = "x", limit: int = 10) -> SourceRequest:
        """Return the source's request with a token."""
        source = copy(self.source)
        source.token = TOKEN
        return source.request(query, limit)

    def test_it_has_a_name_a_kind_and_a_place(self) -> None:
        assert _NAME.fullmatch(self.source.name)
        assert _NAME.fullmatch(self.source.kind)
        assert self.source.base_url.startswith(("http://", "https://"))
        assert not self.source.base_url.endswith("/")
        assert isinstance(self.source.visibility, Visibility)

    @pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
    def test_the_query_arrives_in_one_parameter_as_it_is(self, query: str) -> None:
        asked, other = self.request(query), self.request(OTHER_QUERY)
        assert asked == self.request(query), "the same twice"
        assert asked.headers == other.headers
        name = _difference(asked.parameters, other.parameters)
        before, found, after = other.parameters[name].partition(OTHER_QUERY)
        assert found
        assert asked.parameters[name] == f"{before}{query}{after}"

    def test_the_limit_arrives_in_one_parameter(self) -> None:
        asked, other = self.request(limit=17), self.request(limit=23)
        if not self.takes_limit:
            assert asked == other
            return
        name = _difference(asked.parameters, other.parameters)
        assert (asked.parameters[name], other.parameters[name]) == ("17", "23")

    @pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
    def test_the_path_stays_below_the_base(self, query: str) -> None:
        path = self.request(query).path
        assert path == self.request(OTHER_QUERY).path
        assert re.fullmatch(r"/(?!/)[!-~]*", path)
        assert not re.search(r"//|[?#\\]|/\.\.?(/|$)", path)

    def test_a_token_stands_in_headers_only(self) -> None:
        request = self.request()
        assert TOKEN not in request.path
        assert TOKEN not in json.dumps(dict(request.parameters))
        assert TOKEN not in repr(request)

    def test_headers_can_be_sent(self) -> None:
        for name, value in self.request("\U0001f600\r\n").headers.items():
            assert re.fullmatch(r"[A-Za-z0-9-]+", name)
            assert re.fullmatch(r"[!-~]([ -~]*[!-~])?", value)

    def test_it_finds_what_is_in_the_body(self) -> None:
        found = self.hits(self.body)
        assert found == self.hits(self.body), "the same twice"
        assert len(found) == self.rows > 0
        assert len({hit.id for hit in found}) == len(found)
        for hit in found:
            assert hit.id
            assert hit.name
            assert hit.url.startswith(("http://", "https://"))
            assert msgspec.convert(msgspec.to_builtins(hit), Hit) == hit, "of the right types"

    @pytest.mark.parametrize("text", NO_LISTS, ids=range(len(NO_LISTS)))
    def test_in_what_is_no_list_there_is_nothing(self, text: str) -> None:
        assert self._found_or_raised(text.encode()) == []

    def test_in_a_broken_body_there_is_nothing(self) -> None:
        for cut in (1, len(self.body) // 2, len(self.body.rstrip()) - 1):
            assert self._found_or_raised(self.body[:cut]) == []
        assert self._found_or_raised(b"\xff\xfe\xfd" + self.body) == []

    def test_a_status_tells_the_limit(self) -> None:
        assert self.source.is_limit(SourceAnswer(429, {}, b""))
        assert not self.source.is_limit(SourceAnswer(200, {}, self.body))

    @pytest.mark.parametrize("value", NO_TIMES, ids=range(len(NO_TIMES)))
    def test_a_pause_is_never_nonsense(self, value: str) -> None:
        for name in _TIMES:
            for sent in (value, f'"api";r=0;t={value}'):
                answer = SourceAnswer(429, {**_USED_UP, name: sent}, b"")
                pause = self.source.pause(answer, NOW)
                assert pause is None or 0 <= pause < inf

    def test_a_pause_in_seconds_is_understood(self) -> None:
        assert self.source.pause(SourceAnswer(429, {"retry-after": "7"}, b""), NOW) == 7
        assert self.source.pause(SourceAnswer(429, {}, b""), NOW) is None

    def _found_or_raised(self, body: bytes) -> list[Hit]:
        """Return the results in a body, or no results if the source raises, as it may."""
        try:
            return self.hits(body)
        except Exception:  # noqa: BLE001 - the core catches as much
            return []


def _difference(one: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Return the only parameter that differs."""
    assert one.keys() == other.keys()
    names = [name for name in one if one[name] != other[name]]
    assert len(names) == 1, (
        f"exactly one parameter must change with the query or the limit, not {names or 'none'}"
    )
    return names[0]
