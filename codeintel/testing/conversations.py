"""Converse with a collector in tests, and check its requests and facts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from codeintel.contracts import (
    Collector,
    Evidence,
    Fact,
    Facts,
    SourceAnswer,
    SourceError,
    SourceRequest,
    Target,
)

TOKEN = "t0ken-of-a-test"  # noqa: S105 - it opens nothing
MAX_REQUESTS = 100
"""The limit for a conversation."""


@dataclass(frozen=True)
class Conversed:
    """A conversation that has ended.

    :param asked: all requests.
    :param error: the error that ended it, or None.
    """

    evidence: Evidence
    asked: tuple[SourceRequest, ...]
    error: SourceError | None

    @property
    def values(self) -> dict[str, Any]:
        """The values of the facts, without their sources."""
        return {name: value for name, (value, _) in self.evidence.found.items()}


def facts(known: Mapping[str, Any]) -> Facts:
    """Return facts with these values."""
    return Facts({name: Fact(name, value, "test", "", "") for name, value in known.items()})


def converse(
    collector: Collector,
    target: Target,
    known: Mapping[str, Any],
    answers: Iterable[SourceAnswer],
) -> Conversed:
    """Answer a collector's requests in order. Further requests get a 404."""
    evidence, coming = Evidence(facts(known)), iter(answers)
    asked: list[SourceRequest] = []
    talk = collector.collect(target, evidence)
    try:
        request = next(talk)
        while len(asked) < MAX_REQUESTS:
            asked.append(request)
            request = talk.send(next(coming, SourceAnswer(404, {}, b"")))
    except StopIteration:
        return Conversed(evidence, tuple(asked), None)
    except SourceError as error:
        return Conversed(evidence, tuple(asked), error)
    raise AssertionError(f"more than {MAX_REQUESTS} requests")


def check_request(request: SourceRequest) -> None:
    """Check that a request stays below the base URL, can be sent, and has the token in its headers
    only.
    """
    assert re.fullmatch(r"/(?!/)[!-~]*", request.path)
    assert not re.search(r"//|[?#\\]|/(?:\.|%2e){1,2}(/|$)", request.path, re.IGNORECASE)
    assert all(isinstance(text, str) for text in request.parameters.values())
    assert TOKEN not in request.path
    assert TOKEN not in json.dumps(dict(request.parameters))
    assert TOKEN.encode() not in request.body
    assert TOKEN not in repr(request)
    if request.body:
        json.loads(request.body)
    for name, value in request.headers.items():
        assert re.fullmatch(r"[A-Za-z0-9-]+", name)
        assert re.fullmatch(r"[!-~]([ -~]*[!-~])?", value)


def check_value(value: Any) -> None:
    """Check that numbers are exact in every JSON reader, and that texts have a displayable
    length.
    """
    if isinstance(value, dict):
        for name, each in value.items():
            assert isinstance(name, str)
            check_value(each)
    elif isinstance(value, list):
        assert len(value) <= 5_000
        for each in value:
            check_value(each)
    elif isinstance(value, str):
        assert len(value) <= 2_000
        assert not re.search(r"[\x00-\x1f\x7f]", value), "one line"
    elif isinstance(value, int):
        assert abs(value) < 2**53


def is_web_page(url: str) -> bool:
    """Return whether a URL is a web address without credentials."""
    parts = urlsplit(url)
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and "@" not in parts.netloc
