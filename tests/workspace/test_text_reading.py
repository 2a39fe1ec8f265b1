"""The outcome of a push, or of a manifest, that worker processes could not read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from flask import Flask, request

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.requests.body import FEW_VALUES, read_json
from codeintel.http.requests.json_shape import MAX_VALUES, check_shape, counted
from codeintel.platform.workers.text_functions import TextTimeoutError, TextWorkError
from codeintel.workspaces.checks import scan
from codeintel.workspaces.proof.manifests.dependencies import read_manifests
from codeintel.workspaces.proof.manifests.reader import TOO_COSTLY, manifests
from codeintel.workspaces.requests import SyncBody
from codeintel.workspaces.secret_scan import in_parts, scanned


class Ended:
    """Runs text functions here, and ends them before an answer for which `is_last` holds."""

    def __init__(self, is_last: Any, error: type[TextWorkError] = TextTimeoutError) -> None:
        self._is_last = is_last
        self._error = error
        self.runs = 0

    def run(self, _account: str, function: Any, parts: Iterable[Any], _size: int = 0) -> Any:
        self.runs += 1
        for at, answer in enumerate(function.run(iter(parts))):
            yield answer
            if self._is_last(at, answer):
                raise self._error


NEVER: Any = Ended(lambda *_: False)
FILES = {"/a.txt": "a", "/.env": "A=b", "/c.txt": "c"}


@pytest.mark.parametrize(
    ("error", "code"),
    [(TextTimeoutError, ErrorCode.INVALID_REQUEST), (TextWorkError, ErrorCode.OVERLOADED)],
)
def test_a_push_that_was_not_searched_is_refused(
    error: type[TextWorkError], code: ErrorCode
) -> None:
    texts: Any = Ended(lambda at, _: at == 1, error)
    with pytest.raises(ServiceError) as caught:
        scan(texts, "a", FILES)
    assert caught.value.code is code
    assert caught.value.details["files"] == [{"path": "/c.txt", "reason": "not-scanned"}]


def test_a_search_that_says_too_little_refuses() -> None:
    class Short:
        def run(self, *_: Any) -> Iterator[str]:
            yield ""

    texts: Any = Short()
    with pytest.raises(ServiceError) as caught:
        scan(texts, "a", FILES)
    assert caught.value.details["files"][0]["path"] == "/.env"


def test_what_was_searched_is_told_by_path() -> None:
    assert scan(NEVER, "a", FILES) == {"/a.txt": "", "/.env": "dotenv", "/c.txt": ""}


def test_files_are_sent_in_parts() -> None:
    files = [(f"/{number}", "x" * 400_000) for number in range(7)]
    parts = list(in_parts(files))
    assert [len(part) for part in parts] == [3, 3, 1]
    assert [each for part in parts for each in part] == files
    assert list(scanned(parts)) == [""] * 7


MANIFESTS = {
    "/a/package.json": '{"dependencies": {"left": "1"}}',
    "/b/setup.cfg": "[options]\ninstall_requires = right\n",
    "/c/requirements.txt": "middle\n",
    "/d/.npmrc": "",
}


def read(texts: Any) -> Any:
    return read_manifests(texts, "a", MANIFESTS.items, [], 0)


def test_manifests_are_read_as_they_are_here() -> None:
    assert read(NEVER) == manifests(MANIFESTS.items())


def test_a_manifest_that_takes_too_long_says_so_and_hides_nothing() -> None:
    texts: Any = Ended(lambda _, step: step.path == "/b/setup.cfg" and texts.runs == 1)
    found = {each.path: each for each in read(texts)}
    assert texts.runs == 2
    assert (found["/b/setup.cfg"].problem, found["/b/setup.cfg"].dependencies) == (TOO_COSTLY, ())
    [middle] = found["/c/requirements.txt"].dependencies
    assert "`/b/setup.cfg` cannot be read" in str(middle.private)
    [left] = found["/a/package.json"].dependencies
    assert not left.private


def test_a_config_that_takes_too_long_makes_names_private() -> None:
    texts: Any = Ended(lambda _, step: step.path == "/d/.npmrc" and texts.runs == 1)
    [left] = {each.path: each for each in read(texts)}["/a/package.json"].dependencies
    assert "`/d/.npmrc` cannot be read" in str(left.private)


def test_after_some_tries_nothing_more_is_read() -> None:
    texts: Any = Ended(lambda *_: True)
    found = read(texts)
    assert texts.runs == 3
    assert [(each.path, each.problem) for each in found] == [
        (path, TOO_COSTLY) for path in sorted(MANIFESTS) if path != "/d/.npmrc"
    ]


@pytest.mark.parametrize(
    ("body", "values"),
    [
        (b"{}", 1),
        (b'{"a":[],"b":{}}', 4),
        (b'{"a":",[{\\",[{","b":1}', 2),
        (b'{"a":"' + b"\\" * 4_001, 1),
        (b'"' + b'\\"' * 4_000, 0),
    ],
)
def test_values_of_a_body(body: bytes, values: int) -> None:
    """Count one for each comma and each opening bracket, outside of texts."""
    assert list(counted([body[:5], body[5:]])) == [values]


def test_only_bodies_that_may_have_many_values_are_counted(app: Flask) -> None:
    asked: list[int] = []

    def read(text: str) -> None:
        data = json.dumps({"files": {"/a": text}})
        with app.test_request_context(data=data, content_type="application/json"):
            read_json(request, SyncBody, check=lambda raw: asked.append(len(raw)))

    read("a" * 100_000)
    assert asked == []
    read("," * (FEW_VALUES + 1))
    assert len(asked) == 1


def test_a_body_of_too_many_values_is_refused() -> None:
    check_shape(NEVER, "a", b"[" + b"1," * (MAX_VALUES - 10) + b"1]")
    with pytest.raises(ServiceError) as caught:
        check_shape(NEVER, "a", b"[" + b"1," * MAX_VALUES + b"1]")
    assert caught.value.code is ErrorCode.PAYLOAD_TOO_LARGE
    with pytest.raises(ServiceError) as caught:
        check_shape(Ended(lambda *_: True), "a", b"[]")  # type: ignore[arg-type]
    assert caught.value.code is ErrorCode.OVERLOADED
