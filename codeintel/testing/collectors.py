"""The contract of every collector of the trust network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from itertools import chain, repeat
from math import inf
from typing import Any, ClassVar

import pytest

from codeintel.contracts import Collector, Ecosystem, SourceAnswer, Target
from codeintel.testing.conversations import (
    TOKEN,
    Conversed,
    check_request,
    check_value,
    converse,
    is_web_page,
)

MARK = "words-of-the-upstream"
NO_DOCUMENTS = ("", "null", "5", "text", f'"{MARK}"', "<html>", "[" * 50_000, "NaN")
"""Answers without information."""
STRANGE = (
    *("{}", "[]", "[null]", "[[]]", "[{}]", f'{{"{MARK}": null}}', f'["{MARK}"]'),
    f'{{"a": {"[" * 300}{"]" * 300}}}',
    '{"a": 1e400, "b": -1, "c": "\\ud800"}',
    json.dumps([{"name": MARK * 10_000}]),
    json.dumps({"versions": [{}] * 5_000, "nodes": [None] * 5_000, "vulns": [[]] * 5_000}),
)
STATUSES = (204, 301, 304, 400, 401, 403, 404, 410, 418, 429, 500, 503)
NAMES = (
    *("x", "x" * 214, ".", "..", "/", "a/..", "../a", "a/../../b", "@a/b", "a:b", "a\\b"),
    *("a b", "a?b", "a#b", "a%2e%2e", "%", "\U0001f600", "\ud800", "\r\n", "//example.test/x"),
)
NO_TIMES = ("", "-1", "abc", "9" * 20, "9" * 400, "nan", "\N{SUPERSCRIPT TWO}")
NOW = 1_800_000_000.0
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_FACT = re.compile(r"[a-z][a-z0-9_]{0,39}")
_USED_UP = {"ratelimit-remaining": "0", "x-ratelimit-remaining": "0"}
_TIMES = ("retry-after", "x-retry-after", "ratelimit", "ratelimit-reset", "x-ratelimit-reset")


class CollectorContract:
    """Subclass this with a collector, a target, the facts that it needs, and the bodies of the
    answers to its requests, in order. The collector must find facts with them.
    """

    collector: ClassVar[Collector]
    target: ClassVar[Target]
    known: ClassVar[Mapping[str, Any]] = {}
    bodies: ClassVar[tuple[bytes, ...]]

    def conversed(
        self, answers: Iterable[SourceAnswer] | None = None, target: Target | None = None
    ) -> Conversed:
        """Converse with a collector that has a token."""
        collector = copy(self.collector)
        collector.token = TOKEN
        good = (SourceAnswer(200, {}, body) for body in self.bodies)
        return converse(
            collector,
            target or self.target,
            self.known,
            good if answers is None else answers,
        )

    def instead(self, answer: SourceAnswer) -> Iterator[Conversed]:
        """Yield conversations in which one good answer is replaced with another."""
        good = [SourceAnswer(200, {}, body) for body in self.bodies]
        for place in range(len(good)):
            yield self.conversed([*good[:place], answer, *good[place + 1 :]])

    def test_it_has_a_name_and_a_place(self) -> None:
        assert _NAME.fullmatch(self.collector.name)
        assert self.collector.title
        assert self.collector.base_url.startswith(("http://", "https://"))
        assert not self.collector.base_url.endswith("/")
        assert 0 <= self.collector.interval < inf

    def test_it_says_what_it_gives_and_needs(self) -> None:
        gives, needs = self.collector.gives, self.collector.needs
        assert gives
        assert len(set(gives)) == len(gives)
        assert all(map(_FACT.fullmatch, (*gives, *needs)))
        assert not set(gives) & set(needs)
        assert self.known.keys() >= set(needs), "known: what it needs"

    def test_it_says_which_packages_it_knows(self) -> None:
        assert self.collector.collects(self.target)
        for ecosystem in Ecosystem:
            target = Target(ecosystem, "x")
            assert self.collector.collects(target) is self.collector.collects(target)

    def test_it_finds_facts(self) -> None:
        found = self.conversed()
        assert found.error is None
        assert found.asked
        assert found.evidence.found
        assert not found.evidence.is_unknown
        self._check(found)

    def test_the_same_answers_tell_the_same(self) -> None:
        one, other = self.conversed(), self.conversed()
        assert (one.asked, one.evidence.found) == (other.asked, other.evidence.found)

    def test_without_what_it_needs_it_asks_nothing(self) -> None:
        if self.collector.needs:
            found = converse(self.collector, self.target, {}, ())
            assert (found.asked, found.error, found.values) == ((), None, {})

    @pytest.mark.parametrize(
        "wrong", [None, 5, True, [], {}, "", ".", "a/../b", "\ud800"], ids=repr
    )
    def test_what_it_needs_may_be_anything(self, wrong: Any) -> None:
        good = [SourceAnswer(200, {}, body) for body in self.bodies]
        for name in self.collector.needs:
            known = {**self.known, name: wrong}
            self._check(converse(self.collector, self.target, known, good))

    @pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
    def test_requests_stay_below_the_base(self, name: str) -> None:
        for version in ("", name):
            target = Target(self.target.ecosystem, name, version)
            if self.collector.collects(target):
                self._check(self.conversed(target=target))

    @pytest.mark.parametrize("body", NO_DOCUMENTS, ids=range(len(NO_DOCUMENTS)))
    def test_what_is_no_document_is_an_error(self, body: str) -> None:
        for found in self.instead(SourceAnswer(200, {}, body.encode())):
            assert found.error is not None
            self._check(found)

    @pytest.mark.parametrize("body", STRANGE, ids=range(len(STRANGE)))
    def test_a_strange_document_does_no_harm(self, body: str) -> None:
        for found in self.instead(SourceAnswer(200, {}, body.encode())):
            self._check(found)

    def test_a_broken_document_is_an_error(self) -> None:
        for place, body in enumerate(self.bodies):
            for cut in (1, len(body) // 2, len(body.rstrip()) - 1):
                good = [SourceAnswer(200, {}, each) for each in self.bodies]
                good[place] = SourceAnswer(200, {}, body[:cut])
                assert self.conversed(good).error is not None

    @pytest.mark.parametrize("status", STATUSES)
    def test_any_status_is_understood(self, status: int) -> None:
        for found in self.instead(SourceAnswer(status, {}, MARK.encode())):
            self._check(found)
            if status in {401, 429, 500, 503}:
                assert found.error is not None

    def test_it_comes_to_an_end(self) -> None:
        good = [SourceAnswer(200, {}, body) for body in self.bodies]
        for answer in good:
            self._check(self.conversed(repeat(answer)))
        self._check(self.conversed(chain(good, repeat(good[-1]))))

    def test_a_status_tells_the_limit(self) -> None:
        assert self.collector.is_limit(SourceAnswer(429, {}, b""))
        assert not self.collector.is_limit(SourceAnswer(200, {}, self.bodies[0]))

    @pytest.mark.parametrize("value", NO_TIMES, ids=range(len(NO_TIMES)))
    def test_a_pause_is_never_nonsense(self, value: str) -> None:
        for name in _TIMES:
            pause = self.collector.pause(SourceAnswer(429, {**_USED_UP, name: value}, b""), NOW)
            assert pause is None or 0 <= pause < inf

    def _check(self, found: Conversed) -> None:
        """Check the rules for every conversation."""
        for request in found.asked:
            check_request(request)
        for name, (value, url) in found.evidence.found.items():
            assert name in self.collector.gives
            assert value is not None
            assert json.loads(json.dumps(value, allow_nan=False)) == value, "what JSON has"
            json.dumps(value, ensure_ascii=False).encode()  # no surrogates
            check_value(value)
            assert not url or is_web_page(url)
        if found.error is not None:
            assert found.error.message.strip()
            assert MARK not in found.error.message
            assert TOKEN not in found.error.message
